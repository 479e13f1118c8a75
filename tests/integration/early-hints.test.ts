import { expect, test } from "vitest";
import { useApp } from "../support/app";
import { select, selectEach } from "../support/html";
import { newVisitor } from "./players";

const app = useApp();

/** Parses a `Link` header. @returns each file with the kind that the browser should load it as */
const parseLink = (header: string) =>
  header.split(", ").map((link) => {
    const [, file, kind] = link.match(/^<([^>]+)>; rel=preload; as=(\w+)/) ?? [];
    return { file, kind };
  });

test("A page's `Link` header names its style sheets and fonts, which browsers may keep for good", async () => {
  const { client, player } = await newVisitor(app);
  for (const [visitor, path] of [
    [app.client(), "/"],
    [client, "/dashboard"],
    [client, `/players/${player.id}`],
  ] as const) {
    const { headers, text } = await visitor.get(path);
    const hrefs = (selector: string) => selectEach(text, selector).map((link) => link.attr("href"));
    const expected = [
      ...hrefs("link[rel=stylesheet]").map((file) => ({ file, kind: "style" })),
      ...hrefs("link[rel=preload][as=font]").map((file) => ({ file, kind: "font" })),
    ];
    const hinted = parseLink(headers.get("Link") ?? "");
    expect(new Set(hinted), path).toEqual(new Set(expected));
    // Nothing is painted without the styles of every page.
    expect(hinted[0]).toEqual({ file: select(text, "link[rel=stylesheet]").attr("href"), kind: "style" });
    for (const { file } of hinted) {
      const answer = await visitor.get(file as string);
      expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, expect.stringContaining("immutable")]);
    }
  }
});

test("Only pages have a `Link` header", async () => {
  const { client } = await newVisitor(app);
  for (const path of ["/dashboard.data", "/healthz"]) expect((await client.get(path)).headers.get("Link")).toBeNull();
});
