import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A captain has invited the player to a team. Sent by `invitePlayers` in
 * `app/features/tournaments/registration/team/invite.server.ts`. It contains no player's name, so erasing an account
 * leaves no name behind.
 */
export const tournamentInvitation = defineKind({
  name: "tournament-invitation",
  data: z.object({ team: z.string(), tournament: z.string() }),
  words: ({ team, tournament }) => ({ sentence: `“${team}” invited you to play “${tournament}”` }),
  names: null,
  href: (tournamentId, teamId) => `/tournaments/${tournamentId}/teams/${teamId}`,
  setting: {
    label: "Invitations to teams",
    sentence: "When a captain invites you to play a tournament with their team.",
  },
});
