/** Specification, section 5. */
export const MIN_PASSWORD_LENGTH = 6;
/** Enough for any passphrase, and a bound for the hash. */
export const MAX_PASSWORD_LENGTH = 200;

/**
 * Where to go after signing in: a path of ours only, so that nobody can send players elsewhere through our sign-in.
 * @returns the path, or null when there is none that may be used
 */
export function safeRedirect(to: string | null | undefined): string | null {
  if (!to || !/^\/(?![/\\])/.test(to) || /[\p{Cc}\\]/u.test(to)) return null;
  const url = new URL(to, "https://lineup.invalid");
  if (url.origin !== "https://lineup.invalid") return null;
  // Dot segments are gone only now: `/.//evil.example` has become `//evil.example`, another site's address.
  if (url.pathname.startsWith("//")) return null;
  // Back to a page of the sign-in itself would lead in circles.
  return /^\/auth(\/|$)/i.test(url.pathname) ? null : url.pathname + url.search;
}
