/** The database figures in a response's `Server-Timing` header. */
interface DatabaseTiming {
  statements: number;
  roundTrips: number;
}

/** @returns the figures, or null when the header has none (as on /auth) */
export function databaseTiming(response: { headers: Headers }): DatabaseTiming | null {
  const header = response.headers.get("Server-Timing") ?? "";
  const match = header.match(/db;[^,]*desc="(\d+) statements?, (\d+) round trips?"/);
  return match ? { statements: Number(match[1]), roundTrips: Number(match[2]) } : null;
}

/**
 * Returns the number of sequential round trips to the database that a response took.
 * @throws Error when the response has no database figures
 */
export function roundTrips(response: { headers: Headers }): number {
  const timing = databaseTiming(response);
  if (!timing) throw new Error("The response has no Server-Timing header with database figures.");
  return timing.roundTrips;
}
