const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request may change anything, judged by its origin: browsers send the page's origin with every POST, and it
 * must be ours. A request without an origin comes from no page; it passes only without a session cookie.
 * @param own the site's origin
 */
export function isOriginAllowed(request: Request, own: string): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  const origin = request.headers.get("Origin");
  if (origin !== null) return origin === own;
  if (request.headers.get("Sec-Fetch-Site") === "same-origin") return true;
  return request.headers.get("Cookie") === null && isApi(request);
}

/** Whether a request is for the JSON API, which other programs call too. */
export const isApi = (request: Request): boolean => new URL(request.url).pathname.startsWith("/riot-api/");

/**
 * Accepts a redirect target from a form or a query string only if it is a path of this site, so that we never send
 * players to another site.
 * @returns path and query, or null for any other target
 */
export function ownPath(to: string | null | undefined): string | null {
  if (!to || !/^\/(?![/\\])/.test(to) || /[\p{Cc}\\]/u.test(to)) return null;
  const url = new URL(to, "https://lineup.invalid");
  if (url.origin !== "https://lineup.invalid") return null;
  // `new URL` has resolved dot segments by now: `/.//evil.example` has become `//evil.example`, another site's URL.
  return url.pathname.startsWith("//") ? null : url.pathname + url.search;
}
