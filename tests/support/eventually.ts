/**
 * Tries again until something holds, for what happens after the response.
 * @param attempt throws, or yields undefined, while it does not hold yet
 * @param timeout in milliseconds
 * @throws what the last attempt threw
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
