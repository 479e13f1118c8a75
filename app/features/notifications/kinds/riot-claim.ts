import * as z from "zod";
import { defineKind } from "../kind";

/**
 * The proven owner of a Riot account has replaced the player's claim to it, or the claim has lapsed. Sent by
 * `proveRiotAccount` and `lapseUnconfirmedClaims` in `app/features/riot/commands.server.ts`.
 */
export const riotClaim = defineKind({
  name: "riot-claim",
  data: z.object({ riotId: z.string(), hasLapsed: z.boolean().optional() }),
  words: ({ riotId, hasLapsed }) => ({
    sentence: `${riotId} is no longer verified in your profile`,
    detail: hasLapsed
      ? "You didn't confirm your email within 7 days. Confirm it, then verify again."
      : "Another player has proven it's theirs by signing in with Riot.",
  }),
  names: null,
  href: () => "/dashboard/profile",
  setting: {
    label: "Your Riot account",
    sentence:
      "When an account you verified turns out to be another player's, or you didn't confirm your email in time.",
  },
});
