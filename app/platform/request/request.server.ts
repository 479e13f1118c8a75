import type { RequestContext } from "../context";
import { adoptFormZone } from "../dates/clock.server";
import { type Env, parseEnv, signInOrigins } from "../env";
import { humanCheckOrigin } from "../forms/human-check.server";
import { reportUnknownLimits } from "../limits/limits.server";
import { createLogger } from "../log";
import { type BodyLimit, readLimitedBody } from "./body";
import { createContext } from "./create-context.server";
import { isApi, isOriginAllowed } from "./origin";
import { plainAnswer } from "./plain-answer";
import { securityHeaders } from "./security-headers";

const kB = 1024;
const MB = 1024 * kB;
/** The limits of a form; all of ours are far smaller. */
const FORM_LIMIT: BodyLimit = { limit: 128 * kB, maxRead: 4 * MB };
/**
 * The limits of a file with its form. A much larger upload is still read to its end, so that its sender gets a
 * response.
 */
const UPLOAD_LIMIT: BodyLimit = { limit: MB + 16 * kB, maxRead: 100 * MB };
/** The addresses that accept files, as pages and as data requests. */
const UPLOADS = /^\/dashboard\/profile\/picture(?:\.data)?$/;
/**
 * The most fields in a form, more than any of ours has: the largest sends one per team. Reading a form takes more than
 * linear time.
 */
const MAX_FIELDS = 1_000;
/** Matches more slashes in a row than any link has. Matching them against Remix's patterns takes quadratic time. */
const SLASHES = /\/{16}/;
const METHODS = ["GET", "HEAD", "POST"];
/** Matches all our field names, and the one that mail programs send (RFC 8058). */
const FIELD_NAME = /^(?:[a-z]\w{0,40}|List-Unsubscribe)$/i;
const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
/** Seconds after which a client may retry after a 503, such as while the database is unavailable. */
const RETRY_AFTER = 5;

/** The function that answers a prepared request: Remix's handler, or the entry to the rooms. */
type RequestHandler = (request: Request, context: RequestContext) => Promise<Response>;

/**
 * Handles everything around Remix for one request: redirects or refuses requests for other hosts, reads the session
 * cookie, refuses foreign origins and oversized bodies, opens the database client, sets the headers of the response and
 * writes the log line.
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
  let env: Env | undefined;
  let wrongHostAnswer: Response | null = null;
  let context: RequestContext | undefined;
  let response: Response;
  try {
    env = parseEnv(bindings);
    reportUnknownLimits(env, log);
    wrongHostAnswer = answerWrongHost(request, url, env);
    if (wrongHostAnswer) throw wrongHostAnswer;
    context = createContext(request, env, { requestId, nonce, log, started });
    // The body is read even if the response doesn't need it, because workerd closes the connection over an unread body.
    const isUpload = UPLOADS.test(url.pathname) && context.claim !== null;
    const body = await readLimitedBody(request, isUpload ? UPLOAD_LIMIT : FORM_LIMIT).catch((error: unknown) => {
      // The connection broke, or the chunks are malformed: not our fault.
      log.warn("A request body is incomplete", { path: url.pathname, error: String(error) });
      throw incompleteForm(request);
    });
    if (body === null && !isUpload)
      throw plainAnswer(request, 413, "That's more than any form on Lineup can take, so nothing was changed.");
    response = refuse(request, context) ?? (await handler(await prepare(request, body, context), context));
  } catch (error) {
    if (error instanceof Response) {
      response = error;
    } else {
      log.error("The request failed outside of Remix", error, { path: url.pathname });
      response = plainAnswer(request, 500, "Something went wrong on our side. Please try again.");
    }
  }

  const runDeferred = (work: () => Promise<unknown>) =>
    execution.waitUntil(work().catch((error: unknown) => log.error("Deferred work failed", error)));
  if (context) {
    // Deferred work may defer more work.
    context.defer = runDeferred;
    for (const work of context.deferred) runDeferred(work);
  }

  log.info("request", {
    method: request.method,
    path: url.pathname,
    host: wrongHostAnswer ? url.host : undefined,
    status: response.status,
    duration: Date.now() - started,
    dbDuration: context?.usage.duration,
    dbStatements: context?.usage.statements,
    dbRoundTrips: context?.usage.roundTrips,
    claimedUser: context?.claim?.userId,
    country: request.headers.get("CF-IPCountry"),
  });
  return finish(response, { url, env, context, requestId, nonce });
}

interface ResponseParts {
  url: URL;
  /** Undefined if a setting is missing or wrong. */
  env: Env | undefined;
  /** Undefined if the request was answered before it had one. */
  context: RequestContext | undefined;
  requestId: string;
  nonce: string;
}

