import * as z from "zod";
import { nameInSentence } from "~/features/tournaments/shared/match-names";
import { defineKind } from "../kind";

/**
 * A match of the player's team can be played, or is a bye. Sent by a tournament's room:
 * `app/features/tournaments/play/news.ts`.
 */
export const matchReady = defineKind({
  name: "match-ready",
  data: z.object({
    tournament: z.string(),
    match: z.string(),
    opponent: z.string().nullable(),
    // Minutes left to check in; null for a bye, for a team that has checked in, and if there is plenty of time.
    minutes: z.number().nullable(),
  }),
  // A match without an opponent is a bye.
  words: ({ tournament, match, opponent, minutes }) => ({
    sentence: opponent
      ? `Your next match: ${nameInSentence(match)} against ${opponent}`
      : `${match}: you have a bye and advance without playing`,
    detail: minutes === null ? tournament : `${tournament}. Check in within ${minutes} min.`,
  }),
  names: null,
  href: (tournamentId, matchId) => `/tournaments/${tournamentId}/matches/${matchId}`,
  setting: { label: "Your matches", sentence: "When your team's next tournament match is ready to play." },
});
