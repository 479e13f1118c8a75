import { DAY } from "~/platform/dates/durations";

/** Links of an account younger than this are flagged. In milliseconds. */
export const NEW_ACCOUNT = DAY;
