/** The tools of the conformance suite that ask their client: forms, the client's model, roots, in rounds. */
import type { ElicitRequestFormParams, InputRequest } from "@modelcontextprotocol/server";
import { z } from "zod";
import {
  ask,
  defineTool,
  failure,
  type InputAnswers,
  type KitTool,
  needInput,
  text,
} from "../../src/servers/kit/index.ts";

type FormSchema = ElicitRequestFormParams["requestedSchema"];

const nothing = z.object({});
const nameSchema = z.object({ name: z.string() });

export const askingTools: readonly KitTool[] = [
  defineTool({
    name: "test_sampling",
    description: "Asks the client's model",
    input: z.object({ prompt: z.string().describe("The prompt to send to the model") }),
    run: ({ prompt }, { input }) => {
      const answer = modelText(input, "answer");
      return answer === undefined
        ? needInput({ requests: { answer: askModel(prompt, 100) } })
        : text(`LLM response: ${answer}`);
    },
  }),
  defineTool({
    name: "test_elicitation",
    description: "Asks the person",
    input: z.object({ message: z.string().describe("The message to show") }),
    run: ({ message }, { input }) =>
      showForm(input, "User response", message, {
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      }),
  }),
  defineTool({
    name: "test_elicitation_sep1034_defaults",
    description: "Asks with a default for each kind of field",
    input: nothing,
    run: (_args, { input }) =>
      showForm(input, "Elicitation completed", "Please review the form", {
        name: { type: "string", description: "User name", default: "John Doe" },
        age: { type: "integer", description: "User age", default: 30 },
        score: { type: "number", description: "User score", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", description: "Verification status", default: true },
      }),
  }),
  defineTool({
    name: "test_elicitation_sep1330_enums",
    description: "Asks with each kind of choice",
    input: nothing,
    run: (_args, { input }) =>
      showForm(input, "Elicitation completed", "Please choose", {
        untitledSingle: { type: "string", enum: OPTIONS },
        titledSingle: { type: "string", oneOf: titled("Option") },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
        titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
      }),
  }),
  defineTool({
    name: "test_streaming_elicitation",
    description: "Reports progress, then asks the person",
    input: nothing,
    run: (_args, { input, progress }) => {
      progress({ progress: 1, total: 2 });
      return greet(input, "user_name");
    },
  }),
  defineTool({
    name: "test_missing_capability",
    description: "Needs a client with a model",
    input: nothing,
    requires: { sampling: {} },
    run: () => text("The client has a model"),
  }),
  defineTool({
    name: "test_input_required_result_elicitation",
    description: "Asks for a name",
    input: nothing,
    run: (_args, { input }) => greet(input, "user_name"),
  }),
  defineTool({
    name: "test_input_required_result_sampling",
    description: "Asks the client's model for a capital",
    input: nothing,
    run: (_args, { input }) => {
      const capital = modelText(input, "capital_question");
      const requests = { capital_question: askModel("What is the capital of France?", 100) };
      return capital === undefined ? needInput({ requests }) : text(capital);
    },
  }),
  defineTool({
    name: "test_input_required_result_list_roots",
    description: "Asks for the client's roots",
    input: nothing,
    run: (_args, { input }) => {
      const roots = rootList(input, "client_roots");
      return roots === undefined ? needInput({ requests: { client_roots: ask.roots() } }) : text(roots);
    },
  }),
  stateTool("test_input_required_result_request_state"),
  stateTool("test_input_required_result_tampered_state"),
  defineTool({
    name: "test_input_required_result_multiple_inputs",
    description: "Asks for a name, a greeting and the roots at once",
    input: nothing,
    run: (_args, { input }) => {
      const name = input.accepted("user_name", nameSchema)?.name;
      const greeting = modelText(input, "greeting");
      const roots = rootList(input, "client_roots");
      if (name !== undefined && greeting !== undefined && roots !== undefined && input.state === "asked") {
        return text(`${greeting}, ${name}! ${roots}`);
      }
      const requests = {
        user_name: askName("What is your name?"),
        greeting: askModel("Generate a greeting", 50),
        client_roots: ask.roots(),
      };
      return needInput({ requests, state: "asked" });
    },
  }),
  defineTool({
    name: "test_input_required_result_multi_round",
    description: "Asks for a name, then for a color",
    input: nothing,
    run: (_args, { input }) => {
      const known = z.object({ name: z.string() }).safeParse(input.state).data;
      const name = known?.name ?? input.accepted("step1", nameSchema)?.name;
      if (name === undefined) {
        return needInput({ requests: { step1: askName("Step 1: What is your name?") }, state: { step: 1 } });
      }
      const color = input.accepted("step2", z.object({ color: z.string() }))?.color;
      if (color !== undefined) return text(`${name} likes ${color}`);
      const step2 = askFor("Step 2: What is your favorite color?", { color: { type: "string" } });
      return needInput({ requests: { step2 }, state: { step: 2, name } });
    },
  }),
  defineTool({
    name: "test_input_required_result_capabilities",
    description: "Asks only for what the client can give",
    input: nothing,
    run: (_args, { input, client }) => {
      const requests = {
        ...(client.sampling && { thought: askModel("Think of something", 50) }),
        ...(client.elicitation && { user_name: askName("What is your name?") }),
        ...(client.roots && { client_roots: ask.roots() }),
      };
      const keys = Object.keys(requests);
      if (keys.length === 0) return failure("This client can be asked for nothing");
      if (keys.some((key) => input.answer(key).kind === "missing")) return needInput({ requests });
      return text(`Answered: ${keys.join(", ")}`);
    },
  }),
];

const OPTIONS = ["option1", "option2", "option3"];

function titled(noun: string) {
  return ["First", "Second", "Third"].map((rank, index) => ({
    const: `value${index + 1}`,
    title: `${rank} ${noun}`,
  }));
}

function stateTool(name: string): KitTool {
  return defineTool({
    name,
    description: "Asks for a yes and wants its state back unchanged",
    input: nothing,
    run: (_args, { input }) => {
      const confirmed = input.accepted("confirm", z.object({ ok: z.boolean() }));
      if (confirmed && input.state === "waiting for a yes") return text("state-ok");
      const confirm = askFor("Please confirm", { ok: { type: "boolean" } });
      return needInput({ requests: { confirm }, state: "waiting for a yes" });
    },
  });
}

function showForm(input: InputAnswers, title: string, message: string, properties: FormSchema["properties"]) {
  const answer = input.answer("form");
  if (answer.kind !== "elicit") return needInput({ requests: { form: askFor(message, properties) } });
  return text(`${title}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
}

function greet(input: InputAnswers, key: string) {
  const name = input.accepted(key, nameSchema)?.name;
  return name === undefined
    ? needInput({ requests: { [key]: askName("What is your name?") } })
    : text(`Hello, ${name}!`);
}

function askName(message: string): InputRequest {
  return askFor(message, { name: { type: "string" } });
}

function askFor(message: string, properties: FormSchema["properties"]): InputRequest {
  // A field with a default need not be filled in.
  const required = Object.entries(properties).flatMap(([key, field]) => ("default" in field ? [] : [key]));
  return ask.form({ message, requestedSchema: { type: "object", properties, required } });
}

function askModel(prompt: string, maxTokens: number): InputRequest {
  return ask.model({ messages: [{ role: "user", content: { type: "text", text: prompt } }], maxTokens });
}

function modelText(input: InputAnswers, key: string): string | undefined {
  const answer = input.answer(key);
  if (answer.kind !== "sampling") return undefined;
  const blocks = Array.isArray(answer.result.content) ? answer.result.content : [answer.result.content];
  return blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
}

function rootList(input: InputAnswers, key: string): string | undefined {
  const answer = input.answer(key);
  return answer.kind === "roots" ? answer.roots.map(({ uri }) => uri).join(", ") : undefined;
}
