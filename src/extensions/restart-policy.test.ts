import { expect, test } from "vitest";
import { RestartPolicy } from "./restart-policy.ts";

test("a first crash restarts at once, later ones wait longer, five in a minute stop it until the minute is over", () => {
  const policy = new RestartPolicy();
  const waits = [0, 1000, 2000, 3000].map((now) => {
    policy.noteCrash(now);
    return policy.next(now);
  });
  expect(waits).toEqual([0, 250, 500, 1000].map((waitMs) => ({ type: "start", waitMs })));
  policy.noteCrash(4000);
  expect(policy.next(5000)).toEqual({ type: "open", retryInMs: 55_000 });
  expect(policy.next(60_001).type).toBe("start");
});
