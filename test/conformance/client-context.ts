/** What the suite tells the client about a scenario, beside its address. */
import * as z from "zod";

const Context = z.looseObject({
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })).optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  private_key_pem: z.string().optional(),
  signing_algorithm: z.string().optional(),
  idp_client_id: z.string().optional(),
  idp_id_token: z.string().optional(),
  idp_token_endpoint: z.string().optional(),
});

export type ConformanceContext = z.infer<typeof Context> & { readonly scenario: string };

export function readContext(environment: NodeJS.ProcessEnv): ConformanceContext {
  const text = environment["MCP_CONFORMANCE_CONTEXT"] ?? "{}";
  return { ...Context.parse(JSON.parse(text)), scenario: environment["MCP_CONFORMANCE_SCENARIO"] ?? "" };
}
