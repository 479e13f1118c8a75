import { RANKS } from "~/game/ranks";
import { hashToken } from "~/platform/crypto/crypto.server";
import { drawBracket } from "../bracket/draw";
import { hasThirdPlace } from "../format/formats";
import { inSeedOrder } from "../seeding/rules";
import { withBracket } from "./advance";
import { type Chance, type Decision, refuse, type Situation } from "./decision";
import type { PlayState, PlayTeam } from "./state";

/* The start of a tournament: which teams play, how they are seeded, and which bracket is drawn from them. */

/** @param expects what the organiser was shown (`digestStart`); undefined if that isn't known */
export async function start({ state, actorId, now, chance }: Situation, expects?: string): Promise<Decision> {
  if (actorId === null || !state.organisers.includes(actorId)) return refuse("not-organiser");
  if (state.state !== "open") return refuse("not-open");
  if (now < state.registrationDeadline) return refuse("registration-open");
  if (isCheckInRunning(state, now)) return refuse("check-in-open");
  const playing = selectTeams(state);
  if (playing.length < 2) return refuse("too-few-teams");
  if (expects !== undefined && expects !== digestStart(state)) return refuse("start-changed");
  const seeds = seed(playing, state.seeding, chance);
  const snapshot = await drawBracket({
    format: state.format,
    teams: seeds.map(({ id }) => id),
    groupSize: state.groupSize,
    thirdPlace: hasThirdPlace(state.thirdPlace, seeds.length),
    grandFinal: state.grandFinal,
  });
  const seedOf = new Map(seeds.map(({ id }, index) => [id, index + 1]));
  const teams = state.teams.map((team): PlayTeam => {
    const place = seedOf.get(team.id);
    if (place !== undefined) return { ...team, state: "entered", seed: place };
    return team.state === "entered" ? { ...team, state: "absent", seed: null } : { ...team, seed: null };
  });
  const started: PlayState = { ...state, state: "running", teams };
  return {
    ok: true,
    state: withBracket(started, snapshot, { now, chance }),
    events: [{ action: "started", match: null, actorId, details: { teams: seeds.length } }],
  };
}

/**
 * Whether it is too soon to start: it is before the tournament's date, and a team with a spot hasn't checked in but
 * still can, even if it is currently a player short. Otherwise an organiser could start without teams that keep to the
 * announced time.
 */
export const isCheckInRunning = (
  { teams, checkInMinutes, tournamentDate }: Pick<PlayState, "teams" | "checkInMinutes" | "tournamentDate">,
  now: number,
): boolean =>
  checkInMinutes > 0 &&
  now < tournamentDate &&
  teams.some(({ state, checkedInAt }) => state === "entered" && checkedInAt === null);

const isComplete = ({ members }: PlayTeam, teamSize: number) =>
  members.filter(({ isSubstitute }) => !isSubstitute).length >= teamSize;

/**
 * Selects the teams that play. A team has to be complete, its starters need verified accounts and, if there is a
 * check-in, it has to be checked in. Places left by the other teams go to such teams on the waiting list, in its order.
 * Ranks were checked when players joined and when their team checked in; later changes of rank exclude nobody.
 */
export function selectTeams(
  state: Pick<PlayState, "teams" | "teamSize" | "checkInMinutes" | "maxParticipants">,
): PlayTeam[] {
  const canPlay = (team: PlayTeam) =>
    isComplete(team, state.teamSize) &&
    team.members.every(({ isSubstitute, isVerified }) => isSubstitute || isVerified) &&
    (state.checkInMinutes === 0 || team.checkedInAt !== null);
  const listed = (wanted: PlayTeam["state"]) =>
    state.teams
      .filter((team) => team.state === wanted && canPlay(team))
      .sort((a, b) => a.listedAt - b.listedAt || (a.id < b.id ? -1 : 1));
  return [...listed("entered"), ...listed("waiting")].slice(0, state.maxParticipants);
}

/**
 * Returns a digest of what a start now would draw: the format, the seeding method and the teams, with their order if
 * they are seeded by hand. A start can't be undone, so it must be the one that an organiser has seen.
 */
export function digestStart(state: PlayState): string {
  const { format, seeding } = state;
  const playing = selectTeams(state);
  const ids = (seeding === "manual" ? inSeedOrder(playing) : playing).map(({ id }) => id);
  return hashToken([format, seeding, ...ids].join());
}

/** Sorts the teams by seed, strongest first. */
function seed(teams: readonly PlayTeam[], seeding: PlayState["seeding"], { shuffle }: Chance): PlayTeam[] {
  // The same order as on the seeding page, followed by the teams from the waiting list, which registered later.
  if (seeding === "manual") return inSeedOrder(teams);
  // Ties, and everyone when seeding is random, keep the shuffled order.
  const mixed = shuffle(teams);
  return seeding === "rank" ? mixed.sort((a, b) => averageRank(b) - averageRank(a)) : mixed;
}

/** The mean position of the starters' ranks (0 is Iron 1); −1 if none of them has given a rank. */
export function averageRank({ members }: Pick<PlayTeam, "members">): number {
  const ranks = members.flatMap(({ rank, isSubstitute }) => (rank && !isSubstitute ? [RANKS.indexOf(rank)] : []));
  return ranks.length === 0 ? -1 : ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
}
