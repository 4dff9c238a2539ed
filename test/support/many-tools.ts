/**
 * Twenty MCP servers of twenty-five tools each in one process: modern MCP over HTTP by hand, one path for each server,
 * so that a test with 500 tools starts nothing. The definitions are as long as those of real servers.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ManyTools {
  readonly extensions: readonly { readonly name: string; readonly url: string }[];
  /** `extension/tool arguments`, in order. */
  readonly calls: readonly string[];
  close(): Promise<void>;
}

const SUBJECTS = [
  ["billing", "invoice", "payment", "refund", "subscription", "receipt"],
  ["calendar", "event", "attendee", "reminder", "room booking", "holiday"],
  ["tickets", "issue", "comment", "label", "sprint", "milestone"],
  ["crm", "contact", "deal", "lead", "account", "pipeline stage"],
  ["warehouse", "stock item", "pallet", "shelf", "supplier", "purchase order"],
  ["parcels", "shipping label", "parcel", "pickup", "customs form", "carrier"],
  ["mailer", "campaign", "mailing list", "template", "bounce", "unsubscribe request"],
  ["chat", "channel", "message", "reaction", "thread", "member"],
  ["drive", "document", "folder", "share link", "revision", "comment"],
  ["database", "table", "row", "index", "query plan", "backup"],
  ["monitor", "alert", "dashboard", "metric", "incident", "silence"],
  ["deploy", "release", "environment", "rollback", "artifact", "pipeline"],
  ["hr", "employee", "leave request", "payslip", "contract", "review"],
  ["travel", "flight", "hotel stay", "itinerary", "visa application", "expense"],
  ["music", "playlist", "track", "album", "artist", "concert"],
  ["recipes", "recipe", "ingredient", "meal plan", "shopping list", "nutrition fact"],
  ["fitness", "workout", "run", "heart rate sample", "goal", "training plan"],
  ["garden", "plant", "watering schedule", "seed", "bed", "harvest"],
  ["library", "book", "loan", "reservation", "reader", "shelf mark"],
  ["energy", "meter reading", "tariff", "solar panel", "battery", "bill"],
] as const;
const VERBS = ["create", "get", "list", "update", "delete"];

export async function startManyTools(): Promise<ManyTools> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? "";
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      const { id, method, params } = JSON.parse(body);
      if (method === "tools/call") calls.push(`${name}/${params.name} ${JSON.stringify(params.arguments)}`);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: answer(name, method, params) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    extensions: SUBJECTS.map(([name]) => ({ name, url: `http://127.0.0.1:${port}/${name}` })),
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(name: string, method: string, params: { readonly name?: string }): object {
  const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  if (method === "server/discover")
    return { ...complete, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
  if (method === "tools/list") return { ...complete, tools: toolsOf(name) };
  return { ...complete, content: [{ type: "text", text: `${params.name} of ${name} is done` }] };
}

function toolsOf(name: string): readonly object[] {
  const [, ...nouns] = SUBJECTS.find(([subject]) => subject === name) ?? [];
  return nouns.flatMap((noun) =>
    VERBS.map((verb) => ({
      name: `${verb}_${noun.replaceAll(" ", "_")}`,
      description:
        `${verb[0]?.toUpperCase()}${verb.slice(1)} a ${noun} in ${name}. Use this when the person wants to ${verb} one ${noun} ` +
        "and has said which; when several could be meant, list them first. The answer names what was changed and when.",
      inputSchema: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string", description: `Which ${noun}: its identifier, as the list shows it` },
          fields: {
            type: "object",
            description: `The fields of the ${noun} by name, with their new values`,
            additionalProperties: { type: "string" },
          },
          dry_run: { type: "boolean", description: "Only say what would happen", default: false },
          note: { type: "string", description: "A remark that is kept in the history, for people" },
        },
      },
      annotations: { readOnlyHint: verb === "get" || verb === "list" },
    })),
  );
}
