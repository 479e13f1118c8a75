import * as z from "zod";
import { defineKind } from "../kind";

/**
 * The proven owner of a Riot account has replaced the player's claim to it. Sent by `proveRiotAccount` in
 * `app/features/riot/commands.server.ts`.
 */
export const riotClaim = defineKind({
  name: "riot-claim",
  data: z.object({ riotId: z.string() }),
  words: ({ riotId }) => ({
    sentence: `${riotId} is no longer verified in your profile`,
    detail: "Another player has proven it's theirs by signing in with Riot.",
  }),
  href: () => "/dashboard/profile",
  setting: {
    label: "Your Riot account",
    sentence: "When another player proves that an account you verified is theirs.",
  },
});
