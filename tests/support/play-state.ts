import type { Command } from "#party/wire/tournament-commands";
import { decide } from "../../app/features/tournaments/play/decide";
import type { Chance, PlayEvent } from "../../app/features/tournaments/play/decision";
import { type PlayMatch, type PlayState, writeResults } from "../../app/features/tournaments/play/state";
import { matchName } from "../../app/features/tournaments/shared/match-names";
import { type MapResult, mapsNeeded } from "../../app/game/scores";
import { HOUR } from "../../app/platform/dates/durations";
import { DEFAULT_TIE_BREAKS } from "../../db/words/tie-breaks";

/** The organiser of every tournament made here. */
export const ORGANISER = "organiser";

/** Returns a tournament ready to start: one-player teams "T1" (the first seed) to "Tn". A player's id is the team's. */
export function openTournament(teams: number, changes: Partial<PlayState> = {}): PlayState {
  return {
    tournamentId: "tournament",
    version: 0,
    title: "Night Cup",
    state: "open",
    format: "single_elimination",
    teamSize: 1,
    maxParticipants: 256,
    bestOf: 1,
    quarterBestOf: null,
    semiBestOf: null,
    lowerFinalBestOf: null,
    finalBestOf: 1,
    grandFinal: "reset",
    groupSize: 4,
    thirdPlace: "automatic",
    checkInMinutes: 0,
    seeding: "manual",
    tieBreaks: DEFAULT_TIE_BREAKS,
    lastTieBreak: "match",
    registrationDeadline: 0,
    tournamentDate: HOUR,
    organisers: [ORGANISER],
    winnerTeamId: null,
    teams: Array.from({ length: teams }, (_, index) => {
      const name = `T${index + 1}`;
      return {
        id: name,
        name,
        captainId: name,
        state: "entered",
        listedAt: index,
        checkedInAt: null,
        seed: index + 1,
        place: null,
        lastPlace: null,
        disqualification: null,
        members: [{ userId: name, isSubstitute: false, isVerified: true, rank: null }],
      };
    }),
    matches: [],
    snapshot: null,
    ...changes,
  };
}

/** A tournament that tests play through its commands, without its room. */
export class Game {
  /** All events so far, the oldest first. */
  readonly events: PlayEvent[] = [];
  /** The state before the last accepted command. */
  before: PlayState;
  #ids = 0;

  constructor(
    public state: PlayState,
    public now = 2 * HOUR,
  ) {
    this.before = state;
  }

  /** Carries out a command. @returns the reason if it is refused, else null */
  async attempt(actorId: string | null, command: Command): Promise<string | null> {
    const chance: Chance = { shuffle: (list) => [...list], newId: () => `chat-${++this.#ids}` };
    this.now += 1000;
    const decision = await decide({ state: this.state, actorId, command, now: this.now, chance });
    if (!decision.ok) return decision.reason;
    this.before = this.state;
    this.state = decision.state;
    this.events.push(...decision.events);
    return null;
  }

  /** Carries out a command. @throws Error if it is refused */
  async execute(actorId: string | null, command: Command): Promise<void> {
    const refusal = await this.attempt(actorId, command);
    if (refusal) throw new Error(`${command.type} was refused: ${refusal}.`);
  }

  start = () => this.execute(ORGANISER, { type: "start" });

  /** Finds a match by its name. @throws Error if there is none */
  match(name: string): PlayMatch {
    const found = this.state.matches.find((match) => matchName(match) === name);
    if (!found) throw new Error(`There is no ${name}.`);
    return found;
  }

  /** Has the organiser decide a match: the team wins every map. */
  async win(match: PlayMatch, team: string): Promise<void> {
    const maps = Array.from(
      { length: mapsNeeded(match, match.team1 === team ? 1 : 2) },
      (): MapResult => ({ map: null, rounds: match.team1 === team ? [13, 7] : [7, 13] }),
    );
    await this.execute(ORGANISER, { type: "rule", match: match.id, maps });
  }

  /** Has the organiser reopen a match. @param later the matches that are undone with it */
  reopen = (match: PlayMatch, ...later: readonly PlayMatch[]) =>
    this.execute(ORGANISER, { type: "reopen", match: match.id, expects: writeResults([match, ...later]) });

  /** Plays every match that can be played; the better seed wins. @param until the name of a match to leave unplayed */
  async playOut(until?: string): Promise<void> {
    const strength = (team: string | null) => Number(team?.slice(1));
    for (;;) {
      const next = this.state.matches.find((match) => match.state === "ready" && matchName(match) !== until);
      if (!next) return;
      await this.win(next, (strength(next.team1) < strength(next.team2) ? next.team1 : next.team2) as string);
    }
  }

  /** Lists the final places in order, each with its team: "3rd–4th T3". */
  places(say: (place: number, last: number | null) => string): string[] {
    return this.state.teams
      .filter(({ place }) => place !== null)
      .sort((a, b) => (a.place as number) - (b.place as number))
      .map(({ name, place, lastPlace }) => `${say(place as number, lastPlace)} ${name}`);
  }
}
