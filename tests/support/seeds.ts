/** The seeds of a bracket's first round from top to bottom, in the usual order: 1, 4, 2, 3 for 4 places. */
export function drawnSeeds(places: number): number[] {
  let seeds = [1];
  while (seeds.length < places) {
    const next = seeds.length * 2 + 1;
    seeds = seeds.flatMap((seed) => [seed, next - seed]);
  }
  return seeds;
}
