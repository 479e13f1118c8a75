interface Pace {
  /** The time that a call waits for others to join it, in milliseconds. */
  delay: number;
  /** The shortest time between the starts of two runs, in milliseconds. */
  interval: number;
}

/**
 * Coalesces calls into runs of some work: calls made before a run starts share that run, and calls made during a run
 * share the next one. Two runs never overlap.
 * @param work handles its own failures
 * @returns a function that requests a run; its promise settles when that run has ended
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

/**
 * Waits.
 * @param duration in milliseconds
 */
export const pause = (duration: number) => new Promise<void>((resolve) => setTimeout(resolve, duration));
