import { DAY } from "~/platform/dates/durations";

/** The age below which an account's links are flagged, in milliseconds. */
export const NEW_ACCOUNT = DAY;

/**
 * Whether an account was new at a moment. One that is gone counts as new.
 * @param createdAt when it was created, in milliseconds since 1970; null if it is gone
 * @param at the moment, in milliseconds since 1970
 */
export const isNewAccount = (createdAt: number | null, at: number): boolean =>
  createdAt === null || at - createdAt < NEW_ACCOUNT;
