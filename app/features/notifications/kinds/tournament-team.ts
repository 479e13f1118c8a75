import * as z from "zod";
import { defineKind } from "../kind";
import { ownTeam } from "./own-team";

const SENTENCES = {
  joined: (team: string) => `A player joined ${team}`,
  left: (team: string) => `A player left ${team}`,
  removed: (team: string) => `You're no longer in ${team}`,
  // Only in older notifications: it's now a kind of its own, `tournament-captain`.
  captain: (team: string) => `You're now the captain of ${team}`,
};

/**
 * The player's team has changed. Sent by `notifyTeam` in
 * `app/features/tournaments/registration/team/changes.server.ts`, for all changes within a team except a new captain.
 * Like `tournament-invitation`, it contains no player's name.
 */
export const tournamentTeam = defineKind({
  name: "tournament-team",
  data: z.object({
    news: z.enum(["joined", "left", "removed", "captain"]),
    team: z.string().nullable(),
    tournament: z.string(),
  }),
  words: ({ news, team, tournament }) => ({ sentence: SENTENCES[news](ownTeam(team)), detail: tournament }),
  names: null,
  // The news "removed" is about the tournament.
  href: (tournamentId, teamId) => `/tournaments/${tournamentId}${teamId ? `/teams/${teamId}` : ""}`,
  setting: {
    label: "Your tournament teams",
    sentence: "When a player joins or leaves your team, or you're removed from it.",
  },
});
