import { openDatabase } from "#db/client";
import type { RequestContext } from "../context";
import { findClock, readZones } from "../dates/clock.server";
import type { Clock } from "../dates/dates";
import type { Env } from "../env";
import { findRestrictedViewer } from "../session/check.server";
import { readSessionCookie } from "../session/claim.server";
import type { RestrictedViewer } from "../session/viewer";
import { Cookies } from "./cookies.server";
import { networkOf } from "./ip";

interface ContextParts {
  requestId: string;
  nonce: string;
  log: RequestContext["log"];
  started: number;
}

/** Creates the context of one request, which opens the database client and reads the session cookie. */
export function createContext(
  request: Request,
  env: Env,
  { requestId, nonce, log, started }: ContextParts,
): RequestContext {
  const { db, usage } = openDatabase({ url: env.LIBSQL_URL, authToken: env.LIBSQL_AUTH_TOKEN });
  const now = new Date(started);
  const cookies = new Cookies(request, { isSecure: !env.LOCAL_TOOLS });
  let player: Promise<RestrictedViewer | null> | undefined;
  let clock: Promise<Clock> | undefined;
  const context: RequestContext = {
    env,
    db,
    usage,
    log,
    cookies,
    requestId,
    nonce,
    origin: env.APP_ORIGIN ?? new URL(request.url).origin,
    now,
    ip: networkOf(request.headers.get("CF-Connecting-IP") ?? "local"),
    place: [request.cf?.city, request.cf?.country].filter(Boolean).join(", ") || null,
    userAgent: request.headers.get("User-Agent")?.slice(0, 200) ?? null,
    zones: readZones(request, { cookies }),
    clock() {
      clock ??= findClock(request, context);
      return clock;
    },
    isPrefetch: /prefetch/.test(request.headers.get("Sec-Purpose") ?? request.headers.get("Purpose") ?? ""),
    isReusable: true,
    isDocument: !new URL(request.url).pathname.endsWith(".data"),
    claim: readSessionCookie({ cookies, env }),
    async viewer() {
      const found = await context.restrictedViewer();
      return found?.isSuspended ? null : found;
    },
    restrictedViewer() {
      player ??= context.claim ? findRestrictedViewer(context, context.claim) : Promise.resolve(null);
      return player;
    },
    endSession() {
      player = Promise.resolve(null);
    },
    deferred: [],
    defer(work) {
      context.deferred.push(work);
    },
    toast: null,
    retryAfter: null,
    submitted: null,
    isTooLarge: false,
  };
  return context;
}
