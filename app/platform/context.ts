import type { Database, DatabaseUsage } from "#db/client";
import type { Clock } from "./dates/dates";
import type { KnownZones } from "./dates/time-zone";
import type { Env } from "./env";
import type { Logger } from "./log";
import type { Toast } from "./pages/toast";
import type { Cookies } from "./request/cookies.server";
import type { RestrictedViewer, SessionClaim, Viewer } from "./session/viewer";

/** The state that the Worker prepares for one request; Remix passes it to every loader and action as `context`. */
export interface RequestContext {
  env: Env;
  db: Database;
  usage: DatabaseUsage;
  log: Logger;
  cookies: Cookies;
  requestId: string;
  /** The origin of this site, for links in emails and shared pages; without a trailing slash. */
  origin: string;
  /** The time when the request arrived, which all its decisions use as "now". */
  now: Date;
  /** The client's IPv4 address, or the /64 network of its IPv6 address (`networkOf`), for rate limits. */
  ip: string;
  /** The visitor's approximate place as Cloudflare reports it ("Berlin, DE"); null if it doesn't. */
  place: string | null;
  /** The `User-Agent` header, cut to 200 characters. */
  userAgent: string | null;
  /** The visitor's time zone according to the browser, and according to Cloudflare. */
  zones: Omit<KnownZones, "profile">;
  /** Returns the reader's clock, which formats every date of the page. Checks the session, as `viewer()` does. */
  clock(): Promise<Clock>;
  /** The Content-Security-Policy nonce of this response. */
  nonce: string;
  /** Whether this is a prefetch for a navigation that may never happen. A prefetch must not change anything. */
  isPrefetch: boolean;
  /** Whether the browser may keep the response to this prefetch for the navigation. */
  isReusable: boolean;
  /** Whether the browser is loading a whole page; false for the data requests of Remix's script. */
  isDocument: boolean;
  /** The signed-in player according to the cookie, which only `viewer()` verifies. */
  claim: SessionClaim | null;
  /** Checks the session in the database (once per request) and returns the signed-in player. */
  viewer(): Promise<Viewer | null>;
  /**
   * Returns the player of the session even if the account is suspended. Only the pages that a suspended player may open
   * may act for one: moderators' decisions, export, deletion, and `/auth/reauthenticate`. Shares the check of
   * `viewer()`.
   */
  restrictedViewer(): Promise<RestrictedViewer | null>;
  /** Tells `viewer()` that the session ended during this request. */
  endSession(): void;
  /** Runs work after the response has been sent; logs its failure. */
  defer(work: () => Promise<unknown>): void;
  deferred: (() => Promise<unknown>)[];
  /** The toast of this request's action, for the page rendered in the same response. */
  toast: Toast | null;
  /** The `Retry-After` header: the seconds after which a refused request may be repeated. */
  retryAfter: number | null;
  /**
   * The posted form, for the page rendered in response to it. An error page offers it again if it was refused
   * (`keepForm`).
   */
  submitted: FormData | null;
  /** Whether a file in the form was too large. If so, the form was dropped with all its fields. */
  isTooLarge: boolean;
}

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {}
}
