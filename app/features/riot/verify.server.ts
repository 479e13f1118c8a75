import type { RequestContext } from "~/platform/context";
import { countUse, tooManyTries } from "~/platform/rate-limit.server";
import { lookUpRiotAccount, type RiotLookup } from "./client.server";
import type { RiotAccountQuery } from "./schema";

/**
 * The one way to ask for a Riot account, for the API and for forms alike: counts the use per address (and per account
 * when someone is signed in), then asks Riot.
 */
export async function verifyRiotAccount(
  context: RequestContext,
  query: RiotAccountQuery,
  userId?: string,
): Promise<RiotLookup> {
  const verdicts = await Promise.all([
    countUse(context, "verification", context.ip),
    ...(userId ? [countUse(context, "verificationPerAccount", userId)] : []),
  ]);
  for (const verdict of verdicts) {
    if (!verdict.allowed) return tooManyTries(verdict.retryAfter);
  }
  return lookUpRiotAccount(context, query);
}
