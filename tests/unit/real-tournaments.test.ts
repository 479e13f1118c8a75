import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Format, GrandFinal } from "#db/words/tournament-formats";
import type { Snapshot } from "~/features/tournaments/bracket/snapshot";
import { groupTables } from "~/features/tournaments/bracket/standings";
import type { MatchLengths } from "~/features/tournaments/format/stages";
import type { MapResult } from "~/game/scores";
import { Game, openTournament } from "../support/play-state";
import { drawnSeeds } from "../support/seeds";

/*
 * Real tournaments, as recorded in `tests/fixtures/tournaments`. Two captains report and confirm each match. Every
 * pairing has to occur as it did in reality, and every place has to match the record.
 */

const FOLDER = new URL("../fixtures/tournaments/", import.meta.url);

interface RealTournament {
  title: string;
  format: Format;
  /** The teams in the order of their seeds. */
  teams: string[];
  thirdPlace: boolean;
  groupSize: number;
  lengths: MatchLengths;
  matches: { winner: string; loser: string; sets: [number, number][] }[];
  places: { from: number; to: number; teams: string[]; step: string | null }[];
}

/**
 * Reads a fixture. The first line is the title. `name: value` lines follow, then matches ("winner 6-4 3-6 7-5 loser" or
 * "winner beat loser"), then places ("5-8 one; another", or "2 one by head-to-head" if a tie-break separates the team
 * from the one before). A `bracket` lists the first round from top to bottom, with "-" for a bye. A line beginning with
 * `#` is a comment.
 */
function read(file: string): RealTournament {
  const [title = "", ...lines] = readFileSync(new URL(file, FOLDER), "utf8").split("\n");
  const facts = new Map<string, string>();
  const matches: RealTournament["matches"] = [];
  const places: RealTournament["places"] = [];
  for (const line of lines.filter((text) => text !== "" && !text.startsWith("#"))) {
    const fact = /^([a-z ]+): (.+)$/.exec(line);
    const place = /^(\d+)(?:-(\d+))? (.+?)(?: by ([a-z-]+))?$/.exec(line);
    const match = /^(.+?) (beat|(?:\d+-\d+ ?)+) ?(\D.*)$/.exec(line);
    if (fact) facts.set(fact[1] as string, fact[2] as string);
    else if (place) {
      const [, from, to = from, teams, step = null] = place as unknown as [string, string, string?, string?, string?];
      places.push({ from: Number(from), to: Number(to), teams: (teams as string).split("; ").sort(), step });
    } else if (match) {
      const [, winner, score, loser] = match as unknown as [string, string, string, string];
      matches.push({ winner, loser, sets: score === "beat" ? [] : score.trim().split(" ").map(readSet) });
    } else throw new Error(`${file} has a line that can't be read: ${line}`);
  }
  const drawn = facts.get("bracket")?.split("; ");
  return {
    title,
    format: facts.get("format") as Format,
    teams: drawn ? bySeed(drawn) : (facts.get("teams") as string).split("; "),
    thirdPlace: facts.get("third place") === "yes",
    groupSize: Number(facts.get("group size") ?? 16),
    lengths: {
      bestOf: Number(facts.get("best of") ?? 1),
      quarterBestOf: null,
      semiBestOf: null,
      lowerFinalBestOf: Number(facts.get("losers final best of") ?? 0) || null,
      finalBestOf: Number(facts.get("final best of") ?? facts.get("best of") ?? 1),
      grandFinal: (facts.get("grand final") as GrandFinal | undefined) ?? "reset",
    },
    matches,
    places,
  };
}

const readSet = (set: string) => set.split("-").map(Number) as [number, number];

/**
 * Sorts the teams of a first round by seed. The round lists them from top to bottom, in the usual order of a draw.
 */
function bySeed(drawn: readonly string[]): string[] {
  const teams: string[] = [];
  drawnSeeds(drawn.length).forEach((seed, index) => {
    teams[seed - 1] = drawn[index] as string;
  });
  return teams.filter((team) => team !== "-");
}

/** The largest difference in a score that a map can show. Six games at two rounds each make a map of 13 to 1. */
const MAX_DIFFERENCE = 6;

/**
 * Turns a score into a map: a set's, or a whole match's in sports without sets. Each game, goal or point of difference
 * counts as two rounds, since a map is won by at least two.
 */
function mapOf([one, two]: [number, number], isTurned: boolean): MapResult {
  const difference = Math.max(-MAX_DIFFERENCE, Math.min(MAX_DIFFERENCE, one - two)) * (isTurned ? -1 : 1);
  const rounds: [number, number] = difference > 0 ? [13, 13 - 2 * difference] : [13 + 2 * difference, 13];
  return { map: null, rounds };
}

async function play({ teams, format, thirdPlace, groupSize, lengths, matches }: RealTournament): Promise<Game> {
  const open = openTournament(teams.length, {
    format,
    thirdPlace: thirdPlace ? "yes" : "no",
    groupSize,
    ...lengths,
  });
  const named = open.teams.map((team, index) => {
    const name = teams[index] as string;
    return {
      ...team,
      id: name,
      name,
      captainId: name,
      members: team.members.map((member) => ({ ...member, userId: name })),
    };
  });
  const game = new Game({ ...open, teams: named });
  await game.start();
  for (const { winner, loser, sets } of matches) {
    const match = game.state.matches.find(
      ({ state, team1, team2 }) =>
        state === "ready" && [team1, team2].includes(winner) && [team1, team2].includes(loser),
    );
    if (!match) throw new Error(`${winner} and ${loser} don't meet.`);
    const isTurned = match.team1 !== winner;
    const played =
      sets.length > 0 ? sets : Array.from({ length: (match.bestOf + 1) / 2 }, () => [1, 0] as [number, number]);
    for (const team of [winner, loser]) await game.execute(team, { type: "check-in", match: match.id });
    const maps = played.map((set) => mapOf(set, isTurned));
    await game.execute(winner, { type: "report", match: match.id, maps });
    const reported = game.state.matches.find(({ id }) => id === match.id);
    await game.execute(loser, { type: "confirm", match: match.id, expects: reported?.reportedAt as number });
  }
  return game;
}

describe("A real tournament", () => {
  test.each(readdirSync(FOLDER))("%s ends as it did in reality", async (file) => {
    const real = read(file);
    const { state } = await play(real);
    expect(state.state, real.title).toBe("finished");
    const shown = new Map<number, string[]>();
    for (const { name, place } of state.teams)
      shown.set(place as number, [...(shown.get(place as number) ?? []), name]);
    expect([...shown.entries()].sort(([a], [b]) => a - b).map(([place, names]) => [place, names.sort()])).toEqual(
      real.places.map(({ from, teams }) => [from, teams]),
    );
    for (const { from, to, teams } of real.places) {
      expect(teams, `${from}–${to}`).toHaveLength(to - from + 1);
      const sharing = state.teams.filter(({ place }) => place === from);
      expect(sharing.map(({ lastPlace }) => lastPlace ?? from)).toEqual(teams.map(() => to));
    }
    if (real.format === "round_robin" && real.places.every(({ teams }) => teams.length === 1)) {
      const [table = []] = groupTables(state.snapshot as Snapshot);
      expect(table.map(({ team, separatedBy }) => [team, separatedBy])).toEqual(
        real.places.map(({ teams: [team], step }) => [team, step]),
      );
    }
  });
});
