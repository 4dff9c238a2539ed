import { describe, expect, test } from "vitest";
import { allocateColumns, FileState } from "./file-table.ts";
import { countRows, settledRows } from "./settled-rows.ts";

const LOOKED = 1_800_000_000_000;
const OLD = LOOKED - 60_000;

interface Row {
  readonly state?: number;
  readonly size?: number;
  readonly modified?: number;
  readonly changed?: number;
  readonly seen?: number;
}

function isSettled(row: Row, looked = LOOKED): boolean {
  const columns = allocateColumns(1);
  columns.state[0] = row.state ?? FileState.counted;
  columns.size[0] = row.size ?? 10;
  columns.modified[0] = row.modified ?? OLD;
  columns.changed[0] = row.changed ?? OLD;
  columns.seen[0] = row.seen ?? OLD + 1;
  return settledRows(columns, looked)[0] === 1;
}

describe("a row is settled", () => {
  test("when its file had been left alone for five seconds before the last look", () => {
    expect(isSettled({})).toBe(true);
    expect(isSettled({ changed: LOOKED - 5000 })).toBe(true);
    expect(isSettled({ changed: LOOKED - 4999 })).toBe(false);
    expect(isSettled({ modified: LOOKED - 4999 })).toBe(false);
  });

  test("also when it was filled after that look", () => {
    const changed = LOOKED + 1000;
    expect(isSettled({ changed, seen: changed + 5000 })).toBe(true);
    expect(isSettled({ changed, seen: changed + 4999 })).toBe(false);
  });

  test("without any look, by the moment in which it was filled", () => {
    expect(isSettled({ seen: OLD + 5000 }, 0)).toBe(true);
    expect(isSettled({ seen: OLD + 4999 }, 0)).toBe(false);
  });

  test("not when the file says that it is from the future", () => {
    expect(isSettled({ modified: LOOKED + 1 })).toBe(false);
  });

  test("whatever was found in a regular file, and nothing else", () => {
    const settled = Object.entries(FileState).filter(([, state]) => isSettled({ state }));
    expect(settled.map(([name]) => name)).toEqual(["counted", "noLanguage", "binary", "tooLarge"]);
  });

  test("not when its file was never opened", () => {
    expect(isSettled({ state: FileState.binary, size: 0, modified: 0, changed: 0 })).toBe(false);
  });

  test("not when git's index cannot hold its numbers", () => {
    expect(isSettled({ size: 2 ** 32 - 1 })).toBe(true);
    expect(isSettled({ size: 2 ** 32 })).toBe(false);
    expect(isSettled({ modified: -1000 })).toBe(false);
    expect(isSettled({ modified: 2 ** 32 * 1000, seen: 2 ** 33 * 1000 })).toBe(false);
  });
});

test("settled rows are counted", () => {
  expect(countRows(Uint8Array.of(1, 0, 1, 1))).toBe(3);
});
