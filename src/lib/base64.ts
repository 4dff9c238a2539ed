/** base64 as strangers write it: line breaks and missing padding are common and harmless; all else is not base64. */
export function cleanBase64(data: string): string | undefined {
  const compact = /\s/.test(data) ? data.replace(/\s+/g, "") : data;
  const padded = compact.length % 4 === 0 ? compact : compact.padEnd(Math.ceil(compact.length / 4) * 4, "=");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(padded) ? padded : undefined;
}
