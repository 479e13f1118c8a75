const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request may change something, judged by where it comes from: a browser names the page's origin on every
 * POST, and it must be ours. A request that names no origin comes from no page; it passes only where no cookie
 * speaks for it.
 */
export function isOriginAllowed(request: Request): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  const origin = request.headers.get("Origin");
  if (origin !== null) return origin === new URL(request.url).origin;
  if (request.headers.get("Sec-Fetch-Site") === "same-origin") return true;
  return request.headers.get("Cookie") === null && new URL(request.url).pathname.startsWith("/riot-api/");
}

/**
 * A path of ours to redirect to, out of a form or an address that anyone may have written: nobody sends players to
 * another site through us.
 * @returns path and query, or null when `to` is anything else
 */
export function ownPath(to: string | null | undefined): string | null {
  if (!to || !/^\/(?![/\\])/.test(to) || /[\p{Cc}\\]/u.test(to)) return null;
  const url = new URL(to, "https://lineup.invalid");
  if (url.origin !== "https://lineup.invalid") return null;
  // Dot segments are gone only now: `/.//evil.example` has become `//evil.example`, another site's address.
  return url.pathname.startsWith("//") ? null : url.pathname + url.search;
}
