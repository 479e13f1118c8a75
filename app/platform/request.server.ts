import type { ServerBuild } from "@remix-run/cloudflare";
import { openDatabase } from "#db/client";
import { readLimitedBody } from "./body";
import type { RequestContext } from "./context";
import { Cookies } from "./cookies.server";
import { isDatabaseUnavailable } from "./database";
import { parseEnv } from "./env";
import { createLogger } from "./log";
import { isOriginAllowed } from "./origin";
import { securityHeaders } from "./security-headers";
import { findViewer, readSessionCookie, type Viewer } from "./session.server";

/** No form of ours comes near this many bytes. */
const BODY_LIMIT = 128 * 1024;
/** Seconds after which a client may try again when the database is away. */
const RETRY_AFTER = "5";

/** What answers a prepared request: Remix. */
export type RequestHandler = (request: Request, context: RequestContext) => Promise<Response>;

/**
 * Everything around Remix for one request: reads the session cookie, refuses foreign origins and oversized bodies,
 * opens the database client, and gives the answer its headers and the log its line.
 */
export async function handleRequest(
  request: Request,
  bindings: object,
  execution: ExecutionContext,
  handler: RequestHandler,
): Promise<Response> {
  const started = Date.now();
  const requestId = request.headers.get("cf-ray") ?? crypto.randomUUID();
  const url = new URL(request.url);
  const log = createLogger({ requestId });
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const secure = url.protocol === "https:";
  let context: RequestContext | undefined;
  let response: Response;
  try {
    const env = parseEnv(bindings);
    if (!isOriginAllowed(request)) {
      log.warn("Refused a request from another origin", { path: url.pathname });
      response = plainText(403, "This request did not come from a page of Lineup, so nothing was changed.");
    } else {
      const isForm =
        request.method === "POST" &&
        request.headers.get("Content-Type")?.startsWith("application/x-www-form-urlencoded");
      const body = request.body ? await readLimitedBody(request, BODY_LIMIT) : undefined;
      if (body === null) {
        response = plainText(413, "That is more than any form of Lineup holds. Nothing was changed.");
      } else {
        context = createContext(request, env, execution, { requestId, nonce, log, started });
        if (isForm && body) context.submitted = new URLSearchParams(body);
        response = await handler(body === undefined ? request : new Request(request, { body }), context);
      }
    }
  } catch (error) {
    log.error("The request failed outside of Remix", error, { path: url.pathname });
    response = plainText(500, "Something went wrong on our side. Please try again.");
  }

  const headers = new Headers(response.headers);
  context?.cookies.apply(headers);
  const local = context?.env.LOCAL_TOOLS ?? false;
  for (const [name, value] of Object.entries(securityHeaders({ nonce, secure, local }))) headers.set(name, value);
  headers.set("X-Request-Id", requestId);
  if (response.status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", RETRY_AFTER);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  // On /auth the figures would tell known e-mail addresses from unknown ones.
  if (context && !url.pathname.startsWith("/auth")) {
    const { duration, statements, roundTrips } = context.usage;
    headers.set("Server-Timing", `db;dur=${duration};desc="${statements} statements, ${roundTrips} round trips"`);
  }
  log.info("request", {
    method: request.method,
    path: url.pathname,
    status: response.status,
    duration: Date.now() - started,
    dbDuration: context?.usage.duration,
    dbStatements: context?.usage.statements,
    dbRoundTrips: context?.usage.roundTrips,
    claimedUser: context?.claim?.userId,
    country: request.headers.get("CF-IPCountry"),
  });
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

interface ContextParts {
  requestId: string;
  nonce: string;
  log: RequestContext["log"];
  started: number;
}

function createContext(
  request: Request,
  env: RequestContext["env"],
  execution: ExecutionContext,
  { requestId, nonce, log, started }: ContextParts,
): RequestContext {
  const { db, usage } = openDatabase({ url: env.LIBSQL_URL, authToken: env.LIBSQL_AUTH_TOKEN });
  const cookies = new Cookies(request);
  let viewer: Promise<Viewer | null> | undefined;
  const context: RequestContext = {
    env,
    db,
    usage,
    log,
    cookies,
    requestId,
    nonce,
    origin: env.APP_ORIGIN?.replace(/\/$/, "") ?? new URL(request.url).origin,
    now: new Date(started),
    ip: request.headers.get("CF-Connecting-IP") ?? "local",
    timeZone: (request.cf?.timezone as string | undefined) ?? "UTC",
    isPrefetch: /prefetch/.test(request.headers.get("Sec-Purpose") ?? request.headers.get("Purpose") ?? ""),
    claim: readSessionCookie({ cookies, env }),
    viewer() {
      viewer ??= context.claim ? findViewer(context, context.claim) : Promise.resolve(null);
      return viewer;
    },
    endSession() {
      viewer = Promise.resolve(null);
    },
    defer: (work) =>
      execution.waitUntil(work.catch((error: unknown) => log.error("Work after the response failed", error))),
    toast: null,
    submitted: null,
  };
  return context;
}

function plainText(status: number, text: string): Response {
  return new Response(text, { status, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}

/**
 * Makes every loader and action of a build answer 503 when the database is away, so that no route has to think of it:
 * the thrown response reaches the root's error boundary, which says so.
 */
export function withDatabaseErrors(build: ServerBuild): ServerBuild {
  const guard = <F extends ((args: never) => unknown) | undefined>(handler: F): F =>
    (handler &&
      (async (args: never) => {
        try {
          return await handler(args);
        } catch (error) {
          if (!isDatabaseUnavailable(error)) throw error;
          (args as { context: RequestContext }).context.log.error("The database is away", error);
          throw new Response("The database is away", { status: 503, headers: { "Retry-After": RETRY_AFTER } });
        }
      })) as F;
  const routes = Object.fromEntries(
    Object.entries(build.routes).map(([id, route]) => [
      id,
      route && {
        ...route,
        module: { ...route.module, loader: guard(route.module.loader), action: guard(route.module.action) },
      },
    ]),
  );
  return { ...build, routes };
}
