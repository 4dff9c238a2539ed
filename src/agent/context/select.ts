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

/** There is none, and why; `size` in bytes when it is known only now. */
export interface Unread {
  readonly reason: string;
  readonly size?: number;
}

export const NO_ROOM = "no room left in the context";
/** So many that turned out to be too large, and the rest, if nobody says how large it is, is not tried. */
const MAX_MISFITS = 8;
const RANK: Record<ShelfReason, number> = { pinned: 0, attached: 1, active: 2 };

export async function chooseWithinBudget(
  candidates: readonly Candidate[],
  budget: number,
  readOne: (candidate: Candidate) => Promise<Snapshot | Unread>,
): Promise<Chosen> {
  const snapshots: Snapshot[] = [];
  const leftOut: LeftOut[] = [];
  let left = budget;
  let misfits = 0;
  for (const candidate of order(candidates)) {
    const { size } = candidate.resource;
    const unlikely = size === undefined ? misfits >= MAX_MISFITS : estimateTokensOfBytes(size) > left;
    if (left <= 0 || unlikely) {
      leftOut.push(describe(candidate, { reason: NO_ROOM }));
      continue;
    }
    const read = await readOne(candidate);
    if ("reason" in read) {
      leftOut.push(describe(candidate, read));
      if (read.reason === NO_ROOM) misfits += 1;
    } else if (tokensOf(read) > left) {
      leftOut.push(describe(candidate, { reason: NO_ROOM }));
      misfits += 1;
    } else {
      snapshots.push(read);
      left -= tokensOf(read);
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

function describe({ extension, resource }: Candidate, unread: Unread): LeftOut {
  const { uri, name } = resource;
  const size = resource.size ?? unread.size;
  return { extension, uri, name, ...(size !== undefined && { size }), reason: unread.reason };
}
