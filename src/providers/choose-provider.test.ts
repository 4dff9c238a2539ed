import { describe, expect, test } from "vitest";
import { chooseProvider, type Probe } from "./choose-provider.ts";
import { createModel } from "./create-model.ts";
import { HOSTS, normalBaseUrl } from "./hosts.ts";

const nobody: Probe = async () => undefined;
const only =
  (id: string, ...models: string[]): Probe =>
  async (host) =>
    host.id === id ? models : undefined;

describe("choosing a provider", () => {
  test("with nothing at all it is the offline planner, and says why", async () => {
    expect(await chooseProvider({}, {}, nobody)).toEqual({
      choice: { provider: "offline", model: "planner" },
      reason: "no API key is set, and no local server answers (asked: Ollama, LM Studio, llama.cpp).",
    });
  });

  test("an explicit choice goes before keys, and takes its key and address from the environment", async () => {
    const environment = {
      OPENAI_API_KEY: "o",
      ANTHROPIC_API_KEY: " a \n",
      ANTHROPIC_BASE_URL: "https://proxy.example",
    };
    const { choice, reason } = await chooseProvider(
      { provider: "anthropic", model: "claude-x" },
      environment,
      nobody,
    );
    expect(choice).toEqual({
      provider: "anthropic",
      model: "claude-x",
      apiKey: "a",
      baseUrl: "https://proxy.example/v1",
    });
    expect(reason).toBe("anthropic was chosen.");
  });

  test("a key in the environment goes before a local server", async () => {
    const { choice, reason } = await chooseProvider({}, { GROQ_API_KEY: "g" }, only("ollama", "llama3"));
    expect(choice).toMatchObject({ provider: "groq", apiKey: "g" });
    expect(reason).toBe("GROQ_API_KEY is set.");
  });

  test("an empty key is no key", async () => {
    const { choice } = await chooseProvider({}, { OPENAI_API_KEY: "  " }, nobody);
    expect(choice.provider).toBe("offline");
  });

  test("a model's family decides among several keys", async () => {
    const keys = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", GEMINI_API_KEY: "g" };
    expect((await chooseProvider({}, keys, nobody)).choice.provider).toBe("anthropic");
    expect((await chooseProvider({ model: "gpt-5.5" }, keys, nobody)).choice).toMatchObject({
      provider: "openai",
      model: "gpt-5.5",
    });
    expect((await chooseProvider({ model: "gemini-3.5-flash" }, keys, nobody)).choice.provider).toBe(
      "google",
    );
  });

  test("OPENAI_BASE_URL of one's own means the format that everybody speaks", async () => {
    const environment = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://localhost:9999/v1" };
    const { choice, reason } = await chooseProvider({ model: "m" }, environment, nobody);
    expect(choice).toMatchObject({ provider: "openai-compatible", baseUrl: "http://localhost:9999/v1" });
    expect(reason).toContain("localhost:9999");
    const official = { ...environment, OPENAI_BASE_URL: "https://api.openai.com/v1" };
    expect((await chooseProvider({}, official, nobody)).choice.provider).toBe("openai");
  });

  test("a token that people have for other things is used only when its host was chosen", async () => {
    const environment = { GITHUB_TOKEN: "t", HF_TOKEN: "t" };
    expect((await chooseProvider({}, environment, nobody)).choice.provider).toBe("offline");
    const { choice } = await chooseProvider({ provider: "github", model: "m" }, environment, nobody);
    expect(choice.apiKey).toBe("t");
  });

  test("a local server that answers is used with the first model it lists", async () => {
    const { choice, reason } = await chooseProvider({}, {}, only("lmstudio", "qwen3", "other"));
    expect(choice).toMatchObject({ provider: "lmstudio", model: "qwen3" });
    expect(reason).toBe("no API key is set, and LM Studio answers at http://127.0.0.1:1234/v1.");
  });

  test("a local server that does not have the wished model, or has none, is passed over", async () => {
    expect((await chooseProvider({ model: "llama3" }, {}, only("ollama", "qwen3"))).choice.provider).toBe(
      "offline",
    );
    expect((await chooseProvider({}, {}, only("ollama"))).choice.provider).toBe("offline");
  });

  test("OLLAMA_HOST in all its forms, and OLLAMA_CONTEXT_LENGTH", async () => {
    const urls: string[] = [];
    const probe: Probe = async (host, baseUrl) => {
      if (host.id === "ollama") urls.push(baseUrl);
      return undefined;
    };
    for (const value of ["0.0.0.0:11434", "box:1234", "http://box", "https://box/ollama/v1/"])
      await chooseProvider({}, { OLLAMA_HOST: value }, probe);
    expect(urls).toEqual([
      "http://127.0.0.1:11434/v1",
      "http://box:1234/v1",
      "http://box/v1",
      "https://box/ollama/v1",
    ]);
    const { choice } = await chooseProvider(
      { provider: "ollama" },
      { OLLAMA_CONTEXT_LENGTH: "65536" },
      only("ollama", "m"),
    );
    expect(choice).toEqual({ provider: "ollama", model: "m", limits: { context: 65536 } });
  });

  test("a base URL alone is enough for an OpenAI-compatible server that lists its models", async () => {
    const wishes = { baseUrl: "http://127.0.0.1:8000" };
    const { choice } = await chooseProvider(wishes, {}, only("openai-compatible", "served"));
    expect(choice).toMatchObject({
      provider: "openai-compatible",
      baseUrl: "http://127.0.0.1:8000/v1",
      model: "served",
    });
  });
});

describe("a choice that cannot work is refused with what to do", () => {
  test.each([
    [{ provider: "nosuch", model: "m" }, /There is no provider "nosuch"\. Known: anthropic, openai, /],
    [{ provider: "openai", model: "gpt-5.5" }, /OpenAI needs an API key: set OPENAI_API_KEY\./],
    [{ provider: "google", model: "g", apiKey: "  " }, /needs an API key: set GEMINI_API_KEY/],
    [{ provider: "openai-compatible", model: "m" }, /needs a base URL: set OPENAI_BASE_URL/],
    [{ provider: "azure", model: "m", apiKey: "k" }, /needs a base URL: set AZURE_OPENAI_ENDPOINT/],
    [{ provider: "groq", model: "", apiKey: "k" }, /No model was chosen for Groq: set KARI_MODEL/],
    [{ provider: "openai", model: "m", baseUrl: "http://" }, /"http:\/\/" is not a base URL for OpenAI/],
  ])("%j", async (choice, message) => {
    await expect(createModel(choice)).rejects.toThrow(message);
    await expect(createModel(choice)).rejects.toMatchObject({ name: "ModelError" });
  });

  test("every row of the table makes a model", async () => {
    for (const { id, format } of HOSTS) {
      const model = await createModel({
        provider: id,
        model: "some-model",
        apiKey: "k",
        baseUrl: "http://127.0.0.1:9/v1",
      });
      expect([model.id, format]).toEqual([`${id}/some-model`, format]);
    }
  });

  test("ids are unique, and addresses are their own normal form", () => {
    expect(new Set(HOSTS.map(({ id }) => id)).size).toBe(HOSTS.length);
    for (const host of HOSTS)
      if (host.baseUrl !== undefined) expect(normalBaseUrl(host.baseUrl, host)).toBe(host.baseUrl);
  });
});
