/** The media type of a project's file: by its language, else by what its first bytes are. */
import { languageName, languageOfPath } from "./languages/index.ts";

const BY_LANGUAGE: Readonly<Record<string, string>> = {
  javascript: "text/javascript",
  html: "text/html",
  css: "text/css",
  markdown: "text/markdown",
  json: "application/json",
  xml: "application/xml",
  yaml: "application/yaml",
  toml: "application/toml",
  csv: "text/csv",
  text: "text/plain",
};

const BY_SIGNATURE: readonly (readonly [string, string])[] = [
  ["89504e470d0a1a0a", "image/png"],
  ["ffd8ff", "image/jpeg"],
  ["474946383961", "image/gif"],
  ["474946383761", "image/gif"],
  ["25504446", "application/pdf"],
  ["504b0304", "application/zip"],
  ["1f8b", "application/gzip"],
  ["7f454c46", "application/x-elf"],
  ["0061736d", "application/wasm"],
  ["774f4632", "font/woff2"],
  ["774f4646", "font/woff"],
  ["00000100", "image/x-icon"],
  ["cafebabe", "application/java-vm"],
  ["53514c69746520666f726d61742033", "application/vnd.sqlite3"],
];

/** With the first bytes of a binary file, its name counts for nothing: a PNG by name may be anything. */
export function mimeTypeOf(path: string, head?: Buffer): string {
  if (head) return signatureType(head);
  const number = languageOfPath(path);
  if (number < 0) return "text/plain";
  const name = languageName(number);
  return BY_LANGUAGE[name] ?? `text/x-${name}`;
}

function signatureType(head: Buffer): string {
  const hex = head.subarray(0, 16).toString("hex");
  if (hex.startsWith("52494646") && head.subarray(8, 12).toString("latin1") === "WEBP") return "image/webp";
  return BY_SIGNATURE.find(([signature]) => hex.startsWith(signature))?.[1] ?? "application/octet-stream";
}
