import type { EventAction } from "#db/words/event-actions";
import type { Refusal } from "#party/wire/tournament-commands";
import type { PlayMatch, PlayState } from "./state";

/* What deciding on a command gives, and what all decisions use. */

/** Something that was done: for the log, and for those who are told of it. */
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
  /** Null for what happens by itself. */
  actorId: string | null;
  details: Record<string, string | number | null>;
}

export type Decision =
  | { ok: true; state: PlayState; events: PlayEvent[]; joins?: { match: number; userId: string } }
  | { ok: false; reason: Refusal };

export const refuse = (reason: Refusal): Decision => ({ ok: false, reason });

/** When something is decided, and by what chance. */
export interface Moment {
  /** In milliseconds since 1970. */
  now: number;
  chance: Chance;
}

/** What a decision goes by, besides the command. */
export interface Situation extends Moment {
  state: PlayState;
  /** The player who asks; null for what happens by itself. */
  actorId: string | null;
}

/** What chance decides, and what the database calls a new conversation. */
export interface Chance {
  /** Puts a list in any order. */
  shuffle<T>(list: readonly T[]): T[];
  newId(): string;
}

export const event = (
  action: PlayEvent["action"],
  match: PlayMatch,
  actorId: string | null,
  details: PlayEvent["details"],
): PlayEvent => ({ action, match: match.id, actorId, details });

/** A team's name; null where there is no such team. */
export const nameOf = (state: PlayState, teamId: string | null) =>
  state.teams.find(({ id }) => id === teamId)?.name ?? null;
