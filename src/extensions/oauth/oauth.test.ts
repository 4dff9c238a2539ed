/** The whole way of an authorization against a fake authorization server on loopback, and everything it must refuse. */
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type FakeOAuth,
  type Misbehaviour,
  obligingBrowser,
  startFakeOAuth,
} from "../../../test/support/fake-oauth.ts";
import { call, openManager, textOf } from "../../../test/support/open-manager.ts";
import type { OAuthConfig, RemoteConfig } from "../config.ts";
import type { ServerExtension } from "../port.ts";
import { createRemoteAuth, type SecretStore } from "./index.ts";

// The SDK says on the console why it drops credentials; the tests look at what happens instead.
vi.spyOn(console, "warn").mockImplementation(() => {});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function memoryStore(): SecretStore & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    get: async (name) => values.get(name),
    set: async (name, value) => void values.set(name, value),
    delete: async (name) => void values.delete(name),
  };
}

interface World {
  readonly server: FakeOAuth;
  readonly store: ReturnType<typeof memoryStore>;
  readonly opened: string[];
  open(options?: {
    browser?: (url: string) => Promise<unknown>;
    headless?: boolean;
    oauth?: OAuthConfig;
  }): ServerExtension;
}

async function world(behaviour: Misbehaviour = {}): Promise<World> {
  const server = await startFakeOAuth(behaviour);
  closers.push(() => server.close());
  const store = memoryStore();
  const opened: string[] = [];
  return {
    server,
    store,
    opened,
    open: ({ browser = obligingBrowser, headless = false, oauth } = {}) =>
      openManager({
        authFor: async (config: RemoteConfig) =>
          createRemoteAuth(config, {
            store,
            clientName: "Kari",
            answerTimeoutMs: 2000,
            ...(!headless && {
              openBrowser: async ({ url }: { url: string }) => {
                opened.push(url);
                // Like a person, it does not hold anybody up.
                void browser(url);
              },
            }),
          }),
      }).add({
        type: "streamable_http",
        key: "far",
        url: server.url,
        headers: {},
        ...(oauth && { oauth }),
      }),
  };
}

const count = (server: FakeOAuth, path: string, grant?: string) =>
  server.log.filter(
    (entry) => entry.path === path && (grant === undefined || entry.params["grant_type"] === grant),
  ).length;

describe("the way through", () => {
  test("discovery, registration, PKCE, the browser and back: the server is used and the token is kept", async () => {
    const { server, open, opened, store } = await world();
    const extension = open();
    expect(textOf(await call(extension, "echo", { text: "authorized" }))).toBe("authorized");
    expect(opened).toHaveLength(1);
    const asked = new URL(opened[0] ?? "").searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      resource: server.url,
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    });
    expect(asked.get("state")?.length).toBeGreaterThanOrEqual(32);
    expect([...store.values.values()].join()).toContain("refresh-");
    expect(server.strayTokens).toEqual([]);
  });

  test("the next start uses what is kept, without a browser", async () => {
    const { server, open, opened } = await world();
    await open().start();
    const again = open({ headless: true });
    expect(textOf(await call(again, "echo", { text: "again" }))).toBe("again");
    expect(opened).toHaveLength(1);
    expect(count(server, "/register")).toBe(1);
  });

  test("a client that was registered by hand is used as it is", async () => {
    const { server, open, opened } = await world({ noRegistration: true });
    const extension = open({ oauth: { clientId: "pre-registered", scopes: ["read", "write"] } });
    await extension.start();
    expect(count(server, "/register")).toBe(0);
    expect(new URL(opened[0] ?? "").searchParams.get("client_id")).toBe("pre-registered");
  });

  test("a client with a description of its own (CIMD) is not registered", async () => {
    const { server, open, opened } = await world();
    await open({ oauth: { clientMetadataUrl: "https://kari.example/client.json" } }).start();
    expect(count(server, "/register")).toBe(0);
    expect(new URL(opened[0] ?? "").searchParams.get("client_id")).toBe("https://kari.example/client.json");
  });

  test("a scope that a call turns out to need is asked for, and the call goes on", async () => {
    const { open, opened } = await world({ callScope: "write" });
    const extension = open();
    await extension.start();
    expect(textOf(await call(extension, "echo", { text: "with more rights" }))).toBe("with more rights");
    expect(opened).toHaveLength(2);
    expect(new URL(opened[1] ?? "").searchParams.get("scope")?.split(" ")).toEqual(
      expect.arrayContaining(["read", "write"]),
    );
  });
});

