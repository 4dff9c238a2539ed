/**
 * Chooses which resources are read for the context, in which order, within a budget of tokens: what the person
 * pinned or attached first, then by priority, then the newest. Reading stops when the budget is full; the rest is
 * named and not read. Pure: reading is the caller's.
 */
import type { Resource, ShelfReason } from "../../conversation/index.ts";
import { estimateTokensOfBytes } from "../../lib/token-estimate.ts";
import { type LeftOut, type Snapshot, tokensOf } from "./shelf.ts";

export interface Candidate {
  readonly extension: string;
  readonly resource: Resource;
  readonly why: ShelfReason;
}

export interface Chosen {
  readonly snapshots: readonly Snapshot[];
  readonly leftOut: readonly LeftOut[];
}

const RANK: Record<ShelfReason, number> = { pinned: 0, attached: 1, active: 2 };

/** `read` gives a snapshot, or the reason in words why there is none. */
export async function chooseWithinBudget(
  candidates: readonly Candidate[],
  budget: number,
  read: (candidate: Candidate) => Promise<Snapshot | string>,
): Promise<Chosen> {
  const snapshots: Snapshot[] = [];
  const leftOut: LeftOut[] = [];
  let left = budget;
  for (const candidate of order(candidates)) {
    const { size } = candidate.resource;
    if (left <= 0 || (size !== undefined && estimateTokensOfBytes(size) > left)) {
      leftOut.push(describe(candidate, "no room left in the context"));
      continue;
    }
    const snapshot = await read(candidate);
    if (typeof snapshot === "string") leftOut.push(describe(candidate, snapshot));
    else if (tokensOf(snapshot) > left) leftOut.push(describe(candidate, "no room left in the context"));
    else {
      snapshots.push(snapshot);
      left -= tokensOf(snapshot);
    }
  }
  return { snapshots, leftOut };
}

function order(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...candidates].sort(
    (a, b) =>
      RANK[a.why] - RANK[b.why] ||
      (b.resource.annotations?.priority ?? 0) - (a.resource.annotations?.priority ?? 0) ||
      timeOf(b) - timeOf(a),
  );
}

function timeOf({ resource }: Candidate): number {
  const time = Date.parse(resource.annotations?.lastModified ?? "");
  return Number.isNaN(time) ? 0 : time;
}

function describe({ extension, resource }: Candidate, reason: string): LeftOut {
  const { uri, name, size } = resource;
  return { extension, uri, name, ...(size !== undefined && { size }), reason };
}
