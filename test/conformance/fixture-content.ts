/** The smallest picture and sound that are valid, and the texts the conformance suite expects. */
export const RED_PIXEL_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
export const SILENT_WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

export const PICTURE = { type: "image" as const, data: RED_PIXEL_PNG, mimeType: "image/png" };
export const SOUND = { type: "audio" as const, data: SILENT_WAV, mimeType: "audio/wav" };
