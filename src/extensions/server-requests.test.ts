/** What servers ask in the middle of a call, over a real process of the legacy era; the modern rounds are in era.test.ts. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { never, openManager, textOf } from "../../test/support/open-manager.ts";
import type { Elicitation, SamplingRequest, ServerRequestHandler } from "../conversation/index.ts";
import { checkAddress, refuseForm } from "./elicitation-check.ts";

const server = fileURLToPath(new URL("../../test/fixtures/misbehaving-server.ts", import.meta.url));

function open(options: { timeoutSeconds?: number } = {}) {
  return openManager().add({
    type: "stdio",
    key: "asks",
    command: process.execPath,
    args: [server],
    env: {},
    ...options,
  });
}

function person(answers: Partial<ServerRequestHandler>): ServerRequestHandler & {
  readonly elicitations: Elicitation[];
  readonly samplings: SamplingRequest[];
} {
  const elicitations: Elicitation[] = [];
  const samplings: SamplingRequest[] = [];
  return {
    elicitations,
    samplings,
    elicit: (elicitation, options) => {
      elicitations.push(elicitation);
      return answers.elicit?.(elicitation, options) ?? Promise.resolve({ type: "cancel" });
    },
    sample: (request, options) => {
      samplings.push(request);
      return answers.sample?.(request, options) ?? Promise.resolve({ type: "decline", reason: "no" });
    },
  };
}

const ask = async (tool: string, requests?: ServerRequestHandler, args = {}, extension = open()) =>
  textOf(await extension.callTool(tool, args, { ...never(), ...(requests && { requests }) }));

describe("forms", () => {
  test("the person's answer reaches the server, which is named to the person", async () => {
    const obliging = person({ elicit: async () => ({ type: "accept", content: { name: "雁", size: 3 } }) });
    expect(await ask("elicit", obliging)).toBe('{"action":"accept","content":{"name":"雁","size":3}}');
    expect(obliging.elicitations).toMatchObject([{ type: "form", extension: "asks", message: "Tell me" }]);
  });

  test("a no is a no, and the model reads why", async () => {
    const reluctant = person({ elicit: async () => ({ type: "decline", reason: "not today" }) });
    expect(await ask("elicit", reluctant)).toBe(
      '{"action":"decline"}[asks asked the person: "Tell me". It was declined: not today.]',
    );
    expect(await ask("elicit", person({}))).toBe('{"action":"cancel"}');
  });

  test("R28: in a run where nobody can be asked it is declined, and the result says so", async () => {
    expect(await ask("elicit")).toMatch(/"decline".*nobody can be asked in this run/);
  });

  test("R28: a form that asks for a password is never shown", async () => {
    const obliging = person({
      elicit: async () => ({ type: "accept", content: { userPassword: "hunter2" } }),
    });
    expect(await ask("elicit-password", obliging)).toMatch(/"decline".*"userPassword" asks for a secret/);
    expect(obliging.elicitations).toEqual([]);
  });

  test("R28: a nested form is refused and never shown", async () => {
    const obliging = person({});
    expect(await ask("elicit-nested", obliging)).toMatch(/Invalid elicitation request/);
    expect(obliging.elicitations).toEqual([]);
  });

  test("R28: a call that asks again and again is stopped after twenty times", async () => {
    const obliging = person({ elicit: async () => ({ type: "accept", content: { name: "x" } }) });
    expect(await ask("elicit-often", obliging)).toMatch(/at most 20 times/);
    expect(obliging.elicitations).toHaveLength(20);
  });

  test("an answer that does not fit the form is not sent", async () => {
    const sloppy = person({ elicit: async () => ({ type: "accept", content: { size: "three" } }) });
    expect(await ask("elicit", sloppy)).toMatch(/"decline".*did not fit/);
  });

  test("while the person thinks, the call's time stands still", async () => {
    const slow = person({
      elicit: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1200));
        return { type: "accept", content: { name: "at last" } };
      },
    });
    const extension = open({ timeoutSeconds: 0.6 });
    await extension.start();
    expect(await ask("elicit", slow, {}, extension)).toContain("at last");
  });

  test.each([
    [{ type: "object", properties: { a: { type: "string" } } }, undefined],
    [
      { type: "object", properties: { a: { type: "array", items: { type: "string", enum: ["x"] } } } },
      undefined,
    ],
    [{ type: "object", properties: { a: { type: "array", items: { type: "string" } } } }, /nested/],
    [{ type: "object", properties: { apiKey: { type: "string" } } }, /secret/],
    [{ type: "object", properties: { x: { type: "string", title: "パスワード" } } }, /secret/],
    [{ type: "object", properties: { x: { type: "string", format: "password" } } }, /secret/],
    [
      { type: "object", properties: { x: { type: "string", description: "your credit card number" } } },
      /secret/,
    ],
    [{ type: "object", properties: { tokens: { type: "integer", description: "how many" } } }, undefined],
    [{ type: "object", properties: { rememberPassword: { type: "boolean" } } }, undefined],
    [{ type: "string" }, /not an object/],
    [
      {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, { type: "string" }])),
      },
      /40 fields/,
    ],
  ])("%j", (schema, refusal) => {
    const reason = refuseForm(schema);
    if (refusal) expect(reason).toMatch(refusal);
    else expect(reason).toBeUndefined();
  });
});

describe("addresses", () => {
  test("R29: a web page is shown with its host, and accepted when the person opened it", async () => {
    const obliging = person({ elicit: async () => ({ type: "accept" }) });
    expect(await ask("elicit-url", obliging, { url: "https://bank.example/login" })).toBe(
      '{"action":"accept"}',
    );
    expect(obliging.elicitations).toMatchObject([{ type: "url", host: "bank.example" }]);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data",
    "https://169.254.169.254/",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "http://example.com/",
    "https://user:secret@example.com/",
    "https://0x7f.1@evil.example/",
    "https://[fe80::1]/",
    "https://example.com/\u202Egpj.exe",
    "not an address",
  ])("R29: %s is refused and never shown", (address) => {
    expect(checkAddress(address)).toMatchObject({ type: "refused" });
  });

  test("R29: http is fine on this machine alone", () => {
    expect(checkAddress("http://127.0.0.1:8080/x")).toMatchObject({ type: "fine", host: "127.0.0.1:8080" });
    expect(checkAddress("http://localhost/x").type).toBe("fine");
    expect(checkAddress("http://127.0.0.1.evil.example/").type).toBe("refused");
  });
});

describe("the model and the roots", () => {
  test("an answer of the model reaches the server, within a limit", async () => {
    const obliging = person({
      sample: async () => ({ type: "answered", text: "4", model: "m", stopReason: "endTurn" }),
    });
    expect(JSON.parse(await ask("sample", obliging))).toMatchObject({
      content: { type: "text", text: "4" },
      model: "m",
    });
    expect(obliging.samplings).toMatchObject([
      {
        extension: "asks",
        maxTokens: 8192,
        messages: [{ role: "user", content: [{ type: "text", text: "2+2?" }] }],
      },
    ]);
  });

  test("a no comes as the protocol's error, and the model reads why", async () => {
    expect(await ask("sample", person({}))).toMatch(
      /"code":-1.*declined: no.*\[asks asked for an answer of the model/,
    );
    expect(await ask("sample")).toMatch(/nobody can be asked/);
  });

  test("R31: more than three requests to the model at once are refused", async () => {
    let open_ = 0;
    let most = 0;
    const slow = person({
      sample: async () => {
        open_ += 1;
        most = Math.max(most, open_);
        await new Promise((resolve) => setTimeout(resolve, 200));
        open_ -= 1;
        return { type: "answered", text: "4", model: "m", stopReason: "endTurn" };
      },
    });
    expect(await ask("sample-deep", slow)).toMatch(/at most 3 such requests/);
    expect(most).toBe(3);
  });

  test("the roots are the working directory", async () => {
    expect(JSON.parse(await ask("roots"))).toEqual({
      roots: [{ uri: expect.stringMatching(/^file:\/\/\//), name: expect.any(String) }],
    });
  });
});
