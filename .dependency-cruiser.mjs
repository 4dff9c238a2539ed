/**
 * The walls of the house: which room may import which (ARCHITECTURE.md has the table).
 * A room that is missing here may import nothing at all, so a new room must be added on purpose.
 * `types` names rooms whose types alone may be used: ports that the composition root fills.
 */
export const rooms = {
  lib: { imports: [] },
  conversation: { imports: ["lib"] },
  config: { imports: ["lib"] },
  policy: { imports: ["conversation"] },
  providers: { imports: ["conversation", "lib"] },
  extensions: { imports: ["conversation", "lib"] },
  platform: { imports: ["extensions", "conversation", "lib"] },
  agent: { imports: ["conversation", "policy", "lib"], types: ["providers", "extensions"] },
  sessions: { imports: ["conversation", "lib"] },
  servers: { imports: ["lib"] },
  app: {
    imports: [
      "lib",
      "conversation",
      "config",
      "policy",
      "providers",
      "extensions",
      "platform",
      "agent",
      "sessions",
      "servers",
    ],
  },
  cli: { imports: ["app", "conversation", "lib"] },
  http: { imports: ["app", "conversation", "lib"] },
  web: { imports: [], types: ["http", "conversation"] },
};

/** Packages that belong to one room: an LLM's wire to providers, the MCP client to extensions, and so on. */
const packages = [
  { name: "llm-wire", path: "(^|/)node_modules/@ai-sdk/", only: ["providers"] },
  { name: "mcp-client", path: "(^|/)node_modules/@modelcontextprotocol/client/", only: ["extensions"] },
  {
    name: "mcp-server",
    path: "(^|/)node_modules/@modelcontextprotocol/(server|node|server-legacy)/",
    only: ["servers"],
  },
  { name: "keyring", path: "(^|/)node_modules/@napi-rs/keyring", only: ["config"] },
];

const wall = ([room, { imports, types = [] }]) => {
  const allowed = [room, ...imports].join("|");
  const values = {
    name: `wall-${room}`,
    comment: `${room} may import: ${imports.join(", ") || "nothing"}${types.length ? `; types of: ${types.join(", ")}` : ""}`,
    severity: "error",
    from: { path: `^src/${room}/`, pathNot: "\\.test\\.ts$" },
    to: { path: "^src/[^/]+/", pathNot: `^src/(${allowed})/`, dependencyTypesNot: ["type-only"] },
  };
  const typesOnly = {
    ...values,
    name: `wall-${room}-types`,
    to: { path: "^src/[^/]+/", pathNot: `^src/(${[allowed, ...types].join("|")})/` },
  };
  return [values, typesOnly];
};

export default {
  forbidden: [
    ...Object.entries(rooms).flatMap(wall),
    {
      name: "unknown-room",
      comment: "a new room must be added to the table above on purpose",
      severity: "error",
      from: { path: "^src/[^/]+/", pathNot: `^src/(${Object.keys(rooms).join("|")})/` },
      to: {},
    },
    ...packages.map(({ name, path, only }) => ({
      name: `package-${name}`,
      comment: `only ${only.join(", ")} may know this package`,
      severity: "error",
      from: { path: "^src/", pathNot: [`^src/(${only.join("|")})/`, "\\.test\\.ts$"] },
      to: { path },
    })),
    {
      name: "pure-rooms",
      comment: "conversation and policy are pure: no file system, no process, no network",
      severity: "error",
      from: { path: "^src/(conversation|policy|agent)/", pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|util|buffer|async_hooks)$" },
    },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".mts", ".js", ".mjs", ".json", ".d.mts"],
    },
  },
};
