import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

/** What is only for signed-in players, for the local machine, or reached by a link of one's own e-mail. */
const CLOSED = ["/dashboard", "/auth/", "/dev/"];

/** What crawlers need not ask for, and where the sitemap is: an absolute address, so this is no static file. */
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
