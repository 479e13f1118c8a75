import type { EntryContext } from "@remix-run/cloudflare";

/**
 * Builds the `Link` header of a page, which names the style sheets and the preloaded fonts of its routes. Cloudflare
 * remembers the header and sends it to later visitors as `103 Early Hints`: their browsers load these files while the
 * Worker waits for the database (docs/decisions/0083-early-hints.md).
 * @returns the header's value; null without such files, and for a page whose path has parameters. Hints are sent before
 *   access is checked, so they would tell a stranger that someone has opened that conversation, case or invitation.
 */
export function buildEarlyHints({
  routeModules,
  staticHandlerContext: { matches },
}: Pick<EntryContext, "routeModules" | "staticHandlerContext">): string | null {
  if (matches.some(({ params }) => Object.keys(params).length > 0)) return null;
  const links = matches.flatMap(({ route }) => routeModules[route.id]?.links?.() ?? []);
  const header = links
    .flatMap((link) => {
      if (!("href" in link) || !link.href) return [];
      if (link.rel === "stylesheet") return [`<${link.href}>; rel=preload; as=style`];
      if (link.rel === "preload" && link.as === "font")
        return [`<${link.href}>; rel=preload; as=font; type=${link.type}; crossorigin`];
      return [];
    })
    .join(", ");
  return header || null;
}
