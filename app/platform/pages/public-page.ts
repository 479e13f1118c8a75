import type { MetaDescriptor } from "@remix-run/cloudflare";
import { NOT_INDEXED, withSiteName } from "./page-meta";

/** Roughly the length of a description that search engines and messengers show. */
export const DESCRIPTION_LENGTH = 200;

interface PublicPage {
  /** The title; `· Lineup` is added, except for the landing page, whose title is the site's own. */
  title: string;
  /** The page's content in one or two sentences. Longer texts are cut at a word. */
  description: string;
  /** The page's canonical path: without query parameters that don't change its content. */
  path: string;
  /** The origin of the site (`originOf`); without it, absolute URLs are left out. */
  origin: string | undefined;
  /** The Open Graph type: `website`, or `article` for a text by a player. */
  type?: "website" | "article";
  /** Whether search engines may list the page. It can be shared either way. */
  indexed?: boolean;
}

/**
 * Builds the head of a public page: title, description, canonical URL, and the Open Graph and card tags with which
 * other sites show a link to it (https://ogp.me; missing `twitter:` tags fall back to `og:`).
 * @returns the value for a route's `meta`
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
 * Finds the origin of the site in the root loader's data.
 * @param matches the argument of a route's `meta`
 * @returns `https://…` without a trailing slash, or undefined if the root's loader has failed
 */
export function originOf(matches: readonly { id: string; data: unknown }[]): string | undefined {
  const root = matches.find(({ id }) => id === "root")?.data as { origin?: string } | null | undefined;
  return root?.origin;
}

/** Shortens a text to one line of at most `length` characters, cut between words if possible. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "");
  const lastSpace = cut.lastIndexOf(" ");
  return `${(lastSpace > length / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}
