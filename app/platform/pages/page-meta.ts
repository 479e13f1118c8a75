import type { MetaDescriptor } from "@remix-run/cloudflare";
import { isRouteErrorResponse } from "@remix-run/react";

/* Of what a page's head holds, the part that every page loads; `public-page.ts` has the rest. */

/**
 * Head of a page that is one player's own, or an error: a title, and nothing for search engines.
 * @param title without the site's name, which is added
 */
export const privatePage = (title: string): MetaDescriptor[] => [{ title: withSiteName(title) }, NOT_INDEXED];

/** Keeps a page out of search engines. */
export const NOT_INDEXED = { name: "robots", content: "noindex" } as const;

/** A page's title as browsers show it. */
export const withSiteName = (title: string) => `${title} · Lineup`;

/** The HTTP status of what a route has thrown: 500 for mistakes. */
export const statusOf = (error: unknown): number => (isRouteErrorResponse(error) ? error.status : 500);
