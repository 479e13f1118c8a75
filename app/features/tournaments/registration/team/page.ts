import type { TournamentState } from "#db/words/tournament-states";
import type { VerifiedMark } from "~/features/riot/rules";
import type { Candidate } from "./candidates.server";
import type { Member, TeamDetails } from "./queries.server";

/** The data of a team's page. */
export interface TeamPage {
  tournament: { id: string; title: string; state: TournamentState; teamSize: number; isHidden: boolean };
  team: Pick<TeamDetails, "id" | "name" | "state" | "seed" | "place" | "lastPlace" | "isCheckedIn">;
  /**
   * Set if the team is disqualified. Only its players and the organisers see the reason; it is hidden from players who
   * have blocked its author, until they ask for it.
   */
  disqualified: { reason: string | null; isHidden: boolean } | null;
  /** For organisers: whether they may disqualify the team, or undo that. */
  canDisqualify: boolean;
  /** For organisers: whether a later match has been played, in which case the disqualification can't be undone. */
  hasLaterMatch: boolean;
  members: Member[];
  /** Why nobody can join the team any more; null if players still can. */
  closed: string | null;
  isCaptain: boolean;
  isOrganiser: boolean;
  isInvited: boolean;
  canWithdraw: boolean;
  /** For the captain alone, as are the next two fields. */
  inviteLink: string | null;
  invited: Candidate[];
  acquaintances: Candidate[];
  viewer: { id: string; name: string; letter: string; avatarId: string | null; verified: VerifiedMark | null } | null;
}

/** Whether players can join and leave the tournament's teams: until the start, unless the tournament is hidden. */
export const isRosterOpen = ({ state, isHidden }: Pick<TeamPage["tournament"], "state" | "isHidden">): boolean =>
  state === "open" && !isHidden;
