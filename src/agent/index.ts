export type { AgentPorts, ContextSource } from "./ports.ts";
export { type RunOptions, run } from "./run.ts";
export {
  buildSystemPrompt,
  type ExtensionSection,
  extensionSection,
  type SystemPromptInput,
} from "./system-prompt.ts";
