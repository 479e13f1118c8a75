import { DAY } from "~/platform/dates/durations";

/** The time in which a player can cancel the deletion of their account, in milliseconds: 7 days. */
export const DELETION_DELAY = 7 * DAY;

/** The address of an account page that suspended players can open, too. */
export const restrictedAddress = (page: "decisions" | "export" | "delete-account") => `/account/${page}`;

/** Everything that the page `Delete Account` shows. */
export interface DeletionPageData {
  /** The date of the deletion, if it is scheduled. */
  dueOn: string | null;
  /** Whether the sign-in is recent, as deleting requires. */
  isRecent: boolean;
  isSuspended: boolean;
  /** The address of this page. */
  page: string;
  /** The address of the page where players download their data. */
  exportPage: string;
}
