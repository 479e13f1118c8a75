import { ownPath } from "~/platform/origin";

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
