export { type Candidate, type Chosen, chooseWithinBudget, NO_ROOM, type Unread } from "./context/select.ts";
export { type LeftOut, Shelf, type Snapshot, tokensOf } from "./context/shelf.ts";
export type { AgentPorts, ContextSource } from "./ports.ts";
export { type RunOptions, run } from "./run.ts";
export {
  buildSystemPrompt,
  type ExtensionSection,
  extensionSection,
  type SystemPromptInput,
} from "./system-prompt.ts";
