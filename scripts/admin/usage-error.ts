/** An error in the typed command. */
export class UsageError extends Error {}
