import { roundName } from "../shared/match-names";
import { isPlayed, type ListedMatch, type Matches, sourceOf } from "./listed-match";

/** A match and its position in the drawing. */
export interface Place {
  match: ListedMatch;
  /** The match's position in its column, in matches from the top (0); may be a fraction. */
  row: number;
  /**
   * The winner's next match, to which a line leads. `down` is how many rows lower that match is (negative: higher).
   */
  next: { id: number; down: number } | null;
  /** The winner's next match in another drawing, to which no line leads: the grand final, after the losers' final. */
  onward: number | undefined;
  /** The teams that came here along a line; null where no line leads here. */
  arrived: readonly number[] | null;
}

export interface Column {
  title: string;
  places: Place[];
}

/** One bracket as it is drawn, with its rounds as columns from left to right. */
export interface Drawing {
  title: string;
  columns: Column[];
  /** Its height, in matches. */
  rows: number;
}

type Part = ListedMatch["part"];

/** The distance of the match for third place below the final, in matches: clear of the lines to the final. */
const THIRD_PLACE_OFFSET = 1.5;

/** The title of a single elimination's only bracket. There is no other bracket, so only screen readers get it. */
export const BRACKET = "Bracket";

/** Each drawing's heading and the parts it shows. The grand final is shown at the end of the winners' bracket. */
const DRAWINGS: readonly { title: string; parts: readonly Part[] }[] = [
  { title: BRACKET, parts: ["bracket", "third-place"] },
  { title: "Winners' bracket", parts: ["winners", "grand-final"] },
  { title: "Losers' bracket", parts: ["losers"] },
  { title: "Play-offs", parts: ["playoffs"] },
];

/**
 * Lays out the matches of an elimination. Byes are left out and take no room: the first column holds only the matches
 * that are played, and a team with a bye first appears in the next column. A match that two others lead to is midway
 * between them.
 */
export function drawBrackets(matches: Matches): Drawing[] {
  return DRAWINGS.flatMap(({ title, parts }) => {
    const drawn = [...matches.values()].filter((match) => parts.includes(match.part) && isPlayed(match));
    return drawn.length > 0 ? [{ title, ...layOut(drawn, parts, matches) }] : [];
  });
}

function layOut(drawn: readonly ListedMatch[], parts: readonly Part[], matches: Matches): Omit<Drawing, "title"> {
  const feeders = new Map(drawn.map((match) => [match.id, feedersOf(match, parts, matches)]));
  const next = new Map(
    [...feeders].flatMap(([id, feeding]) => feeding.map((feeder) => [feeder.match.id, id] as const)),
  );
  const onward = new Map(
    [...matches.values()].flatMap((match) =>
      ([0, 1] as const).flatMap((side) => {
        const source = sourceOf(match, side, matches);
        return source?.outcome === "winner" && !parts.includes(match.part)
          ? [[source.match.id, match.id] as const]
          : [];
      }),
    ),
  );
  const rows = new Map<number, number>();
  let height = 0;
  const place = (id: number): number => {
    const above = (feeders.get(id) ?? []).map((feeder) => place(feeder.match.id));
    const row = above.length > 0 ? (Math.min(...above) + Math.max(...above)) / 2 : height++;
    rows.set(id, row);
    return row;
  };
  const third = drawn.find(({ part }) => part === "third-place");
  for (const { id } of drawn) if (!next.has(id) && id !== third?.id) place(id);
  if (third) {
    const final = drawn.find(({ part, round, rounds }) => part === "bracket" && round === rounds) as ListedMatch;
    const row = (rows.get(final.id) as number) + THIRD_PLACE_OFFSET;
    rows.set(third.id, row);
    height = Math.max(height, row + 1);
  }

  const rowOf = (id: number) => rows.get(id) as number;
  const columns = new Map<string, Column>();
  for (const match of [...drawn].sort((a, b) => order(a) - order(b) || rowOf(a.id) - rowOf(b.id))) {
    const title = third?.round === match.round ? "Finals" : titleOf(match);
    const column = columns.get(title) ?? { title, places: [] };
    columns.set(title, column);
    const to = next.get(match.id);
    const feeding = feeders.get(match.id) ?? [];
    column.places.push({
      match,
      row: rowOf(match.id),
      next: to === undefined ? null : { id: to, down: rowOf(to) - rowOf(match.id) },
      onward: onward.get(match.id),
      arrived: feeding.length > 0 ? feeding.map(({ side }) => match.teams[side]).filter((team) => team !== null) : null,
    });
  }
  return { columns: [...columns.values()], rows: height };
}

const titleOf = (match: ListedMatch) =>
  // The first grand final decides whether this one is played.
  match.part === "grand-final" && match.round === 2 && match.state === "waiting"
    ? `${roundName(match)}, if needed`
    : roundName(match);

const order = ({ part, round }: ListedMatch) => (part === "grand-final" ? 1_000 : 0) + round;

/** The matches of the same drawing whose winners meet here, each with the side that it leads to. */
function feedersOf(match: ListedMatch, parts: readonly Part[], matches: Matches) {
  return ([0, 1] as const).flatMap((side) => {
    const source = sourceOf(match, side, matches);
    const leadsHere = source?.outcome === "winner" && parts.includes(source.match.part) && isPlayed(source.match);
    return leadsHere ? [{ match: source.match, side }] : [];
  });
}
