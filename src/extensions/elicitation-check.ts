/**
 * What an extension may ask a person for. A form is flat and small and never asks for a secret: what is typed there
 * goes to the server in clear. An address is https (or http on this machine) and is shown before anybody opens it.
 * Pure: each check gives the reason of a refusal, or nothing.
 */
import { isJsonObject, type JsonValue } from "../conversation/index.ts";

const MAX_FIELDS = 32;
const MAX_SCHEMA_LENGTH = 64 * 1024;
const MAX_URL_LENGTH = 8192;
const PRIMITIVES = new Set(["string", "number", "integer", "boolean"]);
const SECRET =
  /pass[\s_-]?(word|phrase|code|wd)|passwd|\bpwd\b|\bpin\b|secret|credential|api[\s_-]?key|access[\s_-]?key|private[\s_-]?key|(access|auth|bearer|refresh|session|api|security)[\s_-]?token|^token$|\botp\b|\bcvv\b|card[\s_-]?number|social[\s_-]?security|\bssn\b|パスワード|パスフレーズ|暗証番号|秘密鍵|認証コード|ワンタイム/i;

export function refuseForm(schema: unknown): string | undefined {
  if (!isJsonObject(schema) || schema["type"] !== "object") return "its form is not an object of fields";
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) return "its form is too large";
  const fields = schema["properties"] ?? {};
  if (!isJsonObject(fields)) return "its form has no readable fields";
  const entries = Object.entries(fields);
  if (entries.length > MAX_FIELDS)
    return `its form has ${entries.length} fields; at most ${MAX_FIELDS} are shown`;
  for (const [name, field] of entries) {
    if (!isFlat(field))
      return `its field "${name}" is nested; only texts, numbers, yes/no and choices can be asked for`;
    if (asksForSecret(name, field))
      return `its field "${name}" asks for a secret, and secrets are never typed into a server's form`;
  }
  return undefined;
}

export type AddressCheck =
  | { readonly type: "fine"; readonly url: string; readonly host: string }
  | { readonly type: "refused"; readonly reason: string };

export function checkAddress(address: unknown): AddressCheck {
  const refused = (reason: string): AddressCheck => ({ type: "refused", reason });
  if (typeof address !== "string" || address.length > MAX_URL_LENGTH)
    return refused("its address is too long");
  // Control characters and direction marks could make it look like another one.
  if (/[\p{Cc}\p{Cf}\s]/u.test(address)) return refused("its address holds invisible characters");
  if (!URL.canParse(address)) return refused(`"${address.slice(0, 200)}" is not an address`);
  const url = new URL(address);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
    return refused(`only https addresses are opened, not ${url.protocol}//${url.host}`);
  if (url.username !== "" || url.password !== "") return refused("its address carries a name or a password");
  if (isLinkLocal(url.hostname))
    return refused(`${url.hostname} is an address inside this machine's network`);
  return { type: "fine", url: url.href, host: url.host };
}

export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Cloud machines keep their credentials at such addresses. The URL parser has already undone odd spellings. */
function isLinkLocal(hostname: string): boolean {
  return (
    /^169\.254\./.test(hostname) ||
    /^0\./.test(hostname) ||
    /^\[(fe[89ab]|::ffff:a9fe|::\])/i.test(hostname) ||
    hostname === "metadata.google.internal"
  );
}

function isFlat(field: JsonValue | undefined): boolean {
  if (!isJsonObject(field)) return false;
  if (field["type"] === "array") {
    const items = field["items"];
    return (
      isJsonObject(items) &&
      (Array.isArray(items["enum"]) || isChoice(items["anyOf"]) || isChoice(items["oneOf"]))
    );
  }
  return typeof field["type"] === "string" && PRIMITIVES.has(field["type"]);
}

function isChoice(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((option) => isJsonObject(option) && "const" in option);
}

function asksForSecret(name: string, field: JsonValue | undefined): boolean {
  if (!isJsonObject(field) || field["type"] === "boolean") return false;
  if (field["format"] === "password") return true;
  // camelCase names are read as words: apiKey, userPassword.
  const words = [name, name.replace(/([a-z0-9])([A-Z])/g, "$1 $2"), field["title"], field["description"]];
  return words.some((text) => typeof text === "string" && SECRET.test(text.normalize("NFKC")));
}
