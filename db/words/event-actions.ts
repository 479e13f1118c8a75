/** The entries of a tournament's log. `app/features/tournaments/events.ts` words each of them. */
export const EVENT_ACTIONS = [
  "hosted",
  "edited",
  "cancelled",
  "was-cancelled",
  "organiser-added",
  "organiser-removed",
  "organiser-left",
  "registered",
  "withdrew",
  "removed-team",
  "moved-up",
  "joined-team",
  "left-team",
  "removed-player",
  "handed-over",
  "swapped-players",
  "team-checked-in",
  "started",
  "checked-in",
  "reported",
  "confirmed",
  "counted",
  "disputed",
  "forfeited",
  "claimed",
  "ruled",
  "reopened",
  "undone",
  "disqualified",
  "defaulted",
  "reinstated",
  "overdue",
  "won",
] as const;

export type EventAction = (typeof EVENT_ACTIONS)[number];

/** All the data that the wording of an event needs. */
export type EventDetails = Record<string, string | number | boolean | null>;
