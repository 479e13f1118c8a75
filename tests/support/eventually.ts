/**
 * Retries until an attempt succeeds, for effects that come after the response.
 * @param attempt is retried as long as it throws or returns undefined
 * @param timeout in milliseconds
 * @throws the last attempt's error
 */
export async function eventually<T>(
  attempt: () => Promise<T | undefined> | T | undefined,
  timeout = 5_000,
): Promise<T> {
  const deadline = Date.now() + timeout;
  for (;;) {
    let failure: unknown = new Error(`It did not happen within ${timeout} ms.`);
    try {
      const value = await attempt();
      if (value !== undefined) return value;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > deadline) throw failure;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
