/** Comma-separated values as of RFC 4180, with a header line; lines end with CRLF. */
export function toCsv(rows: readonly object[]): string {
  const header = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => {
    const values: Readonly<Record<string, unknown>> = { ...row };
    return header.map((key) => field(values[key])).join(",");
  });
  return `${[header.join(","), ...lines].join("\r\n")}\r\n`;
}

function field(value: unknown): string {
  const text = value === undefined || value === null ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
