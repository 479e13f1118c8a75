/** Storage may be full, or forbidden: then nothing is kept, and typing goes on. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