/** Adds the headers that every response has: cookies, security, caching, and after a 503 when to retry. */
function finish(response: Response, { url, env, context, requestId, nonce }: ResponseParts): Response {
  const headers = new Headers(response.headers);
  context?.cookies.apply(headers);
  const local = env?.LOCAL_TOOLS ?? false;
  const formTargets = context ? signInOrigins(context.env) : [];
  const checkedBy = context && humanCheckOrigin(context.env);
  const security = securityHeaders({ nonce, local, formTargets, ...(checkedBy && { checkedBy }) });
  for (const [name, value] of Object.entries(security)) {
    // Responses that aren't pages set a stricter policy of their own.
    if (!headers.has(name)) headers.set(name, value);
  }
  headers.set("X-Request-Id", requestId);
  if (context?.retryAfter) headers.set("Retry-After", String(context.retryAfter));
  if (response.status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", String(RETRY_AFTER));
  if (!headers.has("Cache-Control")) {
    // A prefetched response may be reused for the click, in this browser and for this player only.
    const isReusablePrefetch = context?.isPrefetch && context.isReusable && response.status === 200;
    headers.set("Cache-Control", isReusablePrefetch ? "private, max-age=10" : "private, no-store");
    if (isReusablePrefetch) headers.append("Vary", "Cookie");
  }
  // On /auth, this header would reveal which email addresses have accounts.
  if (context && !/^\/auth(?![\w-])/i.test(decodePath(url.pathname))) {
    const { duration, statements, roundTrips } = context.usage;
    headers.set("Server-Timing", `db;dur=${duration};desc="${statements} statements, ${roundTrips} round trips"`);
  }
  const { body, status, statusText, webSocket } = response;
  return new Response(body, { status, statusText, headers, webSocket });
}

/**
 * Answers a request that reached the Worker through a host other than the site's, or over http. Cookies, links and
 * origin checks all rely on one origin.
 * @returns a redirect for a page, a refusal for anything else; null if the request is for the site's own origin
 */
function answerWrongHost(request: Request, { origin, pathname, search }: URL, { APP_ORIGIN }: Env): Response | null {
  if (!APP_ORIGIN || origin === APP_ORIGIN) return null;
  if (request.method !== "GET" && request.method !== "HEAD") {
    return plainAnswer(request, 421, `Lineup is at ${APP_ORIGIN}, so nothing was changed here.`);
  }
  // Cached for only an hour, because browsers would keep the redirect even if the site moved.
  const headers = { Location: APP_ORIGIN + pathname + search, "Cache-Control": "public, max-age=3600" };
  return new Response(null, { status: 308, headers });
}

/** Returns the response that refuses a request; null if the request is acceptable. */
function refuse(request: Request, { log, origin }: RequestContext): Response | null {
  const { pathname, searchParams } = new URL(request.url);
  if (!METHODS.includes(request.method)) {
    return plainAnswer(request, 405, "This address only takes GET and POST.", { Allow: METHODS.join(", ") });
  }
  if (!isOriginAllowed(request, origin)) {
    log.warn("Refused a request from another origin", { path: pathname });
    return plainAnswer(request, 403, "This request didn't come from a page on Lineup, so nothing was changed.");
  }
  const isForm = FORM_TYPES.test(request.headers.get("Content-Type") ?? "");
  if (request.method === "POST" && !isApi(request) && !isForm) {
    return plainAnswer(request, 415, "This address only takes forms, so nothing was changed.");
  }
  if (SLASHES.test(pathname)) return plainAnswer(request, 404, "There's nothing here.");
  // The data requests that Remix made before single fetch, which now fail inside Remix.
  if (searchParams.has("_data")) return plainAnswer(request, 400, "There's nothing at this address.");
  return null;
}

/**
 * Builds the request for Remix. The form is read here, so that it can be offered again if the database is unavailable.
 * @throws Response 400 if the body is not a form
 */
async function prepare(
  request: Request,
  body: Uint8Array<ArrayBuffer> | null,
  context: RequestContext,
): Promise<Request> {
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  // Remix would compare `Origin` with the host again, but knows none of our exceptions, and forged headers could make
  // every form fail. `isOriginAllowed` has already checked it.
  if (headers.get("Origin") !== context.origin) headers.delete("Origin");
  headers.delete("X-Forwarded-Host");
  headers.set("Host", new URL(request.url).host);
  // In workerd, `Content-Length: 0` gives a GET a body, and Remix fails on it.
  if (method !== "POST") return request.body ? new Request(request.url, { method, headers, signal }) : request;
  if (body === null) {
    // The upload's own page reports the size, so its action gets an empty form.
    context.isTooLarge = true;
    headers.set("Content-Type", "application/x-www-form-urlencoded");
    headers.delete("Content-Length");
  }
  const init = { method, headers, body: body ?? "", signal };
  if (!isApi(request)) {
    context.submitted = await readForm(new Request(request.url, init), request);
    adoptFormZone(context.submitted, context);
  }
  return new Request(request.url, init);
}

async function readForm(copy: Request, request: Request): Promise<FormData> {
  const form = await copy.formData().catch(() => null);
  if (!form) throw incompleteForm(request);
  // conform interprets brackets, dots and `__intent__`, and a large enough index exhausts its memory.
  let fields = 0;
  for (const name of form.keys()) {
    fields += 1;
    if (fields > MAX_FIELDS || !FIELD_NAME.test(name)) {
      throw plainAnswer(request, 400, "This isn't one of Lineup's forms, so nothing was changed.");
    }
  }
  return form;
}

const incompleteForm = (request: Request): Response =>
  plainAnswer(request, 400, "This form didn't arrive in full. Go back and send it again.");

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
