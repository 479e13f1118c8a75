import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

/** Paths for signed-in players only, for the steps of signing in, or for the local machine. */
const CLOSED = ["/dashboard", "/account", "/moderation", "/auth/", "/dev/"];

/** Tells crawlers which paths to skip, and where the sitemap is: an absolute URL, so this can't be a static file. */
export function loader({ context }: LoaderFunctionArgs) {
  const lines = [
    "User-agent: *",
    ...CLOSED.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${context.origin}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
