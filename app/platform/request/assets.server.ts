import type { ServerBuild } from "@remix-run/cloudflare";

/**
 * Escapes the file names of routes with a parameter for Cloudflare's asset server, which redirects a `$` in a path to
 * `%24`: a redirect for each of them.
 */
export function encodeAssetPaths(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.assets.routes).map(([id, route]) => [
    id,
    { ...route, module: route.module.replaceAll("$", "%24") },
  ]);
  return { ...build, assets: { ...build.assets, routes: Object.fromEntries(routes) } };
}
