import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { readTheme } from "~/platform/pages/theme.server";
import { NonceContext, SubmittedContext, ThemeContext } from "~/ui/page/request-contexts";

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
        <ThemeContext.Provider value={readTheme(context)}>
          <RemixServer context={remixContext} url={request.url} nonce={context.nonce} />
        </ThemeContext.Provider>
      </SubmittedContext.Provider>
    </NonceContext.Provider>,
    {
      nonce: context.nonce,
      signal: request.signal,
      onError(error) {
        // Whoever went away meanwhile has no page that could have failed.
        if (request.signal.aborted) return;
        context.log.error("Rendering failed", error);
        statusCode = 500;
      },
    },
  );
  if (isbot(request.headers.get("User-Agent"))) await body.allReady;
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(body, { headers, status: statusCode });
}

/** Logs what a loader or an action did not expect; a client that went away is nothing to log. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (request.signal.aborted) return;
  // An unknown address is logged by its own page.
  if (error instanceof Error)
    context.log.error("A loader or an action failed", error, { path: new URL(request.url).pathname });
}
