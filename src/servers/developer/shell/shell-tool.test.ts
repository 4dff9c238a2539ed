import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { encodeText } from "../../../lib/text-encode.ts";
import { startTemporaryServer, textOf } from "../temporary-server.ts";

describe("a command", () => {
  test("gives its output and its exit code", async () => {
    await using server = startTemporaryServer();
    expect(await server.call("shell", { command: "echo hi" })).toEqual({
      content: [{ type: "text", text: "hi\n[exit code 0]" }],
    });
  });

  test("that fails is an error with its output", async () => {
    await using server = startTemporaryServer();
    expect(await server.call("shell", { command: "echo no; exit 3" })).toEqual({
      content: [{ type: "text", text: "no\n[exit code 3]" }],
      isError: true,
    });
  });

  test("that prints nothing says so", async () => {
    await using server = startTemporaryServer();
    expect(await server.say("shell", { command: "true" })).toBe("[exit code 0, no output]");
  });

  test("keeps stdout and stderr in the order in which they were written", async () => {
    await using server = startTemporaryServer();
    const lines = Array.from({ length: 40 }, (_, index) => `echo ${index}${index % 2 ? " >&2" : ""}`);
    const expected = Array.from({ length: 40 }, (_, index) => `${index}\n`).join("");
    expect(await server.say("shell", { command: lines.join("\n") })).toBe(`${expected}[exit code 0]`);
  });

  test("can open /dev/stdout and /dev/stderr", async () => {
    await using server = startTemporaryServer();
    const command = "echo a; echo b > /dev/stderr; echo c | tee /dev/stderr; echo d > /dev/stdout";
    expect(await server.say("shell", { command })).toBe("a\nb\nc\nc\nd\n[exit code 0]");
  });

  test("runs in the working directory, or where it is told", async () => {
    await using server = startTemporaryServer();
    mkdirSync(join(server.folder, "$(touch evil) 秋\n;"));
    expect(await server.say("shell", { command: "pwd" })).toContain(server.folder);
    const place = "$(touch evil) 秋\n;";
    expect(await server.say("shell", { command: 'basename "$PWD"', working_directory: place })).toBe(
      `${place}\n[exit code 0]`,
    );
    expect(existsSync(join(server.folder, "evil"))).toBe(false);
  });

  test("in a directory that is not there is not run", async () => {
    await using server = startTemporaryServer();
    const result = await server.call("shell", { command: "echo x", working_directory: "nowhere" });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/nowhere is not an existing directory; nothing was run/);
  });

  test("starts anew each time: nothing carries over", async () => {
    await using server = startTemporaryServer();
    await server.call("shell", { command: "cd / && export X=1" });
    expect(await server.say("shell", { command: 'echo "$X" "$PWD"' })).toBe(
      ` ${server.folder}\n[exit code 0]`,
    );
  });

  test("of several lines is a script; C16: a newline is no trick", async () => {
    await using server = startTemporaryServer();
    const command = "for i in 1 2; do\n  echo $i\ndone\ncat <<'X'\nhere $(echo no)\nX";
    expect(await server.say("shell", { command })).toBe("1\n2\nhere $(echo no)\n[exit code 0]");
  });

  test("with a syntax error says what bash says", async () => {
    await using server = startTemporaryServer();
    const result = await server.call("shell", { command: "if then" });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/syntax error/);
  });

  test("ended by a signal says which", async () => {
    await using server = startTemporaryServer();
    expect(await server.say("shell", { command: "kill -9 $$" })).toBe("[ended by signal SIGKILL]");
  });

  test("with a NUL, or longer than the system takes, is refused", async () => {
    await using server = startTemporaryServer();
    expect(await server.say("shell", { command: "echo \0" })).toMatch(/NUL/);
    expect(await server.say("shell", { command: `: ${"x".repeat(3_000_000)}` })).toMatch(/too long.*E2BIG/);
    expect(await server.say("shell", { command: "echo still alive" })).toBe("still alive\n[exit code 0]");
  });

  test("many at once do not mix", async () => {
    await using server = startTemporaryServer();
    const numbers = Array.from({ length: 24 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((number) =>
        server.say("shell", { command: `sleep 0.0${number % 5}; seq ${number} ${number + 2}` }),
      ),
    );
    expect(answers).toEqual(
      numbers.map((number) => `${number}\n${number + 1}\n${number + 2}\n[exit code 0]`),
    );
  });

  test("leaves no descriptor open and uses pipes again", async () => {
    await using server = startTemporaryServer();
    const open = async () =>
      Number.parseInt(await server.say("shell", { command: `ls /proc/${process.pid}/fd | wc -l` }), 10);
    await open();
    const before = await open();
    for (let i = 0; i < 12; i++) await server.call("shell", { command: "sleep 0.01; echo x" });
    // A descriptor or two may still be on its way to be closed; a leak would be one for each command.
    expect(await open()).toBeLessThan(before + 6);
    const kept = / is in (\S+): /.exec(await server.say("shell", { command: "seq 20000" }))?.[1] ?? "";
    expect(readdirSync(dirname(kept)).filter((name) => name.startsWith("pipe-"))).toHaveLength(8);
  });
});

