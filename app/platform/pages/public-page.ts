import type { MetaDescriptor } from "@remix-run/cloudflare";
import { NOT_INDEXED, withSiteName } from "./page-meta";

/** Search engines and messengers show about this much of a description. */
const DESCRIPTION_LENGTH = 200;

interface PublicPage {
  /** The title; `· Lineup` is added, but for the landing page, whose title is the site's own. */
  title: string;
  /** What the page holds, in one or two sentences. Longer texts are cut at a word. */
  description: string;
  /** The page's one address within the site: without the parts of a query that don't change what it is. */
  path: string;
  /** Where the site is (`originOf`); without it nothing absolute is said. */
  origin: string | undefined;
  /** The Open Graph type: `website`, or `article` for what a player wrote. */
  type?: "website" | "article";
  /** Whether search engines may list it. A link to it can be shared either way. */
  indexed?: boolean;
}

/**
 * Head of a page that everybody may open: title, description, canonical address, and the Open Graph and card tags by which
 * other sites show a link to it (https://ogp.me; what they don't find of `twitter:` they take from `og:`).
 * @returns what a route's `meta` returns
 */
export function publicPage({
  title,
  description,
  path,
  origin,
  type = "website",
  indexed = true,
}: PublicPage): MetaDescriptor[] {
  const summary = excerpt(description, DESCRIPTION_LENGTH);
  const address = origin && origin + path;
  return [
    { title: path === "/" ? title : withSiteName(title) },
    { name: "description", content: summary },
    { property: "og:site_name", content: "Lineup" },
    { property: "og:type", content: type },
    { property: "og:title", content: title },
    { property: "og:description", content: summary },
    { name: "twitter:card", content: "summary_large_image" },
    ...(address
      ? [
          { tagName: "link", rel: "canonical", href: address } as const,
          { property: "og:url", content: address },
          { property: "og:image", content: `${origin}/og.png` },
          { property: "og:image:type", content: "image/png" },
          { property: "og:image:width", content: "1200" },
          { property: "og:image:height", content: "630" },
          {
            property: "og:image:alt",
            content: "Find your fifth. Four players' banners hang from a line, one spot is open.",
          },
        ]
      : []),
    ...(indexed ? [] : [NOT_INDEXED]),
  ];
}

/**
 * Where the site is, as the root's loader has told the page.
 * @param matches as a route's `meta` gets them
 * @returns `https://…` without a slash at the end, or undefined where the root's loader has failed
 */
export function originOf(matches: readonly { id: string; data: unknown }[]): string | undefined {
  const root = matches.find(({ id }) => id === "root")?.data as { origin?: string } | null | undefined;
  return root?.origin;
}

/** The beginning of a text as one line, cut between words where there are any, never within a character. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "");
  const lastSpace = cut.lastIndexOf(" ");
  return `${(lastSpace > length / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}
