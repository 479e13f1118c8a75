import { join } from "node:path";
import { type ManifestRoute, readManifest } from "./browser-manifest";
import { ROOT } from "./build";

/** A route of the built app. */
export interface BuiltRoute {
  /** Its file, as Remix names it: `routes/lfg.$postId.edit`. */
  id: string;
  /** Its path with the parameters' names: `/lfg/:postId/edit`. */
  address: string;
  hasLoader: boolean;
  hasAction: boolean;
  /** Whether a request can end at this route. The others are only layouts of their child routes. */
  isLeaf: boolean;
}

/** Reads all routes from the manifest of the last build. Requires `build()`. */
export function readRoutes(): BuiltRoute[] {
  const { routes } = readManifest(join(ROOT, "public/build"));
  const all = Object.values(routes);
  const addressOf = ({ parentId, path = "" }: ManifestRoute): string => {
    const parent = parentId === undefined ? "" : addressOf(routes[parentId] as ManifestRoute);
    return path ? `${parent.replace(/\/$/, "")}/${path}` : parent || "/";
  };
  return all.map((route) => ({
    id: route.id,
    address: addressOf(route),
    hasLoader: route.hasLoader === true,
    hasAction: route.hasAction === true,
    isLeaf:
      !all.some((other) => other.parentId === route.id && (other.index || !other.path)) &&
      (route.path !== undefined || route.index === true),
  }));
}
