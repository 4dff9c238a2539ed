/** Lists and reads the resources of a definition; its provider decides what there is and pages its own list. */
import type { ReadResourceResult, Server } from "@modelcontextprotocol/server";
import { asProtocolError } from "./protocol-error.ts";
import type { ResourceProvider } from "./resource.ts";
import { refuseCursor } from "./serve-tools.ts";

export function serveResources(server: Server, resources: ResourceProvider): void {
  server.setRequestHandler("resources/list", async (request, context) => {
    const cursor = request.params?.cursor;
    try {
      const page = await resources.list({
        ...(cursor !== undefined && { cursor }),
        signal: context.mcpReq.signal,
      });
      return {
        resources: [...page.resources],
        ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
      };
    } catch (error) {
      throw asProtocolError(error);
    }
  });
  server.setRequestHandler("resources/templates/list", (request) => {
    refuseCursor(request.params?.cursor);
    return { resourceTemplates: [...(resources.templates ?? [])] };
  });
  server.setRequestHandler("resources/read", async (request, context): Promise<ReadResourceResult> => {
    const { uri } = request.params;
    try {
      return { contents: [...(await resources.read(uri, { signal: context.mcpReq.signal }))] };
    } catch (error) {
      throw asProtocolError(error, uri);
    }
  });
}
