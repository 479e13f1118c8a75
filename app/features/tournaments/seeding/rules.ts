/** A team to be sorted by seed. */
interface Seeded {
  id: string;
  seed: number | null;
  listedAt: number;
}

/** Sorts teams by seed; teams without a seed come last, by when they registered. */
export const inSeedOrder = <T extends Seeded>(teams: readonly T[]): T[] =>
  [...teams].sort(
    // Infinity minus Infinity is NaN, which is falsy, so the next criterion decides.
    (a, b) => (a.seed ?? Infinity) - (b.seed ?? Infinity) || a.listedAt - b.listedAt || (a.id < b.id ? -1 : 1),
  );

/** Returns a list with one element moved. @param to the element's new index */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const member = list[from];
  return member === undefined ? rest : [...rest.slice(0, Math.max(0, to)), member, ...rest.slice(Math.max(0, to))];
}
