/**
 * Creates the refusal of a request that is over a limit.
 * @param reason the sentence before "Try again in …"
 */
export function tooManyTries(retryAfter: number, reason = "That was a lot in a short time.") {
  const error = `${reason} Try again in ${timeUntil(retryAfter)}.`;
  return { ok: false, status: 429, error, retryAfter } as const;
}

/** Returns the time to wait in words, such as `1 second` or `12 minutes`. */
export function timeUntil(retryAfter: number): string {
  if (retryAfter >= 90) return `${Math.ceil(retryAfter / 60)} minutes`;
  return `${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}`;
}
