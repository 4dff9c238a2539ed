import { afterEach, expect, test, vi } from "vitest";
import { openState, type StateBinding, sealState } from "./request-state.ts";

const binding: StateBinding = {
  method: "tools/call",
  name: "order",
  args: { a: 1, b: [2] },
  caller: "Bearer x",
};

afterEach(() => void vi.useRealTimers());

test("a sealed state opens for the request it was made for, whatever the order of its keys", () => {
  const sealed = sealState({ step: 2, 名: "雁" }, binding);
  expect(openState(sealed, { ...binding, args: { b: [2], a: 1 } })).toEqual({ step: 2, 名: "雁" });
});

test("the same state is sealed differently each time and shows nothing of itself", () => {
  const [one, two] = [sealState("secret", binding), sealState("secret", binding)];
  expect(one).not.toBe(two);
  expect(Buffer.from(one.slice(3), "base64url").toString("latin1")).not.toContain("secret");
});

test.each([
  { ...binding, method: "prompts/get" },
  { ...binding, name: "other" },
  { ...binding, args: { a: 1, b: [3] } },
  { ...binding, caller: "Bearer y" },
])("R30: a state of another request does not open: %j", (other) => {
  const sealed = sealState("x", binding);
  expect(() => openState(sealed, other)).toThrow("Invalid or expired requestState");
});

test("R30: no single changed character opens", () => {
  const sealed = sealState("x", binding);
  for (let at = 0; at < sealed.length - 1; at += 1) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    expect(() => openState(changed, binding)).toThrow("Invalid or expired requestState");
  }
});

test("R30: an old state does not open", () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const sealed = sealState("x", binding);
  vi.setSystemTime(1_000_000 + 29 * 60_000);
  expect(openState(sealed, binding)).toBe("x");
  vi.setSystemTime(1_000_000 + 31 * 60_000);
  expect(() => openState(sealed, binding)).toThrow("Invalid or expired requestState");
});

test("R30: a state over the limit is neither made nor opened", () => {
  expect(() => sealState("x".repeat(100_000), binding)).toThrow("The state of order is too large");
  expect(() => openState(`k1.${"A".repeat(5_000_000)}`, binding)).toThrow("Invalid or expired requestState");
});
