/** The Tab key, with a real readline on streams: what is typed arrives, whatever happens meanwhile. */
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Session } from "../app/session-port.ts";
import { attachmentCompleter } from "./complete-attachment.ts";

const open: Interface[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

function prompt(session: Session) {
  const closed = new AbortController();
  const completer = attachmentCompleter(session, { workingDirectory: process.cwd(), closed: closed.signal });
  const input = new PassThrough();
  const output = new PassThrough().setEncoding("utf8");
  const screen = { text: "" };
  output.on("data", (chunk: string) => {
    screen.text += chunk;
  });
  const readline = createInterface({ input, output, terminal: true, completer });
  readline.once("close", () => closed.abort());
  open.push(readline);
  return { input, readline, screen };
}

function sessionWith(listResources: () => Promise<readonly object[]>): Session {
  const extension = {
    key: "shelf",
    kind: "stdio",
    state: { type: "ready" },
    listResources,
    listResourceTemplates: async () => [],
    readResource: async () => [],
  };
  return { extensions: [extension] } as unknown as Session;
}

const shelf = () =>
  sessionWith(async () => [
    { uri: "x://note", name: "n" },
    { uri: "x://notes", name: "m" },
  ]);

async function typed(session: Session, keys: readonly (string | Buffer)[]): Promise<string> {
  const { input, readline, screen } = prompt(session);
  const line = once(readline, "line");
  for (const key of keys) {
    input.write(key);
    // A chunk of its own, as a key is.
    await new Promise((resolve) => setImmediate(resolve));
  }
  input.write("\r");
  const [text] = await line;
  expect(screen.text).not.toContain("error");
  return String(text);
}

describe("Tab", () => {
  test("completes an extension, then as much as its resources share", async () => {
    expect(await typed(shelf(), ["read @sh", "\t", "\t", "s!"])).toBe("read @shelf:x://notes!");
  });

  test("shows the choices when pressed again", async () => {
    const { input, screen } = prompt(shelf());
    input.write("@shelf:x://note");
    await vi.waitFor(() => {
      input.write("\t");
      expect(screen.text).toContain("@shelf:x://notes");
    });
  });

  test("is a tab where nothing is attached: a pasted text keeps its own", async () => {
    expect(await typed(shelf(), ["a\tb"])).toBe("a\tb");
    expect(await typed(shelf(), ["mail user@sh", "\t", "x"])).toBe("mail user@sh\tx");
  });

  test("letters of an input method arrive whole, also in pieces, also beside a Tab", async () => {
    const goose = Buffer.from("雁が音");
    const keys = [
      goose.subarray(0, 1),
      goose.subarray(1, 5),
      goose.subarray(5),
      "を@sh",
      "\t",
      Buffer.from("漢字"),
    ];
    expect(await typed(shelf(), keys)).toBe("雁が音を@shelf:漢字");
  });

  test("what is typed while a server thinks is kept in order, and one that never answers is not waited for", async () => {
    const silent = sessionWith(() => new Promise(() => {}));
    expect(await typed(silent, ["@shelf:", "\t", "a", "b", "か"])).toBe("@shelf:abか");
  });

  test("a prompt that is closed while a server thinks ends quietly", async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<readonly object[]>();
    const slow = sessionWith(() => {
      asked.resolve();
      return answer.promise;
    });
    const { input, readline } = prompt(slow);
    input.write("@shelf:");
    await new Promise((resolve) => setImmediate(resolve));
    input.write("\t");
    await asked.promise;
    readline.close();
    answer.resolve([]);
    await new Promise((resolve) => setImmediate(resolve));
  });
});
