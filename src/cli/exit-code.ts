/** Exit codes of a run (a contract): 0 done, 1 failed, 3 permission needed, 130 interrupted. */
import type { Outcome } from "../conversation/index.ts";

export function exitCodeOf(outcome: Outcome, permissionNeeded: boolean): number {
  switch (outcome.type) {
    case "done":
      return permissionNeeded ? 3 : 0;
    case "max-turns":
    case "failed":
      return 1;
    case "cancelled":
      return 130;
    default:
      return outcome satisfies never;
  }
}
