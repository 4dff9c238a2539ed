/** The media type of a file: by its first bytes where they tell, else by its name. No table of the whole world. */
import { extname } from "node:path";

/** Pictures that models can look at. */
export const VIEWABLE_IMAGES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

export function sniffType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString(
    "latin1",
  );
  return SIGNATURES.find(([pattern]) => pattern.test(start))?.[1];
}

/** For a listing, where nobody has looked inside. Undefined when the name says nothing. */
export function typeByName(path: string): string | undefined {
  return BY_EXTENSION[extname(path).toLowerCase()];
}

const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF[\s\S]{4}WEBP/, "image/webp"],
  [/^[\s\S]{4}ftyp(heic|heix|mif1)/, "image/heic"],
  [/^[\s\S]{4}ftypavif/, "image/avif"],
  [/^[\s\S]{4}ftyp/, "video/mp4"],
  [/^%PDF-/, "application/pdf"],
  [/^PK\x03\x04/, "application/zip"],
  [/^\x1f\x8b/, "application/gzip"],
  [/^\x7fELF/, "application/x-executable"],
  [/^\0asm/, "application/wasm"],
  [/^SQLite format 3\0/, "application/vnd.sqlite3"],
  [/^ID3[\x02-\x04]|^\xff\xfb/, "audio/mpeg"],
  [/^RIFF[\s\S]{4}WAVE/, "audio/wav"],
  [/^OggS/, "audio/ogg"],
];

const BY_EXTENSION: Readonly<Record<string, string>> = {
  ".txt": "text/plain",
  ".log": "text/plain",
  ".md": "text/markdown",
  ".html": "text/html",
  ".htm": "text/html",
  ".css": "text/css",
  ".csv": "text/csv",
  ".xml": "application/xml",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
  ".toml": "application/toml",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".cjs": "text/javascript",
  ".jsx": "text/javascript",
  ".ts": "text/x-typescript",
  ".mts": "text/x-typescript",
  ".tsx": "text/x-typescript",
  ".py": "text/x-python",
  ".rb": "text/x-ruby",
  ".go": "text/x-go",
  ".rs": "text/x-rust",
  ".java": "text/x-java",
  ".kt": "text/x-kotlin",
  ".c": "text/x-c",
  ".h": "text/x-c",
  ".cpp": "text/x-c++",
  ".hpp": "text/x-c++",
  ".cs": "text/x-csharp",
  ".php": "text/x-php",
  ".sh": "text/x-shellscript",
  ".sql": "application/sql",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
  ".zip": "application/zip",
  ".gz": "application/gzip",
  ".wasm": "application/wasm",
};
