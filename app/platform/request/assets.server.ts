import type { ServerBuild } from "@remix-run/cloudflare";

/**
 * Names the scripts of routes with a parameter as Cloudflare's asset server wants them: it sends a `$` in a path on to
 * `%24`, which would cost each of them a redirect.
 */
export function encodeAssetPaths(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.assets.routes).map(([id, route]) => [
    id,
    { ...route, module: route.module.replaceAll("$", "%24") },
  ]);
  return { ...build, assets: { ...build.assets, routes: Object.fromEntries(routes) } };
}
