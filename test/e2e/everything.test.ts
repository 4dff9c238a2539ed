/**
 * server-everything, whole: each of its resources, templates, embedded resources, links and pictures goes through
 * the built executable to the model, in each wire format, and to the person's screen. What the model was told is
 * read from the recorded requests; what the server has is read from its own files.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Finished, freshHome, type Home, kari, root } from "../support/kari.ts";
import { type MockCall, type MockLlm, startMockLlm } from "../support/mock-llm.ts";
import { modelEnvironment } from "../support/model-environment.ts";
import { type Picture, type Reading, readBody } from "../wire/read-body.ts";
import { CASES, type WireCase } from "../wire/wire-case.ts";

const folder = join(root, "node_modules/@modelcontextprotocol/server-everything/dist");
const everything = `everything:${process.execPath} ${join(folder, "index.js")}`;
const documents = readdirSync(join(folder, "docs"));
const logo = /MCP_TINY_IMAGE = "([^"]+)"/.exec(
  readFileSync(join(folder, "tools/get-tiny-image.js"), "utf8"),
)?.[1];

let home: Home;
let llm: MockLlm;
beforeEach(async () => {
  home = freshHome();
  llm = await startMockLlm();
});
afterEach(async () => {
  await llm.close();
  home.remove();
});

/** One run in which the model makes these calls at once; what it was told of each, and the screen. */
async function run(
  wire: WireCase,
  calls: readonly Omit<MockCall, "id">[],
): Promise<{ readonly told: Told; readonly screen: Finished }> {
  llm.script([{ calls: calls.map((call, index) => ({ ...call, id: `call_${index}` })) }, { text: "done" }]);
  const screen = await kari(
    ["run", "--no-profile", "--approve", "all", "--with-extension", everything, "-t", "show me everything"],
    { home, env: { ...modelEnvironment(llm, wire), KARI_IMAGES: "blocks" } },
  );
  expect(screen.stderr).not.toContain("kari:");
  expect(screen).toMatchObject({ code: 0, stdout: "done\n" });
  const request = llm.requests[1];
  if (!request) throw new Error("the model was not asked again");
  return { told: toldOf(readBody(request)), screen };
}

interface Told {
  /** In the order of the calls. */
  readonly texts: readonly string[];
  /** In the results or, where a format has no place for them there, right after. */
  readonly pictures: readonly Picture[];
}

function toldOf({ turns }: Reading): Told {
  const results = turns.flatMap((turn) => (turn.role === "tool" ? turn.results : []));
  const beside = turns.flatMap((turn) => (turn.role === "user" ? turn.images : []));
  return {
    texts: results.map(({ text }) => text),
    pictures: [...results.flatMap(({ images }) => images), ...beside],
  };
}

const tool = (name: string, args: MockCall["arguments"] = {}) => ({
  name: `everything__${name}`,
  arguments: args,
});
const read = (uri: string) => ({ name: "platform__read_resource", arguments: { uri } });

