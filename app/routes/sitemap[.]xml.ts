import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { listSharedPosts } from "~/features/lfg/queries.server";
import { listShared } from "~/features/tournaments/queries.server";
import { sitemapXml } from "~/platform/pages/sitemap";

/**
 * Lists the public pages for search engines: the landing page, the sign-in, the pages about Lineup, the newest open
 * posts and tournaments.
 * While the database is unavailable it answers 503, so that they keep the previous sitemap; an incomplete sitemap would
 * tell them that the other pages are gone.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const [posts, tournaments] = await Promise.all([listSharedPosts(context.db, context.now), listShared(context.db)]);
  const xml = sitemapXml([
    { address: `${context.origin}/` },
    { address: `${context.origin}/auth` },
    ...["rules", "terms", "privacy", "contact", "imprint"].map((name) => ({ address: `${context.origin}/${name}` })),
    ...posts.map(({ id, updatedAt }) => ({ address: `${context.origin}/lfg/${id}`, lastModified: updatedAt })),
    ...tournaments.map(({ id, updatedAt }) => ({
      address: `${context.origin}/tournaments/${id}`,
      lastModified: updatedAt,
    })),
  ]);
  return new Response(xml, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
