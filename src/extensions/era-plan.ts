/**
 * How to greet a process whose protocol era is not certain. It is asked in place, on the one process we start; what
 * was remembered only changes how long we are patient and whether we ask at all, so that a wrong memory corrects
 * itself. Pure.
 */
import type { DiscoverResult, PriorDiscovery } from "@modelcontextprotocol/client";

export type EraPlan =
  /** Known from this very build: not even asked. */
  | { readonly type: "adopt"; readonly discover: DiscoverResult }
  /** Greeted the old way, without a probe. */
  | { readonly type: "legacy" }
  /** Asked first, and greeted the old way on the same process when it says no or nothing. */
  | { readonly type: "probe"; readonly patienceMs: number };

export interface EraTimes {
  readonly probeTimeoutMs: number;
  readonly startupTimeoutMs: number;
}

/** What went wrong with a plan: `ended` on the probe, `refused` the greeting, or anything else. */
export type EraOutcome = "ended-on-probe" | "greeting-refused" | "other";

export function firstPlan(prior: PriorDiscovery | undefined, builtin: boolean, times: EraTimes): EraPlan {
  if (prior?.kind === "modern" && builtin) return { type: "adopt", discover: prior.discover };
  if (prior?.kind === "legacy") return { type: "legacy" };
  // One that was modern before is not taken for an old one because it is slow today.
  return { type: "probe", patienceMs: prior?.kind === "modern" ? patient(times) : times.probeTimeoutMs };
}

/** The next thing to try, on a new process; undefined when there is none. */
export function nextPlan(
  tried: readonly EraPlan[],
  outcome: EraOutcome,
  times: EraTimes,
): EraPlan | undefined {
  const last = tried.at(-1);
  if (outcome === "ended-on-probe" && !tried.some(({ type }) => type === "legacy")) return { type: "legacy" };
  if (outcome !== "greeting-refused" || last === undefined) return undefined;
  // It does not take the old greeting, and was silent when it was asked, or was not asked: give it time.
  const asked = tried.some((plan) => plan.type === "probe" && plan.patienceMs >= patient(times));
  return asked ? undefined : { type: "probe", patienceMs: patient(times) };
}

export function priorOf(plan: EraPlan): PriorDiscovery | undefined {
  switch (plan.type) {
    case "adopt":
      return { kind: "modern", discover: plan.discover };
    case "legacy":
      return { kind: "legacy" };
    case "probe":
      return undefined;
    default:
      return plan satisfies never;
  }
}

function patient({ probeTimeoutMs, startupTimeoutMs }: EraTimes): number {
  return Math.max(probeTimeoutMs, startupTimeoutMs * 0.8);
}
