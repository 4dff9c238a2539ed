export {
  APPROVAL_MODES,
  type ApprovalMode,
  type Decision,
  decide,
  decideSampling,
  type PolicyInput,
} from "./policy.ts";
