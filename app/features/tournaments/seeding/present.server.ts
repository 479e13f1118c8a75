import { RANKS, type Rank } from "~/game/ranks";
import { averageRank, isCheckInRunning, selectTeams } from "../play/start";
import type { PlayState, PlayTeam } from "../play/state";
import { inSeedOrder } from "./rules";

/** A team to be seeded. */
export interface SeedableTeam {
  id: string;
  name: string;
  /** Null where none of its players has said theirs. */
  averageRank: Rank | null;
}

/** What the seeding page shows: teams with a place, in the order of their seeds, or of the ranks that will say them. */
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

/** What would happen at this moment if it were started. */
export function presentStart(state: PlayState, now: number) {
  const playing = selectTeams(state);
  const ids = new Set(playing.map(({ id }) => id));
  const names = (teams: readonly PlayTeam[]) => teams.map(({ name }) => name);
  const entered = state.teams.filter((team) => team.state === "entered");
  const absent = entered.filter(({ id }) => !ids.has(id));
  return {
    title: state.title,
    format: state.format,
    seeding: state.seeding,
    teams: playing.length,
    isSolo: state.teamSize === 1,
    /** They have a place and lose it. */
    absent: names(absent),
    hasCheckIn: state.checkInMinutes > 0,
    /** They get one from the waiting list. */
    movingUp: names(playing.filter((team) => team.state === "waiting")),
    isRegistrationOpen: now < state.registrationDeadline,
    /** Some may still check in, and have not. */
    isCheckInRunning: isCheckInRunning(state, now),
  };
}

export type StartView = ReturnType<typeof presentStart>;
