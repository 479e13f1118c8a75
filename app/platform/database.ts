import { DatabaseUnavailableError } from "#db/client";

/** Whether an error, or one of its causes, means that the database didn't answer. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError || (error instanceof Error && isDatabaseUnavailable(error.cause));
}

/** Recognises an SQLite error by its message, even if Drizzle has wrapped it. */
export function failsWith(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && (pattern.test(error.message) || failsWith(error.cause, pattern));
}
