import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { findEverywhere } from "./dashboard.search/load-search.server";

/** Returns the results that the search page shows, as JSON for the search dialog. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = context.claim?.userId;
  if (!userId) return Response.json({ error: "Sign in first." }, { status: 401 });
  const [viewer, found] = await Promise.all([context.viewer(), findEverywhere(context, userId, request)]);
  return viewer ? Response.json(found) : Response.json({ error: "Sign in first." }, { status: 401 });
}
