import { describe, expect, test } from "vitest";
import type { Elicitation, JsonObject } from "../conversation/index.ts";
import { askElicitation, type Terminal } from "./ask-elicitation.ts";

function terminal(
  lines: readonly string[],
): Terminal & { readonly said: string[]; readonly opened: string[] } {
  const rest = [...lines];
  const said: string[] = [];
  const opened: string[] = [];
  return {
    said,
    opened,
    ask: async (prompt) => {
      said.push(prompt);
      return rest.shift();
    },
    say: (text) => said.push(text),
    open: async (url) => void opened.push(url),
  };
}

const form = (properties: JsonObject, required: readonly string[] = []): Elicitation => ({
  type: "form",
  extension: "shop",
  message: "Which one?",
  schema: { type: "object", properties, required },
});

describe("forms", () => {
  test("each kind of field is asked for, shown and sent after a yes", async () => {
    const properties = {
      name: { type: "string", title: "お名前" },
      count: { type: "integer", minimum: 1 },
      gift: { type: "boolean", default: false },
      size: {
        type: "string",
        oneOf: [
          { const: "s", title: "small" },
          { const: "l", title: "large" },
        ],
      },
      colours: { type: "array", items: { type: "string", enum: ["red", "blue", "green"] } },
      note: { type: "string" },
    };
    const person = terminal(["雁", "３", "", "2", "red、3", "", "y"]);
    expect(await askElicitation(form(properties, ["name", "count"]), person)).toEqual({
      type: "accept",
      content: { name: "雁", count: 3, gift: false, size: "l", colours: ["red", "green"] },
    });
    expect(person.said.join("\n")).toContain('To be sent: {"name":"雁","count":3');
    expect(person.said[0]).toContain("shop asks: Which one?");
  });

  test("a value that does not fit is asked for again, and three times is a no", async () => {
    const fields = form({ count: { type: "integer" } }, ["count"]);
    expect(await askElicitation(fields, terminal(["many", "2", "yes"]))).toEqual({
      type: "accept",
      content: { count: 2 },
    });
    expect(await askElicitation(fields, terminal(["a", "b", "c"]))).toEqual({ type: "decline" });
  });

  test("a dot, a no at the end and the end of input decline", async () => {
    const fields = form({ name: { type: "string" } });
    expect((await askElicitation(fields, terminal(["."]))).type).toBe("decline");
    expect((await askElicitation(fields, terminal(["x", "n"]))).type).toBe("decline");
    expect((await askElicitation(fields, terminal([]))).type).toBe("decline");
  });

  test("L7: what the server wrote cannot move the cursor or hide anything", async () => {
    const person = terminal(["x", "y"]);
    const evil = form({ name: { type: "string", title: "\u001b[2Jname" } });
    await askElicitation({ ...evil, message: "\u001b]52;c;evil\u0007ask" }, person);
    expect(person.said.join("")).not.toContain("\u001b");
  });
});

describe("addresses", () => {
  const url: Elicitation = {
    type: "url",
    extension: "bank",
    message: "Sign in",
    url: "https://bank.example/login?x=1",
    host: "bank.example",
  };

  test("R29: the host and the whole address are shown before it is opened", async () => {
    const person = terminal(["y"]);
    expect(await askElicitation(url, person)).toEqual({ type: "accept" });
    expect(person.said.join("\n")).toMatch(/page at bank\.example:\n {2}https:\/\/bank\.example\/login\?x=1/);
    expect(person.opened).toEqual(["https://bank.example/login?x=1"]);
  });

  test("without a yes nothing is opened", async () => {
    const person = terminal([""]);
    expect(await askElicitation(url, person)).toEqual({ type: "decline" });
    expect(person.opened).toEqual([]);
  });
});
