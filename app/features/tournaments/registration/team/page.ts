import type { TournamentState } from "#db/words/tournament-states";
import type { VerifiedMark } from "~/features/riot/rules";
import type { Candidate } from "./candidates.server";
import type { Member, TeamDetails } from "./queries.server";

/** What the page of a team knows. */
export interface TeamPage {
  tournament: { id: string; title: string; state: TournamentState; teamSize: number };
  team: Pick<TeamDetails, "id" | "name" | "state" | "seed" | "place" | "lastPlace" | "isCheckedIn">;
  /** That it was, and for its players and the organisers, why. */
  disqualified: { reason: string | null } | null;
  /** For organisers: whether they may disqualify the team, or take that back. */
  canDisqualify: boolean;
  /** For organisers: its disqualification can't be taken back, since a later match was played. */
  isPlayedOn: boolean;
  members: Member[];
  isCaptain: boolean;
  isOrganiser: boolean;
  isInvited: boolean;
  canWithdraw: boolean;
  /** For the captain alone, as are the next two. */
  inviteLink: string | null;
  invited: Candidate[];
  acquaintances: Candidate[];
  viewer: { id: string; name: string; letter: string; avatarId: string | null; verified: VerifiedMark | null } | null;
}
