import type { Database, DatabaseUsage } from "#db/client";
import type { Clock } from "./dates/dates";
import type { KnownZones } from "./dates/time-zone";
import type { Env } from "./env";
import type { Logger } from "./log";
import type { Toast } from "./pages/toast";
import type { Cookies } from "./request/cookies.server";
import type { SessionClaim, Viewer } from "./session/viewer";

/** What the Worker entry prepares for one request; Remix hands it to every loader and action as `context`. */
export interface RequestContext {
  env: Env;
  db: Database;
  usage: DatabaseUsage;
  log: Logger;
  cookies: Cookies;
  requestId: string;
  /** Where this site is, for links in e-mails and shared pages: no slash at the end. */
  origin: string;
  /** The moment the request came in: one "now" for everything it decides. */
  now: Date;
  /** The address the request came from, for rate limits. */
  ip: string;
  /** Roughly where the visitor is, as the edge tells it ("Berlin, DE"); null where it doesn't. */
  place: string | null;
  /** What the browser calls itself, cut to 200 characters. */
  userAgent: string | null;
  /** The visitor's time zone as the browser says it, and as the edge guesses it. */
  zones: Omit<KnownZones, "profile">;
  /** The reader's clock, which says every date of the page. Asks who is signed in, as `viewer()` does. */
  clock(): Promise<Clock>;
  /** The Content-Security-Policy nonce of this response. */
  nonce: string;
  /** A fetch ahead of a navigation that may never happen: it must change nothing. */
  isPrefetch: boolean;
  /** The signed-in player as the cookie claims; proven only by `viewer()`. */
  claim: SessionClaim | null;
  /** Checks the session in the database (once per request) and answers who is signed in. */
  viewer(): Promise<Viewer | null>;
  /** Tells `viewer()` that the session ended during this request. */
  endSession(): void;
  /** Does something after the response is on its way; its failure is logged. */
  defer(work: () => Promise<unknown>): void;
  deferred: (() => Promise<unknown>)[];
  /** What this request's action has to say in a toast, for the page that is rendered in the same response. */
  toast: Toast | null;
  /** Seconds after which a refused request may come again: the `Retry-After` header. */
  retryAfter: number | null;
  /** The form that was posted, kept so that a page can offer it again when the database was away. */
  submitted: FormData | null;
  /** The form held a file that was too large: it was dropped, and with it all other fields. */
  isTooLarge: boolean;
}

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {}
}
