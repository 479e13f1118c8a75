import type { RequestContext } from "~/platform/context";
import { tooManyTries } from "~/platform/limits/refusal";
import { countOwnUse, countUse } from "~/platform/limits/uses.server";
import type { SessionClaim } from "~/platform/session/viewer";
import type { RiotFailure } from "./client.server";

/** The `limit` of a signed-in player's form that looks up a Riot account. The functions below count other lookups. */
export const RIOT_LOOKUP_LIMITS = ["riotLookup", "riotLookupPerAccount"] as const;

/**
 * Counts a lookup at Riot, per IP address and (if someone is signed in) per account. Callers send their other queries
 * in the same macrotask, so that all of them take one round trip.
 * @returns the refusal, or null
 */
export async function countRiotLookup(context: RequestContext, claim?: SessionClaim): Promise<RiotFailure | null> {
  const verdicts = await Promise.all([
    countUse(context, "riotLookup", context.ip),
    ...(claim ? [countOwnUse(context, "riotLookupPerAccount", claim)] : []),
  ]);
  for (const verdict of verdicts) if (!verdict.allowed) return tooManyTries(verdict.retryAfter);
  return null;
}

/**
 * Counts a lookup at Riot by someone without a session: per IP address, and then for all strangers together. A lookup
 * over the limit of its address doesn't count against the shared limit, so that one address can't use that limit up.
 * Two round trips.
 * @returns the refusal, or null
 */
export async function countStrangersLookup(context: RequestContext): Promise<RiotFailure | null> {
  const refusal = await countRiotLookup(context);
  if (refusal) return refusal;
  const inAll = await countUse(context, "riotLookupByStrangers", "all");
  return inAll.allowed ? null : tooManyTries(inAll.retryAfter, "Too many players are verifying right now.");
}
