/** The title of the toast when an account can't be deleted. Kept out of `rules.ts`, which most pages load. */
export const DELETION_FAILED = "Error deleting account";
