import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { createServer } from "../kit/server.ts";
import { startTemporaryServer, type TemporaryServer } from "./temporary-server.ts";

async function connect(server: TemporaryServer): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createServer(server.definition, "legacy").connect(far);
  const client = new Client({ name: "test", version: "0" });
  await client.connect(near);
  return client;
}

test("the tools, in a stable order, say whether they only read", async () => {
  await using server = startTemporaryServer();
  const client = await connect(server);
  const { tools } = await client.listTools();
  expect(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
  ).toEqual([
    ["shell", false, true],
    ["text_editor", false, true],
    ["read_file", true, false],
    ["list_files", true, false],
  ]);
  expect(tools.every(({ description }) => (description?.length ?? 0) < 800)).toBe(true);
  await client.close();
});

test("the instructions are the same wherever it runs, and short", async () => {
  await using server = startTemporaryServer();
  const client = await connect(server);
  expect(client.getInstructions()).not.toContain(server.folder);
  expect(client.getInstructions()?.length).toBeLessThan(1000);
  await client.close();
});

test("wrong arguments are a readable error", async () => {
  await using server = startTemporaryServer();
  const client = await connect(server);
  const result = await client.callTool({ name: "shell", arguments: { cmd: "ls" } });
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result.content)).toMatch(/Invalid arguments for shell.*command/);
  await client.close();
});

test("a cancelled call ends the command", async () => {
  await using server = startTemporaryServer();
  const client = await connect(server);
  const controller = new AbortController();
  const call = client.callTool(
    {
      name: "shell",
      arguments: { command: "trap 'sleep 0.1; touch ended' EXIT; touch on; sleep 80 & wait" },
    },
    { signal: controller.signal },
  );
  const failed = expect(call).rejects.toThrow();
  while (!existsSync(join(server.folder, "on"))) await new Promise((resolve) => setTimeout(resolve, 10));
  controller.abort();
  await failed;
  while (!existsSync(join(server.folder, "ended"))) await new Promise((resolve) => setTimeout(resolve, 10));
  await client.close();
});

test("resources are listed, found by template and read through the protocol", async () => {
  await using server = startTemporaryServer();
  writeFileSync(join(server.folder, "秋.txt"), "かりほの庵");
  const client = await connect(server);
  const uri = pathToFileURL(join(server.folder, "秋.txt")).href;
  const { resources } = await client.listResources();
  expect(resources.map((resource) => resource.uri)).toEqual(["developer://environment", uri]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["file:///{+path}"]);
  const { contents } = await client.readResource({ uri });
  expect(contents).toMatchObject([{ uri, text: "かりほの庵" }]);
  await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow(/outside/);
  await client.close();
});

test("C15: two servers on one folder do not take each other's outputs, nor undo each other's edits", async () => {
  await using one = startTemporaryServer();
  await using two = startTemporaryServer({ workingDirectory: one.folder });
  const answers = await Promise.all(
    [one, two].map((server) => server.say("shell", { command: "seq 20000" })),
  );
  const [first, second] = answers.map((answer) => / is in (\S+): /.exec(answer)?.[1] ?? "");
  expect(first).not.toBe(second);
  expect(await two.say("read_file", { path: first })).toMatch(/outside the root/);
  await one.say("text_editor", { command: "write", path: "a.txt", file_text: "one" });
  await two.say("text_editor", { command: "str_replace", path: "a.txt", old_str: "one", new_str: "two" });
  expect(await one.say("text_editor", { command: "undo_edit", path: "a.txt" })).toMatch(
    /changed after the last edit/,
  );
  expect(await two.say("text_editor", { command: "undo_edit", path: "a.txt" })).toMatch(/^Undid/);
});
