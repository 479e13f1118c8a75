import type { RequestContext } from "../context";

/**
 * Ends a request for an unknown address, and logs its path (specification, section 2).
 * @throws a 404 response, which the nearest error boundary turns into the page
 */
export function notFound({ log }: Pick<RequestContext, "log">, request: Request): never {
  log.warn("Page not found", { path: new URL(request.url).pathname });
  throw new Response("Not found", { status: 404 });
}
