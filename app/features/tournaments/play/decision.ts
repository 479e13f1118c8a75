import type { EventAction } from "#db/words/event-actions";
import type { Refusal } from "#party/wire/tournament-commands";
import type { PlayMatch, PlayState } from "./state";

/* The result of deciding on a command, and the helpers that all decisions use. */

/** Something that happened, for the log and for the players who are told about it. */
export interface PlayEvent {
  action: Extract<
    EventAction,
    | "started"
    | "checked-in"
    | "reported"
    | "confirmed"
    | "counted"
    | "disputed"
    | "forfeited"
    | "claimed"
    | "ruled"
    | "reopened"
    | "undone"
    | "overdue"
    | "disqualified"
    | "defaulted"
    | "reinstated"
    | "won"
  >;
  match: number | null;
  /** Null if it happened automatically. */
  actorId: string | null;
  details: Record<string, string | number | null>;
}

export type Decision =
  | { ok: true; state: PlayState; events: PlayEvent[]; joins?: { match: number; userId: string } }
  | { ok: false; reason: Refusal };

export const refuse = (reason: Refusal): Decision => ({ ok: false, reason });

/** The time of a decision, and its source of randomness. */
export interface Moment {
  /** In milliseconds since 1970. */
  now: number;
  chance: Chance;
}

/** The inputs of a decision, besides the command. */
export interface Situation extends Moment {
  state: PlayState;
  /** The player who gave the command; null for automatic ones. */
  actorId: string | null;
}

/** A source of randomness, and of ids for new conversations. */
export interface Chance {
  /** Returns a list in random order. */
  shuffle<T>(list: readonly T[]): T[];
  newId(): string;
}

export const event = (
  action: PlayEvent["action"],
  match: PlayMatch,
  actorId: string | null,
  details: PlayEvent["details"],
): PlayEvent => ({ action, match: match.id, actorId, details });

/** Returns a team's name; null if there is no such team. */
export const nameOf = (state: PlayState, teamId: string | null) =>
  state.teams.find(({ id }) => id === teamId)?.name ?? null;
