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