describe("refreshing", () => {
  test("N15: twenty calls at once with a token that has ended cause one refresh", async () => {
    const { server, open } = await world();
    const extension = open();
    await extension.start();
    server.revoke();
    const calls = Array.from({ length: 20 }, (_none, index) => call(extension, "echo", { text: `${index}` }));
    expect((await Promise.all(calls)).map(textOf)).toEqual(calls.map((_call, index) => `${index}`));
    expect(count(server, "/token", "refresh_token")).toBe(1);
  });

  test("N15: a request that finds out late uses what was renewed before it", async () => {
    const { server, open, store } = await world();
    const first = open();
    await first.start();
    await first.stop();
    const config = { type: "streamable_http" as const, key: "far", url: server.url, headers: {} };
    const auth = createRemoteAuth(config, { store, clientName: "Kari" });
    const provider = auth.provider as { tokens(): Promise<{ access_token: string }> };
    const { access_token } = await provider.tokens();
    const fetch_ = auth.wrapFetch?.((url, init) => fetch(url, init));
    const ask = () =>
      fetch_?.(server.url, {
        method: "POST",
        body: "{}",
        headers: { authorization: `Bearer ${access_token}` },
      });
    server.revoke();
    expect([(await ask())?.status, (await ask())?.status]).not.toContain(401);
    expect(count(server, "/token", "refresh_token")).toBe(1);
  });

  test("N15: invalid_grant drops the tokens, keeps the client and asks the person again", async () => {
    const { server, open, opened } = await world();
    const extension = open();
    await extension.start();
    server.revoke();
    server.behaviour.refresh = { status: 400, error: "invalid_grant" };
    expect(textOf(await call(extension, "echo", { text: "asked again" }))).toBe("asked again");
    expect(opened).toHaveLength(2);
    expect(count(server, "/register")).toBe(1);
  });

  test("N15: invalid_client registers anew", async () => {
    const { server, open, opened } = await world();
    const extension = open();
    await extension.start();
    server.revoke();
    server.behaviour.forgetClients = true;
    expect(textOf(await call(extension, "echo", { text: "registered again" }))).toBe("registered again");
    expect(count(server, "/register")).toBe(2);
    expect(opened).toHaveLength(2);
  });

  test("N15: a token endpoint that is down is an outage: the tokens stay and nobody is asked", async () => {
    const { server, open, opened, store } = await world();
    const extension = open();
    await extension.start();
    server.revoke();
    server.behaviour.refresh = { status: 500 };
    await expect(call(extension, "echo", { text: "x" })).rejects.toThrow(/token could not be renewed/);
    expect(opened).toHaveLength(1);
    expect([...store.values.values()].join()).toContain("refresh-");
    delete server.behaviour.refresh;
    expect(textOf(await call(extension, "echo", { text: "back" }))).toBe("back");
  });

  test("a token is renewed before it ends, by the clock and not by a lifetime", async () => {
    const { server, open, store } = await world({ expiresIn: 1 });
    const extension = open();
    await extension.start();
    expect(textOf(await call(extension, "echo", { text: "x" }))).toBe("x");
    const before = count(server, "/token", "refresh_token");
    expect(before).toBeGreaterThan(0);
    expect(JSON.parse([...store.values.values()][0] ?? "{}")).toMatchObject({
      tokens: { expiresAt: expect.any(Number) },
    });
  });

  test("a headless run with a token that cannot be renewed says what to do", async () => {
    const { server, open } = await world();
    await open().start();
    server.revoke();
    server.behaviour.refresh = { status: 400, error: "invalid_grant" };
    await expect(open({ headless: true }).start()).rejects.toThrow(/nobody can be asked in this run/);
  });

  test("a headless run that was never authorized registers nothing", async () => {
    const { server, open } = await world();
    await expect(open({ headless: true }).start()).rejects.toThrow(/nobody can be asked in this run/);
    expect(count(server, "/register")).toBe(0);
  });
});

