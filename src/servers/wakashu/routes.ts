/** What HTTP adds to this server beside its MCP endpoint. The guard of the kit has passed before any of it. */
import type { HttpRoute } from "../kit/index.ts";
import { createPageRoute } from "./page-route.ts";
import { createPictureRoute } from "./picture-route.ts";
import { createPlainRoute } from "./plain-route.ts";
import type { WakashuParts } from "./server.ts";

export function createRoutes(parts: WakashuParts): HttpRoute {
  const routes = [createPlainRoute(parts), createPageRoute(parts), createPictureRoute(parts)];
  return async (request, response) => {
    for (const route of routes) if (await route(request, response)) return true;
    return false;
  };
}
