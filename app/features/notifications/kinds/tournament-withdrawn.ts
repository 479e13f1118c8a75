import * as z from "zod";
import { defineKind } from "../kind";
import { ownTeam } from "./own-team";

const SENTENCES = {
  captain: (team: string, tournament: string) => `${team} withdrew from “${tournament}”`,
  organiser: (team: string, tournament: string) => `The organisers removed ${team} from “${tournament}”`,
  absent: (team: string, tournament: string) =>
    `“${tournament}” started without ${team}: it wasn't complete, verified and checked in`,
  waiting: (team: string, tournament: string) => `“${tournament}” started: no spot opened up for ${team}`,
  disqualified: (team: string, tournament: string) => `${team} was disqualified from “${tournament}”`,
  reinstated: (team: string, tournament: string) => `${team} is back in “${tournament}”`,
};

/**
 * The player's team is out of a tournament: before its start, at the start, or later; or it has been reinstated. Sent
 * by `withdrawTeam` and `removeTeam` in `app/features/tournaments/registration/withdraw.server.ts`, and from the start
 * on by `app/features/tournaments/play/news.ts`.
 */
export const tournamentWithdrawn = defineKind({
  name: "tournament-withdrawn",
  data: z.object({
    team: z.string().nullable(),
    tournament: z.string(),
    // At the start the team was `absent` or still `waiting`; later it was `disqualified`, or `reinstated`.
    by: z.enum(["captain", "organiser", "absent", "waiting", "disqualified", "reinstated"]),
    // The reason for a disqualification.
    reason: z.string().nullish(),
  }),
  words: ({ team, tournament, by, reason }) => ({
    sentence: SENTENCES[by](ownTeam(team), tournament).replace(/^y/, "Y"),
    ...(reason && { detail: reason }),
  }),
  names: null,
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: {
    label: "Withdrawn teams",
    sentence: "When your team is removed from a tournament, or it starts without you.",
  },
});
