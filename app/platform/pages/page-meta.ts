import type { MetaDescriptor } from "@remix-run/cloudflare";
import { isRouteErrorResponse } from "@remix-run/react";

/* The part of a page's head that every page loads; `public-page.ts` has the rest. */

/**
 * Builds the head of a private page or an error page: its title, and the tag that hides the page from search engines.
 * @param title without the site's name, which is added
 */
export const privatePage = (title: string): MetaDescriptor[] => [{ title: withSiteName(title) }, NOT_INDEXED];

/** Keeps a page out of search engines. */
export const NOT_INDEXED = { name: "robots", content: "noindex" } as const;

/** Builds a page's title as browsers show it. */
export const withSiteName = (title: string) => `${title} · Lineup`;

/** Returns the HTTP status of an error thrown by a route: 500 for unexpected errors. */
export const statusOf = (error: unknown): number => (isRouteErrorResponse(error) ? error.status : 500);
