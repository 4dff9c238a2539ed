/** What HTTP adds to this server beside its MCP endpoint. The guard of the kit has passed before any of it. */
import type { HttpRoute } from "../kit/index.ts";
import { createPageRoute } from "./page-route.ts";
import { createPictureRoute, PICTURE_PATH } from "./picture-route.ts";
import { createPlainRoute } from "./plain-route.ts";
import type { WakashuParts } from "./server.ts";

export function createRoutes(parts: WakashuParts): HttpRoute {
  const plain = createPlainRoute(parts);
  const page = createPageRoute(parts);
  const picture = createPictureRoute(parts);
  return (request, response) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const reads = request.method === "GET" || request.method === "HEAD";
    if (path === "/" && request.method === "POST") return plain(request, response);
    if (path === "/" && reads) return page(request, response);
    if (path.startsWith(PICTURE_PATH) && reads) return picture(request, response);
    return false;
  };
}
