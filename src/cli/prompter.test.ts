import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { InputEnded, openPrompter } from "./prompter.ts";

/** A terminal of our own: what is typed goes in, what would be on the screen comes out. */
function terminal(typed: string, isTTY = false) {
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: () => {} });
  const output = new PassThrough();
  let screen = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
  });
  const prompter = openPrompter({ input, output });
  if (isTTY) input.write(typed);
  else input.end(typed);
  return { prompter, type: (text: string) => input.write(text), screen: () => screen };
}

const options = [
  { id: "anthropic", label: "Anthropic" },
  { id: "ollama", label: "Ollama" },
];

describe("questions at the terminal", () => {
  test("lines that come all at once are answers one after another", async () => {
    const { prompter, screen } = terminal("和歌\n\n");
    expect(await prompter.line("Model", "m")).toBe("和歌");
    expect(await prompter.line("Model", "m")).toBe("m");
    expect(screen()).toContain("Model [m]: ");
  });

  test.each([
    ["1", "anthropic"],
    ["２", "ollama"],
    ["ＯＬＬＡＭＡ", "ollama"],
    ["7\nnonsense\n2", "ollama"],
    ["", "anthropic"],
  ])("a choice: %j", async (typed, id) => {
    const { prompter } = terminal(`${typed}\n`);
    expect(await prompter.choose("Which", options, "anthropic")).toMatchObject({ id });
  });

  test.each([
    ["", ["anthropic"]],
    ["２、１", ["anthropic", "ollama"]],
    ["ollama ollama", ["ollama"]],
    ["なし", []],
    ["none", []],
    ["1,emacs\n2", ["ollama"]],
  ])("several choices: %j", async (typed, ids) => {
    const { prompter } = terminal(`${typed}\n`);
    const chosen = await prompter.chooseMany("Which", options, ["anthropic"]);
    expect(chosen.map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    ["y", true],
    ["はい", true],
    ["いいえ", false],
    ["Ｙ", true],
    ["maybe\nn", false],
    ["", true],
  ])("yes or no: %j", async (typed, meant) => {
    const { prompter } = terminal(`${typed}\n`);
    expect(await prompter.confirm("Sure?", true)).toBe(meant);
  });

  test("L11: the end of the input is no answer", async () => {
    for (const ask of ["line", "secret", "confirm"] as const) {
      const { prompter } = terminal("");
      await expect(prompter[ask]("Sure?", true as never)).rejects.toThrow(InputEnded);
    }
  });

  test("S11: a secret does not appear on the screen of a terminal", async () => {
    const { prompter, type, screen } = terminal("canary-ahead", true);
    const secret = prompter.secret("Key");
    type("-and-canary\n");
    expect(await secret).toBe("canary-ahead-and-canary");
    const line = prompter.line("Model");
    type("visible\n");
    expect(await line).toBe("visible");
    const pasted = prompter.line("Provider");
    type("openai\ncanary-pasted\n");
    expect([await pasted, await prompter.secret("Key")]).toEqual(["openai", "canary-pasted"]);
    expect(screen()).toContain("Key: ");
    expect(screen()).not.toContain("canary");
    expect(screen()).toContain("visible");
  });
});
