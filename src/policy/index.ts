export { APPROVAL_MODES, type ApprovalMode, type Decision, decide, type PolicyInput } from "./policy.ts";
