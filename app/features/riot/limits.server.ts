import type { RequestContext } from "~/platform/context";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import type { RiotFailure } from "./client.server";

/** The limits of a question to Riot from a signed-in player's form; elsewhere `countVerification` counts. */
export const VERIFICATION_LIMITS = ["verification", "verificationPerAccount"] as const;

/**
 * Counts a question to Riot, per address and (where someone is signed in) per account. The sign-up and the API ask it
 * in the same tick as whatever else they need.
 * @returns why Riot may not be asked, or null
 */
export async function countVerification(context: RequestContext, userId?: string): Promise<RiotFailure | null> {
  const verdicts = await Promise.all([
    countUse(context, "verification", context.ip),
    ...(userId ? [countUse(context, "verificationPerAccount", userId)] : []),
  ]);
  for (const verdict of verdicts) if (!verdict.allowed) return tooManyTries(verdict.retryAfter);
  return null;
}
