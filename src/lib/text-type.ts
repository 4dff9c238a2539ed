/** Which media types are text, however it is packed. By the type alone: the bytes are somebody else's to look at. */
export function isTextType(mimeType: string | undefined): boolean {
  const bare = (mimeType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^text\/|[/+](json|xml|x?yaml|javascript|typescript|toml|csv|sql|x-sh|x-ndjson)$/.test(bare);
}
