/**
 * Ids of tool calls as the provider takes them. Our ids come from whatever model made the call, perhaps
 * another one than is asked now, and some providers refuse each other's. Ids only travel outward: the
 * answer to a call is found by our own id.
 */
import { stableHash } from "./stable-hash.ts";

const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const NINE = /^[a-zA-Z0-9]{9}$/;

export function toWireCallId(id: string, style: "any" | "nine"): string {
  if (style === "nine") return NINE.test(id) ? id : stableHash(id).slice(0, 9);
  return LEGAL.test(id) ? id : `call_${stableHash(id)}`;
}
