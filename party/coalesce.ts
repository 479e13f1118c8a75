interface Pace {
  /** How long a call waits for others to join it, in milliseconds. */
  delay: number;
  /** How long after the beginning of one run the next may begin, in milliseconds. */
  interval: number;
}

/**
 * Makes one run of some work out of many calls for it: those that come before it begins share it, those that come while
 * it runs share the next one. Two runs never overlap.
 * @param work must see to its own failures
 * @returns what asks for a run; its promise settles when that run has ended
 */
export function coalesce(work: () => Promise<void>, { delay, interval }: Pace): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let beganAt = Number.NEGATIVE_INFINITY;
  const run = async () => {
    await running;
    const wait = Math.max(delay, beganAt + interval - Date.now());
    if (wait > 0) await pause(wait);
    next = undefined;
    beganAt = Date.now();
    running = work();
    await running;
  };
  return () => {
    next ??= run();
    return next;
  };
}

/** @param duration in milliseconds */
export const pause = (duration: number) => new Promise<void>((resolve) => setTimeout(resolve, duration));
