import type { ServerBuild } from "@remix-run/cloudflare";

/*
 * Remix tells browsers about routes as links to them appear, through `/__manifest`. Remix's own response matches each
 * path and each of its parents against all routes again, so one request could keep the Worker busy for 13 seconds
 * (docs/decisions/0056-staying-on-remix-2.md). This one takes microseconds per path.
 */

/** The longest URL that Remix requests in the browser and answers on the server. */
const URL_LIMIT = 7680;
/** The most paths in one response, parents included. URLs up to `URL_LIMIT` hold at most 150 links to pages of ours. */
const MAX_PATHS = 400;
/** The most segments of any path that is answered; all of ours have fewer. */
const MAX_SEGMENTS = 12;

type Manifest = ServerBuild["assets"];

/** Whether a path has more segments than any page of ours. Remix's work on a page grows with their number. */
export const isTooDeep = (path: string): boolean => path.split("/", MAX_SEGMENTS + 2).length > MAX_SEGMENTS + 1;

/**
 * Creates the function that answers `/__manifest` as Remix does: with the routes that match the paths `p` or a parent
 * of one of them, and with their layouts. Where several routes match, it names all of them instead of only the best
 * one, which does no harm.
 * @returns a function that returns null for any other request
 */
export function createManifestResponder({ routes, version }: Manifest): (request: Request) => Response | null {
  let patterns: RoutePattern[] | undefined;
  return (request) => {
    const url = new URL(request.url);
    if (url.pathname !== "/__manifest") return null;
    if (url.searchParams.get("version") !== version) {
      // The page is older than this Worker, so its next page must load as a document.
      return new Response(null, { status: 204, headers: { "X-Remix-Reload-Document": "true" } });
    }
    const paths = url.href.length <= URL_LIMIT && withParents(url.searchParams.getAll("p"));
    if (!paths) return new Response("Invalid Request", { status: 400 });
    patterns ??= compilePatterns(routes);
    const found = new Set<string>();
    for (const path of paths) {
      for (const { pattern, ids } of patterns) if (pattern.test(path)) for (const id of ids) found.add(id);
    }
    const patches = Object.fromEntries([...found].map((id) => [id, routes[id]]));
    return Response.json(patches, { headers: { "Cache-Control": "public, max-age=31536000, immutable" } });
  };
}

/** Lists paths and their parents without duplicates; null if there are none or too many, or if one is too deep. */
function withParents(paths: readonly string[]): Set<string> | null {
  const all = new Set<string>();
  for (const path of paths) {
    if (isTooDeep(path)) return null;
    let parent = "";
    for (const segment of path.split("/").filter(Boolean)) {
      parent += `/${segment}`;
      all.add(parent);
    }
    if (parent === "") all.add("/");
    if (all.size > MAX_PATHS) return null;
  }
  return all.size > 0 ? all : null;
}

interface RoutePattern {
  pattern: RegExp;
  /** The route's id and those of its layouts. */
  ids: string[];
}

function compilePatterns(routes: Manifest["routes"]): RoutePattern[] {
  return Object.values(routes).flatMap((route) => {
    if (route.path === undefined && !route.index) return [];
    const chain = [route];
    for (let parent = routes[route.parentId ?? ""]; parent; parent = routes[parent.parentId ?? ""])
      chain.unshift(parent);
    const segments = chain.flatMap(({ path }) => path?.split("/").filter(Boolean) ?? []);
    const source = segments.map((segment) => {
      if (segment === "*") return "/?.*";
      return segment.startsWith(":") ? "/[^/]+" : `/${segment.replace(/[.+*?^$()[\]{}|\\-]/g, "\\$&")}`;
    });
    return [{ pattern: new RegExp(`^${source.join("") || "/"}$`, "i"), ids: chain.map(({ id }) => id) }];
  });
}
