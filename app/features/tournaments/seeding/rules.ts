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

/** The order of teams on an organiser's page, as ids. */
export interface PageOrder {
  ids: readonly string[];
  /** The stored order that the page has loaded. */
  stored: readonly string[];
  /** The order that the organiser last submitted; null before that. */
  sent: readonly string[] | null;
  /** Whether someone else has saved an order since the organiser began to change this one. */
  isOvertaken: boolean;
}

/** Returns the state of a page that shows the stored order. */
export const showStored = (stored: readonly string[]): PageOrder => ({
  ids: stored,
  stored,
  sent: null,
  isOvertaken: false,
});

export const isSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);

/**
 * Returns a page's order after another stored order has been loaded. An unchanged order becomes the stored one. A
 * changed one is kept, but teams that have withdrawn are left out and new ones come last, as when it is saved.
 */
export function followStored({ ids, stored, sent, isOvertaken }: PageOrder, loaded: readonly string[]): PageOrder {
  const common = (order: readonly string[]) => order.filter((id) => loaded.includes(id));
  const merged = [...common(ids), ...loaded.filter((id) => !ids.includes(id))];
  if (isSameOrder(ids, stored) || isSameOrder(merged, loaded)) return showStored(loaded);
  const agreesWithLoaded = (order: readonly string[]) =>
    isSameOrder(
      common(order),
      loaded.filter((id) => order.includes(id)),
    );
  const isOwn = sent !== null && agreesWithLoaded(sent);
  return { ids: merged, stored: loaded, sent, isOvertaken: !isOwn && (isOvertaken || !agreesWithLoaded(stored)) };
}
