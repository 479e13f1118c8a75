const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** The path of the JSON API, which other programs call too. */
const API = /^\/riot-api\//;

/**
 * The paths that accept a POST from outside our pages. The POST must come without a cookie, so that it has none of a
 * player's rights. `origins` is `none` for programs, which send no origin, and `any` where another site's page may send
 * the POST.
 */
const ORIGIN_EXCEPTIONS: readonly { path: RegExp; origins: "none" | "any"; why: string }[] = [
  { path: API, origins: "none", why: "Other programs look up Riot accounts." },
  {
    path: /^\/unsubscribe\/[\w.-]+$/,
    origins: "any",
    why: "Mail programs unsubscribe in one click (RFC 8058). The signed address names all that the POST can change.",
  },
];

/**
 * Whether a request's origin allows it to change data. Browsers send the page's origin with every POST, and it must be
 * ours. `Sec-Fetch-Site: same-origin` is as good if there is no origin. The table above has the exceptions.
 * @param own the site's origin
 */
export function isOriginAllowed(request: Request, own: string): boolean {
  if (SAFE_METHODS.has(request.method)) return true;
  const origin = request.headers.get("Origin");
  if (origin === own) return true;
  if (origin === null && request.headers.get("Sec-Fetch-Site") === "same-origin") return true;
  if (request.headers.get("Cookie") !== null) return false;
  const { pathname } = new URL(request.url);
  return ORIGIN_EXCEPTIONS.some(({ path, origins }) => path.test(pathname) && (origins === "any" || origin === null));
}

/** Whether a request is for the JSON API. */
export const isApi = (request: Request): boolean => API.test(new URL(request.url).pathname);

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
