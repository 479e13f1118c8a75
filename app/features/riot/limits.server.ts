import type { RequestContext } from "~/platform/context";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import type { RiotFailure } from "./client.server";

/** The limits of a lookup from a signed-in player's form; other lookups use `countRiotLookup`. */
export const RIOT_LOOKUP_LIMITS = ["riotLookup", "riotLookupPerAccount"] as const;

/**
 * Counts a lookup at Riot, per IP address and (if someone is signed in) per account. The sign-up and the API call it in
 * the same macrotask as their other queries, so that all of them take one round trip.
 * @returns the refusal, or null
 */
export async function countRiotLookup(context: RequestContext, userId?: string): Promise<RiotFailure | null> {
  const verdicts = await Promise.all([
    countUse(context, "riotLookup", context.ip),
    ...(userId ? [countUse(context, "riotLookupPerAccount", userId)] : []),
  ]);
  for (const verdict of verdicts) if (!verdict.allowed) return tooManyTries(verdict.retryAfter);
  return null;
}

/**
 * Counts a lookup at Riot by somebody without a session, per IP address and then in all. A lookup over the limit of its
 * address doesn't count in all, so that one address can't use up the budget. Two round trips.
 * @returns the refusal, or null
 */
export async function countStrangersLookup(context: RequestContext): Promise<RiotFailure | null> {
  const refusal = await countRiotLookup(context);
  if (refusal) return refusal;
  const inAll = await countUse(context, "riotLookupByStrangers", "all");
  return inAll.allowed ? null : tooManyTries(inAll.retryAfter, "Too many people are asking right now.");
}
