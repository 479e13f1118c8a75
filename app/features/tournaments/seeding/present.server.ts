import { RANKS, type Rank } from "~/game/ranks";
import { averageRank, digestStart, isCheckInRunning, selectTeams } from "../play/start";
import type { PlayState, PlayTeam } from "../play/state";
import { inSeedOrder } from "./rules";

/** A team to be seeded. */
export interface SeedableTeam {
  id: string;
  name: string;
  /** Null if none of its starters has stated a rank. */
  averageRank: Rank | null;
}

/** Presents the seeding page: teams with a spot, by seed, or by the ranks that will determine the seeds. */
export function presentSeeding({ seeding, teams }: PlayState) {
  const inOrder = inSeedOrder(teams.filter(({ state }) => state === "entered"));
  if (seeding === "rank") inOrder.sort((a, b) => averageRank(b) - averageRank(a));
  return {
    seeding,
    teams: inOrder.map((team): SeedableTeam => ({ id: team.id, name: team.name, averageRank: averageOf(team) })),
  };
}

function averageOf(team: PlayTeam): Rank | null {
  const average = averageRank(team);
  return average < 0 ? null : (RANKS[Math.round(average)] ?? null);
}

/** Presents the effects of starting the tournament now. */
export function presentStart(state: PlayState, now: number) {
  const playing = selectTeams(state);
  const ids = new Set(playing.map(({ id }) => id));
  const names = (teams: readonly PlayTeam[]) => teams.map(({ name }) => name);
  const entered = state.teams.filter((team) => team.state === "entered");
  const absent = entered.filter(({ id }) => !ids.has(id));
  return {
    /** For the form. */
    expects: digestStart(state),
    title: state.title,
    format: state.format,
    seeding: state.seeding,
    teams: playing.length,
    isSolo: state.teamSize === 1,
    /** Teams that would lose their spot. */
    absent: names(absent),
    hasCheckIn: state.checkInMinutes > 0,
    /** Teams that would get a spot from the waiting list. */
    movingUp: names(playing.filter((team) => team.state === "waiting")),
    isRegistrationOpen: now < state.registrationDeadline,
    /** Whether check-in is still open to teams that haven't checked in. */
    isCheckInRunning: isCheckInRunning(state, now),
  };
}

export type StartView = ReturnType<typeof presentStart>;
