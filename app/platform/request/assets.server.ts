import type { ServerBuild } from "@remix-run/cloudflare";

/**
 * Escapes the `$` in the file names of routes with a parameter. Cloudflare's asset server redirects `$` to `%24`, so
 * each of these files would cost a redirect.
 */
export function encodeAssetPaths(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.assets.routes).map(([id, route]) => [
    id,
    { ...route, module: route.module.replaceAll("$", "%24") },
  ]);
  return { ...build, assets: { ...build.assets, routes: Object.fromEntries(routes) } };
}
