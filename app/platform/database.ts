import { DatabaseUnavailableError } from "#db/client";

/** Whether an error, or one of its causes, means that the database didn't answer. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError || (error instanceof Error && isDatabaseUnavailable(error.cause));
}
