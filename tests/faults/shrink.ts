/**
 * Looks for fewer rounds that still fail: leaves out halves, then quarters, and so on.
 * @param count the number of rounds, all of which failed together
 * @param fails plays the rounds with these numbers, from 0; a failure may not recur, because timing varies between runs
 * @param deadline when to stop, in milliseconds since 1970
 * @returns the numbers of the fewest rounds that have failed
 */
export async function shrink(
  count: number,
  fails: (rounds: readonly number[]) => Promise<boolean>,
  deadline: number,
): Promise<readonly number[]> {
  let fewest: readonly number[] = Array.from({ length: count }, (_, index) => index);
  for (let size = Math.ceil(count / 2); Date.now() < deadline; size = Math.ceil(size / 2)) {
    for (let from = fewest.length - size; from > -size && Date.now() < deadline; from -= size) {
      const rest = fewest.filter((_, index) => index < from || index >= from + size);
      if (rest.length > 0 && rest.length < fewest.length && (await fails(rest))) fewest = rest;
    }
    if (size === 1) break;
  }
  return fewest;
}
