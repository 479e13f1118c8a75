import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { privatePage } from "../../app/platform/pages/page-meta";
import { excerpt, originOf, publicPage } from "../../app/platform/pages/public-page";
import { sitemapXml } from "../../app/platform/pages/sitemap";

const page = { title: "Two for Haven", description: "Needs 2 players.", path: "/lfg/1" };
const origin = "https://lineup.example";

/** Finds the tag with this name, property or relation. */
const findTag = (tags: readonly object[], name: string) =>
  tags.map((tag) => tag as Record<string, unknown>).find((tag) => (tag.property ?? tag.name ?? tag.rel) === name);

describe("the head of a public page", () => {
  it("gives readers, search engines and messengers the same texts and one address", () => {
    const tags = publicPage({ ...page, origin, type: "article" });
    expect(tags[0]).toEqual({ title: "Two for Haven · Lineup" });
    expect(findTag(tags, "description")?.content).toBe("Needs 2 players.");
    expect(findTag(tags, "canonical")?.href).toBe("https://lineup.example/lfg/1");
    expect(findTag(tags, "og:url")?.content).toBe("https://lineup.example/lfg/1");
    expect(findTag(tags, "og:title")?.content).toBe("Two for Haven");
    expect(findTag(tags, "og:type")?.content).toBe("article");
    expect(findTag(tags, "og:image")?.content).toBe("https://lineup.example/og.png");
    expect(findTag(tags, "og:image:alt")?.content).toMatch(/\w/);
    expect(findTag(tags, "twitter:card")?.content).toBe("summary_large_image");
    expect(findTag(tags, "robots")).toBeUndefined();
  });

  it("leaves out absolute addresses when the root's loader gives no origin", () => {
    const tags = publicPage({ ...page, origin: undefined });
    for (const name of ["canonical", "og:url", "og:image"]) expect(findTag(tags, name)).toBeUndefined();
    expect(JSON.stringify(tags)).not.toContain("undefined");
    expect(findTag(tags, "og:title")?.content).toBe("Two for Haven");
  });

  it("allows sharing without indexing", () => {
    const tags = publicPage({ ...page, origin, indexed: false });
    expect(findTag(tags, "robots")?.content).toBe("noindex");
    expect(findTag(tags, "og:title")?.content).toBe("Two for Haven");
  });

  it("gives the landing page only the site's name as its title", () => {
    expect(publicPage({ ...page, title: "Lineup", path: "/", origin })[0]).toEqual({ title: "Lineup" });
  });
});

it("The head of a private page has a title and keeps search engines out", () => {
  expect(privatePage("Profile")).toEqual([{ title: "Profile · Lineup" }, { name: "robots", content: "noindex" }]);
});

it("The origin comes from the root's loader, if it gives one", () => {
  expect(originOf([{ id: "root", data: { origin } }])).toBe(origin);
  expect(originOf([{ id: "root", data: undefined }])).toBeUndefined();
  expect(originOf([{ id: "routes/auth", data: { origin } }])).toBeUndefined();
});

describe("an excerpt", () => {
  it("is one line, cut between words if possible", () => {
    expect(excerpt(" one\n\ntwo  three ", 100)).toBe("one two three");
    expect(excerpt("one two three four", 14)).toBe("one two three…");
    expect(excerpt("one two three four", 12)).toBe("one two…");
    expect(excerpt("x".repeat(20), 10)).toBe(`${"x".repeat(9)}…`);
  });

  it("is never longer than its limit, and never ends with half a surrogate pair", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (text, length) => {
        const short = excerpt(text, length);
        expect(short.length).toBeLessThanOrEqual(length);
        // `encodeURIComponent` throws on half a surrogate pair.
        expect(() => encodeURIComponent(short)).not.toThrow();
      }),
    );
  });
});

it("A sitemap escapes XML's special characters", () => {
  const xml = sitemapXml([
    { address: `https://lineup.example/?a=1&b=<"'>`, lastModified: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)) },
  ]);
  expect(xml).toContain("<loc>https://lineup.example/?a=1&amp;b=&lt;&quot;&#x27;&gt;</loc>");
  expect(xml).toContain("<lastmod>2026-01-02T03:04:05.000Z</lastmod>");
});
