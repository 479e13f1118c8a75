import { DAY } from "~/platform/dates/durations";

/** How long a player may change their mind after asking for the account to be deleted, in milliseconds: 7 days. */
export const DELETION_DELAY = 7 * DAY;
