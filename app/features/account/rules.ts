import { DAY } from "~/platform/dates/durations";

/** How long a player can cancel the deletion of their account after asking for it, in milliseconds: 7 days. */
export const DELETION_DELAY = 7 * DAY;
