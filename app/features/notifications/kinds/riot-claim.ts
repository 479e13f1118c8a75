import * as z from "zod";
import { defineKind } from "../kind";

/** A claim has given way to the account's proven owner. Told by `proveRiotAccount` in `app/features/riot/commands.server.ts`. */
export const riotClaim = defineKind({
  name: "riot-claim",
  data: z.object({ riotId: z.string() }),
  words: ({ riotId }) => ({
    sentence: `${riotId} is no longer verified in your profile`,
    detail: "Another player has signed in at Riot with this account.",
  }),
  href: () => "/dashboard/profile",
  setting: {
    label: "Your Riot account",
    sentence: "When another player proves that an account you verified is theirs.",
  },
});
