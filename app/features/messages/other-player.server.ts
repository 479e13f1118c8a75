import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { conversationMembers } from "#db/schema";
import type { PresenceState, SeenPresence } from "#party/wire/presence";
import { displayName, UNKNOWN_PLAYER } from "~/features/players/rules";

const o = alias(conversationMembers, "o");

/** Returns the id of the other player in a conversation of two, as an SQL expression. */
export const otherOf = (conversationId: SQL, self: string) => sql`(
  SELECT ${o.userId} FROM ${conversationMembers} AS ${o} WHERE ${o.conversationId} = ${conversationId}
    AND ${o.userId} <> ${self} LIMIT 1
)`;

/** The other player's columns in a row of raw SQL: null if there is none, or the account is gone. */
export interface PlayerColumns {
  otherId: string | null;
  riotId: string | null;
  riotGameName: string | null;
  avatarId: string | null;
  state: PresenceState | null;
  seenAt: number | null;
}

export const nameOfOther = ({ otherId, riotId, riotGameName }: PlayerColumns) =>
  otherId === null ? UNKNOWN_PLAYER : displayName({ userId: otherId, riotGameName, riotId });

export const presenceOf = ({ state, seenAt }: PlayerColumns): SeenPresence | null =>
  state !== null && seenAt !== null ? { state, seenAt } : null;