describe("what is refused", () => {
  test.each([
    ["file:///etc/passwd"],
    ["javascript:alert(1)"],
    ["https://elsewhere.example/authorize"],
    ["http://192.0.2.7/authorize"],
  ])("N12: an authorization page at %s is not opened", async (authorization_endpoint) => {
    const { open, opened } = await world({ metadata: { authorization_endpoint } });
    await expect(open().start()).rejects.toThrow(/far did not start/);
    expect(opened).toEqual([]);
  });

  test("N13: an authorization server that claims to be another one is refused", async () => {
    const { open, opened } = await world({ metadata: { issuer: "https://bank.example" } });
    await expect(open().start()).rejects.toThrow(/far did not start/);
    expect(opened).toEqual([]);
  });

  test("N13: an answer that comes from another authorization server is refused", async () => {
    const { server, open } = await world({ iss: "https://attacker.example" });
    await expect(open().start()).rejects.toThrow(/not authorized/);
    expect(count(server, "/token")).toBe(0);
  });

  test("N13: an authorization server without PKCE is refused", async () => {
    const { open, opened } = await world({ metadata: { code_challenge_methods_supported: ["plain"] } });
    await expect(open().start()).rejects.toThrow(/far did not start/);
    expect(opened).toEqual([]);
  });

  test("N13: an answer with another state is turned away, and the right one still counts", async () => {
    const { open } = await world();
    const statuses: number[] = [];
    const extension = open({
      browser: async (url) => {
        const forged = new URL(new URL(url).searchParams.get("redirect_uri") ?? "");
        forged.searchParams.set("code", "forged");
        forged.searchParams.set("state", "guessed");
        statuses.push((await fetch(forged)).status);
        const answer = await obligingBrowser(url);
        statuses.push(answer.status);
      },
    });
    await extension.start();
    expect(statuses).toEqual([400, 200]);
  });

  test("N13: an answer that comes twice counts once", async () => {
    const { server, open } = await world();
    const second = Promise.withResolvers<number>();
    const extension = open({
      browser: async (url) => {
        const answer = await fetch(url, { redirect: "manual" });
        const back = answer.headers.get("location") ?? "";
        await fetch(back);
        second.resolve(
          await fetch(back)
            .then(({ status }) => status)
            .catch(() => 0),
        );
      },
    });
    await extension.start();
    expect([0, 410]).toContain(await second.promise);
    expect(count(server, "/token", "authorization_code")).toBe(1);
  });

  test("nobody who comes back in time is a clear end", async () => {
    const { open } = await world();
    await expect(open({ browser: async () => {} }).start()).rejects.toThrow(
      /nobody came back from the browser/,
    );
  });

  test("N14: a refresh token is not shown to another authorization server than the one that gave it", async () => {
    const { server, open, store, opened } = await world();
    const first = open();
    await first.start();
    await first.stop();
    const [name = "", record = "{}"] = [...store.values][0] ?? [];
    const kept = JSON.parse(record) as { tokens: { tokens: { issuer: string } } };
    kept.tokens.tokens.issuer = "https://former.example";
    store.values.set(name, JSON.stringify(kept));
    server.revoke();
    await open().start();
    expect(count(server, "/token", "refresh_token")).toBe(0);
    expect(opened).toHaveLength(2);
  });

  test("N14: a record that was kept for another address is not used", async () => {
    const { server, open, store } = await world();
    await open().start();
    const [name = "", record = ""] = [...store.values][0] ?? [];
    store.values.set(name, record.replaceAll(server.url, "https://elsewhere.example/mcp"));
    await expect(open({ headless: true }).start()).rejects.toThrow(/nobody can be asked/);
  });

  test("N14: a token for one server is not used for another at the same host", async () => {
    const { server, open, store } = await world();
    await open().start();
    const other = openManager({
      authFor: async (config: RemoteConfig) => createRemoteAuth(config, { store, clientName: "Kari" }),
    }).add({ type: "streamable_http", key: "other", url: `${server.url}/other`, headers: {} });
    await expect(other.start()).rejects.toThrow(/nobody can be asked/);
  });
});
