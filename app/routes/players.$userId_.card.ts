import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { findOtherPlayer } from "~/features/blocks/queries.server";
import { presentCard } from "~/features/players/card/present.server";
import { findProfile, findPublicProfile } from "~/features/players/queries.server";
import { countOwnUse } from "~/platform/limits/uses.server";
import { idParam } from "~/platform/request/params.server";

/** Returns a player's card as JSON, which is shown beside links to them; 404 if either has blocked the other. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "userId", context, request);
  const { db, claim } = context;
  const refuse = (status: number, error: string) => Response.json({ error }, { status });
  if (!claim) return refuse(401, "Sign in first.");
  const [viewer, pace, profile, own, other, clock] = await Promise.all([
    context.viewer(),
    countOwnUse(context, "playerCards", claim),
    findPublicProfile(db, id),
    findProfile(db, claim.userId),
    findOtherPlayer(db, id, claim.userId),
    context.clock(),
  ]);
  if (!viewer) return refuse(401, "Sign in first.");
  if (!pace.allowed) return refuse(429, "Slow down.");
  if (!profile || other?.hasBlocked || other?.isBlocked) return refuse(404, "There is no card.");
  return Response.json(presentCard(profile, own, clock), { headers: { "Cache-Control": "private, no-store" } });
}
