import * as z from "zod";
import { nameInSentence } from "~/features/tournaments/shared/match-names";
import { defineKind } from "../kind";

/**
 * The other captain has reported a score. Sent by a tournament's room (`app/features/tournaments/play/news.ts`), and by
 * a change of captains (`passReportsOn` in `app/features/tournaments/shared/tournament-news.server.ts`).
 */
export const matchReport = defineKind({
  name: "match-report",
  data: z.object({
    tournament: z.string(),
    match: z.string(),
    team: z.string(),
    // The winner according to the report, which may be the reader's team.
    winner: z.string(),
    // Whether the team that reported has won; missing in older notifications. Names don't say so, because two solo
    // players may have the same one.
    isOwnWin: z.boolean().optional(),
    score: z.string(),
    // Minutes left to answer; null if there is plenty of time.
    minutes: z.number().nullable(),
  }),
  words: ({ tournament, match, team, winner, isOwnWin = winner === team, score, minutes }) => ({
    sentence: `${team} reported that ${isOwnWin ? "they" : "you"} won ${nameInSentence(match)}, ${score}: confirm or dispute it`,
    detail: minutes === null ? tournament : `${tournament}. It counts by itself in ${minutes} min.`,
  }),
  names: null,
  href: (tournamentId, matchId) => `/tournaments/${tournamentId}/matches/${matchId}`,
  setting: { label: "Scores to confirm", sentence: "When the other team's captain reports a score." },
});
