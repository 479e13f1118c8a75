import { ownPath } from "~/platform/request/origin";
import type { AuthFailure } from "./failure";

/** Specification, section 5. */
export const MIN_PASSWORD_LENGTH = 6;
/** Enough for any passphrase, and a bound for the hash. */
export const MAX_PASSWORD_LENGTH = 200;

/**
 * Where to go after signing in: a path of ours only, and no page of the sign-in itself, which would lead in circles.
 * @returns the path, or null when there is none that may be used
 */
export function safeRedirect(to: string | null | undefined): string | null {
  const path = ownPath(to);
  return path && !/^\/auth([/?]|$)/i.test(path) ? path : null;
}

/** Where a new player's address is confirmed: by link, or by the code that is typed in there. */
export const CONFIRM_ADDRESS = "/auth/confirm";

/** An address of the account flows, with `redirectTo` (where the player goes afterwards) carried along. */
export function authAddress(path: string, redirectTo: string | null, params: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...params, ...(redirectTo && { redirectTo }) });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** What is said of a code that proves nothing, whichever the reason: telling them apart would help those who guess. */
export const CODE_REFUSED = {
  ok: false,
  status: 400,
  field: "code",
  error: "This code is wrong, too old or used. After five wrong ones, ask for a new one.",
} satisfies AuthFailure;

/** The same of a link. */
export const LINK_REFUSED = {
  ok: false,
  status: 400,
  error: "This link is too old or used. Ask for a new one.",
} satisfies AuthFailure;
