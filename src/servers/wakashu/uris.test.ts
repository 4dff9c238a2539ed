import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { ResourceError } from "../kit/index.ts";
import { Library } from "./library.ts";
import { fileIri, parseUri, partIri, toIri, toUri } from "./uris.ts";

const library = new Library("/data/和歌 集");

describe("names of resources", () => {
  test("a file's IRI is readable, its URI is what RFC 8089 asks for, and both name the same file", () => {
    const iri = fileIri(library, { name: "", path: "第1回/1-50% #?/Picture1.png" });
    expect(iri).toBe("file:///data/和歌%20集/第1回/1-50%25%20%23%3F/Picture1.png");
    expect(toUri(iri)).toBe(pathToFileURL("/data/和歌 集/第1回/1-50% #?/Picture1.png").href);
    expect(toIri(toUri(iri))).toBe(iri);
    for (const uri of [iri, toUri(iri)]) {
      expect(parseUri(uri, library)).toEqual({ kind: "file", path: "第1回/1-50% #?/Picture1.png" });
    }
  });

  test("parts are parsed back, in either spelling and with 第1回 for 1", () => {
    const iri = partIri("picture", { wakashuName: "花/月?", edition: 1, rank: "1-a b" });
    expect(iri).toBe("wakashu://picture/花%2F月%3F/1/1-a%20b");
    expect(parseUri(iri, library)).toMatchObject({ wakashuName: "花/月?", rank: "1-a b" });
    const plain = partIri("picture", { wakashuName: "花と月", edition: 1, rank: "2" });
    const expected = { kind: "picture", wakashuName: "花と月", edition: 1, rank: "2", side: undefined };
    expect(parseUri(plain, library)).toEqual(expected);
    expect(parseUri(toUri(plain), library)).toEqual(expected);
    expect(parseUri("wakashu://picture/花と月/第1回/2", library)).toEqual(expected);
    expect(parseUri("wakashu://jpeg/a/1/2?side=99999", library)).toMatchObject({ kind: "jpeg", side: 2560 });
  });

  test.each([
    ["P1", "file:///data/和歌 集_evil/x"],
    ["P2", "file:///data/和歌%20集/../x"],
    ["P7", "file:///data/和歌%20集/%2e%2e/%2e%2e/etc/passwd"],
    ["P7", "file:///data/和歌%20集/..%2f..%2fetc/passwd"],
    ["P9", "file://host/share"],
    ["P9", "file:///C:/x"],
    ["P11", "file:///proc/self/environ"],
    ["P19", "http://user:pass@example.com/"],
    ["P19", `wakashu://picture/${"x".repeat(1_000_000)}/1/1`],
    ["P19", "wakashu://picture/a\u202e/1/1"],
    ["P8", "wakashu://picture/a%00/1/1"],
    ["P7", "wakashu://picture/%c0%ae/1/1"],
    ["-", "wakashu://picture/a/b/c"],
    ["-", "wakashu://picture/a/1"],
    ["-", "wakashu://nothing/a"],
    ["-", ""],
  ])("%s: %.60s is refused", (_id, uri) => {
    expect(() => parseUri(uri, library)).toThrow(ResourceError);
  });
});
