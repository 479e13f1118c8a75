import type { BracketMatch, Slot } from "../bracket/matches";

type Named = Pick<BracketMatch, "part" | "group" | "round" | "rounds" | "number">;

/** A group's letter, "A" to "Z", then "AA" …. @param number from 1 */
const letter = (number: number): string =>
  (number > 26 ? letter(Math.floor((number - 1) / 26)) : "") + String.fromCharCode(65 + ((number - 1) % 26));

export const groupName = (number: number) => `Group ${letter(number)}`;

/** Returns the heading of a round: "Quarter-finals", "Losers' round 3", "Group A, round 2". */
export function roundName({ part, group, round, rounds }: Omit<Named, "number">): string {
  switch (part) {
    case "group":
      return `${groupName(group)}, round ${round}`;
    case "tie-break":
      return `${groupName(group)}, tie-break${rounds > 1 ? `, round ${round}` : ""}`;
    case "winners":
      return round === rounds ? "Winners' final" : `Winners' round ${round}`;
    case "losers":
      return round === rounds ? "Losers' final" : `Losers' round ${round}`;
    case "third-place":
      return "Third-place match";
    case "grand-final":
      return round === 1 ? "Grand final" : "Second grand final";
    default:
      return knockOut(rounds - round, true);
  }
}

/** Returns a match's name: "Quarter-final 2", "Final", "Losers' round 3, match 4"; "Quarter-final" if it is a bye. */
export function matchName(match: Named): string {
  const { part, round, rounds, number } = match;
  if (part === "bracket" || part === "playoffs") {
    const left = rounds - round;
    return left === 0 || number === 0
      ? knockOut(left, false)
      : left < 3
        ? `${knockOut(left, false)} ${number}`
        : `${knockOut(left, true)}, match ${number}`;
  }
  const isAlone =
    number === 0 ||
    part === "grand-final" ||
    part === "third-place" ||
    (part === "tie-break" ? rounds === 1 : part !== "group" && round === rounds);
  return isAlone ? roundName(match) : `${roundName(match)}, match ${number}`;
}

function knockOut(roundsLeft: number, plural: boolean): string {
  if (roundsLeft === 0) return "Final";
  if (roundsLeft < 3) return `${roundsLeft === 1 ? "Semi" : "Quarter"}-final${plural ? "s" : ""}`;
  return `Round of ${2 ** (roundsLeft + 1)}`;
}

/**
 * Returns a match's name for use within a sentence: "the final", "semi-final 2", "Group A, round 3, match 1".
 * @param name as returned by `matchName`
 */
export function nameInSentence(name: string): string {
  if (name.startsWith("Group ")) return name;
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return /(final|match)$/i.test(name) ? `the ${lower}` : lower;
}

/** Describes the future team of an empty slot: "Winner of semi-final 2". @param source the match it waits for */
export const slotName = ({ from }: Pick<Slot, "from">, source: Named): string => {
  const name = matchName(source);
  return `${from?.outcome === "loser" ? "Loser" : "Winner"} of ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
};
