import * as z from "zod";
import { defineKind } from "../kind";
import { ownTeam } from "./own-team";

/**
 * The player has become the captain of their team. Sent by `notifyTeam` in
 * `app/features/tournaments/registration/team/changes.server.ts`, and by `replaceCaptains` in
 * `app/features/tournaments/shared/captains.server.ts`. Like `tournament-team`, it contains no player's name.
 */
export const tournamentCaptain = defineKind({
  name: "tournament-captain",
  data: z.object({ team: z.string().nullable(), tournament: z.string() }),
  words: ({ team, tournament }) => ({ sentence: `You're now the captain of ${ownTeam(team)}`, detail: tournament }),
  names: null,
  href: (tournamentId, teamId) => `/tournaments/${tournamentId}/teams/${teamId}`,
  setting: { label: "Captaincy", sentence: "When you become the captain of your tournament team." },
});
