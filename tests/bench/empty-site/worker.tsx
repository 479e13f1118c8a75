import { createRequestHandler, type EntryContext, type ServerBuild } from "@remix-run/cloudflare";
import { Links, Meta, Outlet, RemixServer, Scripts, useParams } from "@remix-run/react";
import { createElement, type ReactNode } from "react";
import { renderToReadableStream } from "react-dom/server";

/*
 * A site for measuring the least that a Remix page of a given size can cost. Its pages have the elements and the size
 * of ours, but no session, no database and no components. The benchmark sends them in PUT requests.
 */

/** An element of a frozen page: tag, attributes, children; or text. */
export type Frozen = string | [tag: string, attributes: Record<string, string>, children: Frozen[]];

/** The elements of each page, made once. */
const pages = new Map<string, ReactNode>();

const toElement = (node: Frozen, key: number): ReactNode =>
  typeof node === "string"
    ? node
    : createElement(node[0], { ...node[1], key }, node[2].length > 0 ? node[2].map(toElement) : undefined);

function Root() {
  return (
    <html lang="en">
      <head>
        <Meta />
        <Links />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}

const Page = () => pages.get(useParams().page as string);

async function handleDocumentRequest(request: Request, status: number, headers: Headers, context: EntryContext) {
  const body = await renderToReadableStream(<RemixServer context={context} url={request.url} />);
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(body, { status, headers });
}

const route = { hasAction: false, hasLoader: false, hasClientAction: false, hasClientLoader: false };
const built = { ...route, hasErrorBoundary: false, imports: [], css: [] };

const build = {
  entry: { module: { default: handleDocumentRequest } },
  routes: {
    root: { id: "root", path: "", module: { default: Root } },
    page: { id: "page", parentId: "root", path: ":page", module: { default: Page } },
  },
  assets: {
    entry: { module: "/build/entry.js", imports: [] },
    routes: {
      root: { ...built, id: "root", path: "", module: "/build/root.js" },
      page: { ...built, id: "page", parentId: "root", path: ":page", module: "/build/page.js" },
    },
    url: "/build/manifest.js",
    version: "1",
  },
  publicPath: "/build/",
  assetsBuildDirectory: "public/build",
  mode: "production",
  isSpaMode: false,
  basename: "/",
  future: {
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: true,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
} as unknown as ServerBuild;

const handle = createRequestHandler(build, "production");

export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method !== "PUT") return handle(request);
    const nodes = (await request.json()) as Frozen[];
    pages.set(new URL(request.url).pathname.slice(1), nodes.map(toElement));
    return new Response(null, { status: 204 });
  },
};