describe.each(CASES)("$format", (wire: WireCase) => {
  test("all resources and templates are listed, and each is read", async () => {
    const uris = documents.map((name) => `demo://resource/static/document/${name}`);
    const dynamic = ["text", "blob"].map((kind) => `demo://resource/dynamic/${kind}/7`);
    const { told } = await run(wire, [
      { name: "platform__list_resources" },
      ...[...uris, ...dynamic].map(read),
    ]);
    const [list = "", ...contents] = told.texts;
    for (const uri of uris) expect(list).toContain(`- ${uri} — `);
    for (const kind of ["text", "blob"])
      expect(list).toMatch(
        new RegExp(
          `- template demo://resource/dynamic/${kind}/\\{resourceId\\} — .*parameters: resourceId\\)`,
        ),
      );
    expect(documents.length).toBeGreaterThan(5);
    documents.forEach((name, index) => {
      const text = readFileSync(join(folder, "docs", name), "utf8");
      expect(contents[index]).toBe(`[resource ${uris[index]} (text/markdown)]\n${text}`);
    });
    expect(contents.at(-2)).toMatch(
      /^\[resource \S+\/text\/7 \(text\/plain\)\]\nResource 7: This is a plain/,
    );
    expect(contents.at(-1)).toMatch(
      /^\[resource \S+\/blob\/7 \(text\/plain\)\]\nResource 7: This is a base64/,
    );
  });

  test("embedded resources, links, pictures and structured content arrive, for those they are meant for", async () => {
    const { told, screen } = await run(wire, [
      tool("get-tiny-image"),
      tool("get-resource-reference", { resourceType: "Text", resourceId: 1 }),
      tool("get-resource-reference", { resourceType: "Blob", resourceId: 2 }),
      tool("get-resource-links", { count: 10 }),
      tool("get-structured-content", { location: "Chicago" }),
      tool("get-annotated-message", { messageType: "error", includeImage: true }),
      tool("get-annotated-message", { messageType: "success" }),
      tool("get-annotated-message", { messageType: "debug" }),
    ]);
    const [image, text, blob, links, structured, error, success, debug] = told.texts;
    // The picture of the annotated message is for the user alone: only the other one is sent.
    expect(told.pictures).toEqual([{ mimeType: "image/png", data: logo }]);
    expect(image).toMatch(/^Here's the image you requested:\n[\s\S]*The image above is the MCP logo\.$/);
    expect(text).toMatch(/\n\[resource demo:\/\/resource\/dynamic\/text\/1 \(text\/plain\)\]\nResource 1: /);
    expect(blob).toMatch(/\n\[resource demo:\/\/resource\/dynamic\/blob\/2 \(text\/plain\)\]\nResource 2: /);
    expect(
      links?.match(/^\[resource link: (Text|Blob) Resource \d+, demo:\S+ \(text\/plain\)\] Resource \d/gm),
    ).toHaveLength(10);
    expect(structured).toBe('{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}');
    expect(error).toBe("Error: Operation failed");
    expect(success).toBe("[the result is shown to the user only]");
    expect(debug).toBe("Debug: Cache hit ratio 0.95, latency 150ms");

    const { stderr } = screen;
    expect(stderr.match(/^.*▀.*$/gm), "two pictures of 20 rows, two rows to a line").toHaveLength(20);
    expect(stderr).toContain("Resource 2: This is a base64 blob");
    expect(stderr.match(/^ {2}\[(Text|Blob) Resource \d+: demo:/gm)?.length).toBe(10);
    expect(stderr).toContain('"conditions":"Light rain / drizzle"');
    expect(stderr).toContain("Operation completed successfully");
    expect(stderr).not.toContain("Cache hit ratio");
  });

  test("a file of bytes: embedded or linked and read afterwards, it is kept in a file that the model is told of", async () => {
    const data = "data:text/plain,karigane";
    const gzip = (outputType: string) => tool("gzip-file-as-resource", { name: "a.gz", data, outputType });
    let unpacked = "";
    llm.script([
      { calls: [{ ...gzip("resource"), id: "call_1" }] },
      { calls: [{ ...gzip("resourceLink"), id: "call_2" }] },
      ({ raw }) => {
        const path = /in the file ([^\s"\\]+\.gz) until/.exec(raw)?.[1] ?? "";
        unpacked = gunzipSync(readFileSync(path)).toString();
        return { calls: [{ ...read("demo://resource/session/a.gz"), id: "call_3" }] };
      },
      { text: "done" },
    ]);
    const screen = await kari(
      ["run", "--no-profile", "--approve", "all", "--with-extension", everything, "-t", "pack it"],
      { home, env: modelEnvironment(llm, wire) },
    );
    expect(screen).toMatchObject({ code: 0, stdout: "done\n" });
    expect(unpacked).toBe("karigane");
    const request = llm.requests[3];
    const [embedded, link, again] = request ? toldOf(readBody(request)).texts : [];
    const bytes =
      /^\[resource \(application\/gzip, \d+ bytes, demo:\/\/resource\/session\/a\.gz\): not shown, it is binary\]\n\[Its bytes are in the file /;
    expect(embedded).toMatch(bytes);
    expect(link).toMatch(/^\[resource link: a\.gz, demo:\/\/resource\/session\/a\.gz \(application\/gzip/);
    expect(again).toMatch(bytes);
    expect(screen.stderr).toMatch(
      /demo:\/\/resource\/session\/a\.gz application\/gzip, \d+ bytes, saved to \S+/,
    );
    expect(screen.stderr).not.toContain("Its bytes are in the file");
  });
});
