import { ownPath } from "~/platform/request/origin";
import type { AuthFailure } from "./failure";

/** Specification, section 5. */
export const MIN_PASSWORD_LENGTH = 6;
/** Enough for any passphrase; limits the work of hashing. */
export const MAX_PASSWORD_LENGTH = 200;

/**
 * Checks where a player wants to go after signing in: it must be a path on this site, and not a sign-in page, which
 * would cause a loop.
 * @returns the path, or null if it can't be used
 */
export function safeRedirect(to: string | null | undefined): string | null {
  const path = ownPath(to);
  return path && !/^\/auth([/?]|$)/i.test(path) ? path : null;
}

/** Returns the path in a request's `redirectTo` parameter; null if it is missing or not allowed. */
export const readRedirectTo = (request: Request): string | null =>
  safeRedirect(new URL(request.url).searchParams.get("redirectTo"));

/** The path of the page where a new player confirms their email address: by link, or by a typed code. */
export const CONFIRM_ADDRESS = "/auth/confirm";

/** Builds the URL of a page in the account flows, with `params` and `redirectTo` (where the player goes afterwards). */
export function authAddress(path: string, redirectTo: string | null, params: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...params, ...(redirectTo && { redirectTo }) });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The error for an invalid code, whatever the reason: naming the reason would help attackers. */
export const CODE_REFUSED = {
  ok: false,
  status: 400,
  field: "code",
  error: "That code is wrong, used or too old. After five wrong tries, ask for a new one.",
} satisfies AuthFailure;

/** The error for an invalid link. */
export const LINK_REFUSED = {
  ok: false,
  status: 400,
  error: "This link is too old or has been used. Ask for a new one.",
} satisfies AuthFailure;
