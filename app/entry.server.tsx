import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { buildEarlyHints } from "~/platform/pages/early-hints.server";
import { statusOf } from "~/platform/pages/page-meta";
import { readTheme } from "~/platform/pages/theme.server";
import { isTooDeep } from "~/platform/request/manifest.server";
import { keepForm } from "~/ui/page/kept-form";
import { KeptFormContext, NonceContext, SubmittedContext, ThemeContext } from "~/ui/page/request-contexts";

export default async function handleDocumentRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
) {
  let statusCode = status;
  const body = await renderToReadableStream(
    <NonceContext.Provider value={context.nonce}>
      <SubmittedContext.Provider value={context.submitted}>
        <KeptFormContext.Provider value={keptForm(remixContext, context)}>
          <ThemeContext.Provider value={readTheme(context)}>
            <RemixServer context={withBoundedWork(remixContext, request)} url={request.url} nonce={context.nonce} />
          </ThemeContext.Provider>
        </KeptFormContext.Provider>
      </SubmittedContext.Provider>
    </NonceContext.Provider>,
    {
      nonce: context.nonce,
      signal: request.signal,
      onError(error) {
        // Not an error if the visitor has left in the meantime.
        if (request.signal.aborted) return;
        context.log.error("Rendering failed", error);
        statusCode = 500;
      },
    },
  );
  if (isbot(request.headers.get("User-Agent"))) await body.allReady;
  headers.set("Content-Type", "text/html; charset=utf-8");
  const hints = statusCode === 200 ? buildEarlyHints(remixContext) : null;
  if (hints) headers.set("Link", hints);
  return new Response(body, { headers, status: statusCode });
}

/**
 * For a path deeper than any of our routes, makes the page refer to the file that lists all routes. Otherwise Remix
 * would write the routes of each parent path into the page, which takes a millisecond per segment.
 */
function withBoundedWork(remixContext: EntryContext, request: Request): EntryContext {
  if (!isTooDeep(new URL(request.url).pathname)) return remixContext;
  const { future, serverHandoffString = "" } = remixContext;
  return {
    ...remixContext,
    future: { ...future, v3_lazyRouteDiscovery: false },
    // The browser must render the same page as the server.
    serverHandoffString: serverHandoffString.replace(/"v3_lazyRouteDiscovery":true/, '"v3_lazyRouteDiscovery":false'),
  };
}

/** The submitted form, if one of the page's errors is a reason to keep it. */
function keptForm({ staticHandlerContext }: EntryContext, { submitted }: AppLoadContext) {
  if (!submitted) return null;
  for (const error of Object.values(staticHandlerContext.errors ?? {})) {
    const kept = keepForm(statusOf(error), submitted);
    if (kept) return kept;
  }
  return null;
}

/** Logs an unexpected error of a loader or an action, unless the client has disconnected. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (request.signal.aborted) return;
  // The page for unknown paths logs its own errors.
  if (error instanceof Error)
    context.log.error("A loader or an action failed", error, { path: new URL(request.url).pathname });
}