describe("nobody is there to answer", () => {
  test("C17: a command that reads gets the end of input", async () => {
    await using server = startTemporaryServer();
    expect(await server.say("shell", { command: 'cat; read x; echo "[$x] $?"' })).toBe("[] 1\n[exit code 0]");
  });

  test("C17: there is no terminal, not even behind /dev/tty", async () => {
    await using server = startTemporaryServer();
    const command = "tty; (exec </dev/tty) 2>/dev/null || echo none; [ -t 1 ] || echo plain";
    expect(await server.say("shell", { command })).toBe("not a tty\nnone\nplain\n[exit code 0]");
  });

  test("git opens neither pager nor editor nor prompt", async () => {
    await using server = startTemporaryServer();
    const command =
      "git init -q . && git -c user.name=a -c user.email=a@b commit --allow-empty; echo $PAGER $TERM $GIT_TERMINAL_PROMPT";
    const answer = await server.say("shell", { command });
    expect(answer).toMatch(/No editor can be opened here/);
    expect(answer).toMatch(/cat dumb 0/);
  });

  test("colour that is forced from outside is not passed on", async () => {
    await using server = startTemporaryServer({ environment: { ...process.env, FORCE_COLOR: "1" } });
    expect(await server.say("shell", { command: 'echo "[$FORCE_COLOR]"' })).toBe("[]\n[exit code 0]");
  });
});

describe("what is printed", () => {
  test("terminal escapes, NULs and control characters do not reach the model", async () => {
    await using server = startTemporaryServer();
    const command = String.raw`printf '\033[31mred\033[0m \033]0;title\007a\0b\a\033]8;;http://x\033\\link\033]8;;\033\\ \r\n'`;
    expect(await server.say("shell", { command })).toBe("red ablink \n[exit code 0]");
  });

  test("progress that a terminal would overwrite is folded, and it is said", async () => {
    await using server = startTemporaryServer();
    const command = String.raw`for i in 1 2 3 4 5 6; do printf "$i%%\r"; done; echo done`;
    expect(await server.say("shell", { command })).toBe(
      "1%\n[5 rewrites of this line are not shown]\ndone\n[exit code 0]",
    );
  });

  test.each([
    ["shift_jis", "これは日本語です。秋の田の庵"],
    ["euc-jp", "これは日本語です。秋の田の庵"],
  ] as const)("%s is decoded", async (encoding, text) => {
    await using server = startTemporaryServer();
    const encoded = encodeText(`${text}\n`, encoding);
    if (encoded.ok) writeFileSync(join(server.folder, "f"), encoded.bytes);
    expect(await server.say("shell", { command: "cat f" })).toBe(`${text}\n[exit code 0]`);
  });

  test("bytes that are no text in any encoding do not break the answer", async () => {
    await using server = startTemporaryServer();
    const answer = await server.say("shell", { command: String.raw`printf 'ok \377\376\000\001\200 ok\n'` });
    expect(answer).toMatch(/^ok .* ok\n\[exit code 0\]$/);
    expect(answer).not.toContain("\0");
  });
});

describe("long output", () => {
  test("is cut in the middle; the whole is in a private file, as a resource and for read_file", async () => {
    await using server = startTemporaryServer();
    const result = await server.call("shell", { command: "seq 1 20000" });
    const answer = textOf(result);
    expect(Buffer.byteLength(answer)).toBeLessThan(32_000);
    expect(answer.startsWith("1\n2\n3\n")).toBe(true);
    expect(answer).toContain("\n19999\n20000\n[exit code 0]");
    const [, hidden, path, next] =
      /\[… ([\d,]+) lines .* is in (\S+): read on with read_file from start_line (\d+)/.exec(answer) ?? [];
    if (path === undefined || hidden === undefined) throw new Error(answer.slice(0, 200));
    const shown = answer.split("\n").filter((line) => /^\d+$/.test(line)).length;
    expect(shown + Number(hidden.replaceAll(",", ""))).toBe(20_000);
    expect(readFileSync(path, "utf8").split("\n").length).toBe(20_001);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);

    const uri = pathToFileURL(path).href;
    expect(result.content[1]).toMatchObject({ type: "resource_link", uri, size: 108_894 });
    const [contents] =
      (await server.definition.resources?.read(uri, { signal: new AbortController().signal })) ?? [];
    expect(contents && "text" in contents && contents.text.length).toBe(108_894);
    expect(await server.say("read_file", { path, start_line: Number(next), limit: 1 })).toContain(
      `${next}\t${next}`,
    );
    expect(await server.say("text_editor", { command: "view", path, view_range: [15000, 15001] })).toContain(
      "15001\t15001",
    );

    await server.definition.close?.();
    expect(existsSync(dirname(path))).toBe(false);
  });

  test("is readable with NULs and escapes in it", async () => {
    await using server = startTemporaryServer();
    const answer = await server.say("shell", {
      command: String.raw`for i in $(seq 5000); do printf '\033[1mx\0%d\033[0m\n' $i; done`,
    });
    const path = / is in (\S+): /.exec(answer)?.[1] ?? "";
    expect(await server.say("read_file", { path, start_line: 700, limit: 1 })).toContain("700\tx700");
  });

  test("without line ends is cut between characters", async () => {
    await using server = startTemporaryServer();
    const answer = await server.say("shell", { command: "for i in $(seq 20000); do printf 秋; done" });
    expect(answer).not.toContain("\ufffd");
    expect(answer).toMatch(/^秋+\n\n\[… 0 lines \(30 kB\) not shown/);
  });

  test("C17: endless output ends at the limit, in bounded memory, and it is said", async () => {
    await using server = startTemporaryServer({ maxOutputBytes: 5_000_000 });
    const before = process.memoryUsage().rss;
    const result = await server.call("shell", { command: "head -c 10000000000 /dev/zero | tr '\\0' 'x'" });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/ended because it printed more than 5\.0 MB/);
    expect(textOf(result).length).toBeLessThan(32_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1024 * 1024);
  });
});
