import * as z from "zod";
import { nameInSentence } from "~/features/tournaments/shared/match-names";
import { defineKind } from "../kind";

/**
 * A result is disputed, or a match is overdue. The organisers are notified because they have to decide. A dispute also
 * notifies the other team. Sent by a tournament's room: `app/features/tournaments/play/news.ts`.
 */
export const matchDispute = defineKind({
  name: "match-dispute",
  data: z.object({
    tournament: z.string(),
    match: z.string(),
    isOverdue: z.boolean().catch(false),
    // The name of the disputing team, in the other team's notifications; null in the organisers'.
    team: z.string().nullable().catch(null),
  }),
  words: ({ tournament, match, isOverdue, team }) => ({
    sentence: isOverdue
      ? `${match} is overdue`
      : team === null
        ? `${match} is disputed: you decide`
        : `${team} disputes ${nameInSentence(match)}: the organisers will decide`,
    detail: tournament,
  }),
  names: null,
  href: (tournamentId, matchId) => `/tournaments/${tournamentId}/matches/${matchId}`,
  setting: {
    label: "Disputes",
    sentence: "When the other team disputes a match, or a match you organise is disputed or overdue.",
  },
});
