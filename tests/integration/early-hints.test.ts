import { expect, test } from "vitest";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { select, selectEach } from "../support/html";
import { addConversation, newVisitor } from "./players";

const app = useApp();

const linkOf = async (client: Client, path: string, init: RequestInit = {}) =>
  (await client.request(path, { ...init, headers: {} })).headers.get("Link");

test("A page's `Link` header names its style sheets and fonts, which browsers may keep for good", async () => {
  const { client } = await newVisitor(app);
  for (const [visitor, path] of [
    [app.client(), "/"],
    [client, "/dashboard"],
    [client, "/dashboard/players?sort=best"],
  ] as const) {
    const { headers, text } = await visitor.get(path);
    const hrefs = (selector: string) => selectEach(text, selector).map((link) => link.attr("href") as string);
    const files = {
      style: hrefs("link[rel=stylesheet]"),
      font: hrefs("link[rel=preload][as=font]"),
    };
    const hinted = (headers.get("Link") ?? "").split(", ");
    expect(new Set(hinted), path).toEqual(
      new Set([
        ...files.style.map((file) => `<${file}>; rel=preload; as=style`),
        // A font without `crossorigin` would be loaded twice.
        ...files.font.map((file) => `<${file}>; rel=preload; as=font; type=font/woff2; crossorigin`),
      ]),
    );
    expect(files.font).not.toEqual([]);
    // The root's sheet comes first: the page can't be painted without it.
    expect(hinted[0]).toContain(select(text, "link[rel=stylesheet]").first().attr("href"));
    for (const file of [...files.style, ...files.font]) {
      const answer = await visitor.get(file);
      expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, expect.stringContaining("immutable")]);
    }
  }
});

test("A page with a parameter in its path has no `Link` header, which would reveal that someone opened it", async () => {
  const { client, player } = await newVisitor(app);
  const other = await newVisitor(app);
  const conversationId = await addConversation(app, player, other.player);
  for (const path of [`/dashboard/messages/${conversationId}`, `/players/${other.player.id}`]) {
    const page = await client.get(path);
    expect([page.status, page.headers.get("Link")], path).toEqual([200, null]);
  }
});

test("Only pages that are shown have a `Link` header, not redirects, errors or data", async () => {
  const { client } = await newVisitor(app);
  expect(await linkOf(client, "/dashboard")).not.toBeNull();
  expect(await linkOf(client, "/dashboard", { method: "HEAD" })).not.toBeNull();
  expect(await linkOf(app.client(), "/dashboard")).toBeNull();
  for (const path of ["/dashboard.data", "/healthz", "/nowhere"]) expect(await linkOf(client, path), path).toBeNull();
  expect(await linkOf(client, "/dashboard", { method: "POST" })).toBeNull();
});
