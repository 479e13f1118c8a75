import { request } from "node:http";
import { join } from "node:path";
import { load } from "cheerio";
import { ROOT } from "../../../scripts/local/build";
import { loadEsbuild } from "../../../scripts/local/bundle";
import type { Frozen } from "./worker";

/** The host name of the empty site, which runs alongside the app. */
export const EMPTY_HOST = "empty.lineup.test";

/** Bundles the empty site the way the app is bundled. @returns the bundle's path */
export async function buildEmptySite(): Promise<string> {
  const outfile = join(ROOT, "build/tests/empty-site.js");
  await loadEsbuild().build({
    absWorkingDir: ROOT,
    entryPoints: ["tests/bench/empty-site/worker.tsx"],
    outfile,
    bundle: true,
    minify: true,
    jsx: "automatic",
    target: "es2022",
    format: "esm",
    platform: "neutral",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["browser", "module", "main"],
    external: ["cloudflare:*", "node:*"],
    define: { "process.env.NODE_ENV": '"production"' },
    alias: {
      "react-dom/server": "./node_modules/react-dom/cjs/react-dom-server.browser.production.min.js",
      "@remix-run/cloudflare": "@remix-run/server-runtime",
    },
    logLevel: "silent",
  });
  return outfile;
}

/** Adds a page to the empty site, with the same elements and size as `html`. */
export async function putEmptyPage(url: string, name: string, html: string): Promise<void> {
  const $ = load(html);
  const freeze = (node: { type: string; data?: string; name?: string; attribs?: object; children?: unknown[] }) => {
    if (node.type === "text") return [node.data ?? ""];
    if (node.type !== "tag" || !node.name) return [];
    // These attributes are left out: React takes styles as objects, and warns about values without handlers.
    const { style, value, checked, selected, ...attributes } = { ...node.attribs } as Record<string, string>;
    const children: Frozen[] = ((node.children ?? []) as (typeof node)[]).flatMap(freeze);
    return [[node.name, attributes, node.name === "textarea" ? [] : children] as Frozen];
  };
  const nodes: Frozen[] = $("body")
    .contents()
    .toArray()
    .flatMap((node) => freeze(node as Parameters<typeof freeze>[0]));
  await send(url, name, nodes);
  const { length } = await read(url, name);
  // One paragraph stands in for the rest of the page, mostly the data in its scripts.
  if (length < html.length) await send(url, name, [...nodes, ["p", {}, ["x".repeat(html.length - length - 7)]]]);
}

const send = (url: string, name: string, nodes: Frozen[]) => ask(url, name, "PUT", JSON.stringify(nodes));

const read = (url: string, name: string): Promise<string> => ask(url, name, "GET");

/** Sends a request with the empty site's host name, which `fetch` can't set. */
function ask(url: string, name: string, method: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const path = `/${encodeURIComponent(name)}`;
    const asked = request(new URL(path, url), { method, headers: { Host: EMPTY_HOST } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => (text += part));
      response.on("end", () => {
        if ((response.statusCode ?? 500) < 300) resolve(text);
        else reject(new Error(`The empty site answered ${response.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
