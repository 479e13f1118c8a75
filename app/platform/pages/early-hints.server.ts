import type { EntryContext } from "@remix-run/cloudflare";

/**
 * Builds the `Link` header of a page, which names the style sheets and the preloaded fonts of its routes. Cloudflare
 * remembers the header and sends it to later visitors as `103 Early Hints`: their browsers load these files while the
 * Worker waits for the database (docs/decisions/0083).
 * @returns the header's value; empty if no route has such files
 */
export function earlyHints({
  routeModules,
  staticHandlerContext,
}: Pick<EntryContext, "routeModules" | "staticHandlerContext">): string {
  const links = staticHandlerContext.matches.flatMap(({ route }) => routeModules[route.id]?.links?.() ?? []);
  return links
    .flatMap((link) => {
      if (!("href" in link) || !link.href) return [];
      if (link.rel === "stylesheet") return [`<${link.href}>; rel=preload; as=style`];
      if (link.rel === "preload") return [`<${link.href}>; rel=preload; as=${link.as}; type=${link.type}; crossorigin`];
      return [];
    })
    .join(", ");
}
