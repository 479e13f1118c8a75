/** A team in the order of seeds. */
interface Seeded {
  id: string;
  seed: number | null;
  listedAt: number;
}

/** Teams by their seeds; those without one behind, in the order in which they came. */
export const inSeedOrder = <T extends Seeded>(teams: readonly T[]): T[] =>
  [...teams].sort(
    // Infinity less itself is no number, and so no difference.
    (a, b) => (a.seed ?? Infinity) - (b.seed ?? Infinity) || a.listedAt - b.listedAt || (a.id < b.id ? -1 : 1),
  );

/** A list with one of its members elsewhere: before the one that is `to`th now, counted without it. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  const member = list[from];
  return member === undefined ? rest : [...rest.slice(0, Math.max(0, to)), member, ...rest.slice(Math.max(0, to))];
}
