import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Base64 } from "./base64.ts";

test.each([0, 1, 2, 3, 4, 48 * 1024 - 1, 48 * 1024, 48 * 1024 + 1, 200_000])(
  "%d bytes are the same base64 in every form and every order",
  (length) => {
    const raw = randomBytes(length);
    const expected = raw.toString("base64");
    const one = new Base64(raw);
    expect(one.length).toBe(expected.length);
    expect(one.bytes.toString("latin1")).toBe(expected);
    expect(one.text).toBe(expected);
    expect(one.bytes.toString("latin1")).toBe(expected);
    expect(one.raw.equals(raw)).toBe(true);
    const other = new Base64(raw);
    expect(other.raw).toBe(raw);
    expect(other.text).toBe(expected);
    expect(other.bytes.toString("latin1")).toBe(expected);
  },
);
