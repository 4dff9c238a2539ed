/** The protocol revisions of the modern era that these servers speak. Legacy ones are negotiated by the SDK. */
export const SUPPORTED_MODERN_REVISIONS: readonly string[] = ["2026-07-28"];

/** Where each modern request names its revision, in `_meta`. */
export const PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
