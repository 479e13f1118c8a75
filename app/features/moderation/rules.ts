import type { DecisionAction } from "#db/words/decision-actions";
import type { RestrictionScope } from "#db/words/restriction-scopes";
import { DAY } from "~/platform/dates/durations";

interface ActionWords {
  /** The label of its button. */
  name: string;
  /** A description of its effect, for the moderator who chooses it. */
  effect: string;
  /** The same once the player's account is gone, if it then has another effect. */
  effectIfGone?: string;
  /** Its name in the past tense, for the list of a case's decisions. */
  done: string;
}

/** The wording of each decision, in the order of the case's page. */
export const ACTION_WORDS: Record<DecisionAction, ActionWords> = {
  dismiss: { name: "Dismiss", effect: "Closes the case, without consequences for anyone.", done: "dismissed it" },
  hide: {
    name: "Hide",
    effect: "Takes it off every page. Only its author still sees it.",
    effectIfGone: "Takes it off every page.",
    done: "hid it",
  },
  restore: { name: "Restore", effect: "Shows again what was hidden.", done: "restored it" },
  warn: { name: "Warn", effect: "Sends the player your reason, and nothing else.", done: "warned the player" },
  limit: {
    name: "Limit",
    effect: "Stops the player from posting, messaging, hosting or joining tournaments until a set time.",
    done: "limited the player",
  },
  suspend: {
    name: "Suspend",
    effect: "Stops the player from using Lineup until a set time. They leave their teams and tournaments.",
    done: "suspended the player",
  },
  ban: { name: "Ban", effect: "A suspension without an end.", done: "banned the player" },
  "hand-over": {
    name: "Hand to an admin",
    effect: "After that, only admins decide it.",
    done: "handed it to the admins",
  },
  undo: {
    name: "Undo",
    effect: "Undoes the latest decision and tells the player.",
    effectIfGone: "Undoes the latest decision.",
    done: "undid the latest decision",
  },
};

/**
 * How long a decision that finds a fault is kept, in milliseconds: three years, so that moderators can recognise a
 * repeat offence. A decision is kept longer while it is in effect or an appeal is waiting.
 */
export const DECISIONS_KEPT = 3 * 365 * DAY;

/** Reasons why a moderator may not decide a case about another player. */
export const REPORTED_BY_YOU = "You reported this yourself, so someone else decides it.";
export const REVIEW_OF_YOU = "This review is about you, so someone else decides it.";

/** Whether a decision finds a fault, and must therefore name the rule that was broken. */
export const findsFault = (action: DecisionAction): boolean =>
  action === "hide" || action === "warn" || action === "limit" || action === "suspend" || action === "ban";

/** Whether a decision has an end that the moderator chooses. */
export const hasEnd = (action: DecisionAction): boolean => action === "limit" || action === "suspend";

/** Whether a decision settles an open case. */
export const closesCase = (action: DecisionAction): boolean => action !== "hand-over" && action !== "undo";

/** Whether a decision is about the player rather than the thing, and so needs their account. */
export const concernsPlayer = (action: DecisionAction): boolean =>
  action === "warn" || action === "limit" || action === "suspend" || action === "ban";

/** Whether a decision locks the player out. */
export const isHard = (action: DecisionAction): boolean => action === "suspend" || action === "ban";

/** Completes "You can't … until" for each scope of a limit. */
export const SCOPE_WORDS: Record<RestrictionScope, string> = {
  posting: "write or change posts",
  messaging: "send messages",
  hosting: "host tournaments or edit their texts",
  joining: "join tournaments",
};

/** The page where players read and appeal the decisions about them. */
export const OWN_DECISIONS = "/account/decisions";

/** Maximum number of characters of a reason, and of a note. */
export const MAX_REASON = 4_000;

/** The name of each scope, in forms and lists. */
export const SCOPE_NAMES: Record<RestrictionScope, string> = {
  posting: "Posting",
  messaging: "Messages",
  hosting: "Hosting",
  joining: "Joining tournaments",
};

/** The decisions that a case's page offers, in order. */
export const CASE_ACTIONS: readonly DecisionAction[] = [
  "dismiss",
  "hide",
  "restore",
  "warn",
  "limit",
  "suspend",
  "ban",
  "hand-over",
  "undo",
];
