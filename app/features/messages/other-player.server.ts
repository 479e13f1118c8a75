import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { conversationMembers } from "#db/schema";
import type { PresenceState, SeenPresence } from "#party/wire/presence";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { knows } from "./shared/contact-policy.server";

const o = alias(conversationMembers, "o");

/** Returns the id of the other player in a conversation of two, as an SQL expression. */
export const otherOf = (conversationId: SQL, self: string) => sql`(
  SELECT ${o.userId} FROM ${conversationMembers} AS ${o} WHERE ${o.conversationId} = ${conversationId}
    AND ${o.userId} <> ${self} LIMIT 1
)`;

/**
 * Builds the SQL condition that a viewer sees a player's presence, typing and read marks in their conversation: the
 * player knows the viewer, and there is no block between the two.
 * @param player the id of the player whose activity it is, as an SQL expression
 * @param viewer the viewer's id
 */
export const showsActivityTo = (player: SQL, viewer: string): SQL =>
  sql`(NOT ${blockBetween(player, viewer)} AND ${knows(player, sql`${viewer}`)})`;

/** The other player's columns in a row of raw SQL: null if there is no other player, or if their account is gone. */
export interface PlayerColumns {
  otherId: string | null;
  riotId: string | null;
  riotGameName: string | null;
  avatarId: string | null;
  state: PresenceState | null;
  seenAt: number | null;
}

/** Returns the other player's name in Chat: `Unknown User` if they have none (specification, section 2). */
export const nameOfOther = ({ riotId, riotGameName }: PlayerColumns) => riotGameName || riotId || UNKNOWN_PLAYER;

export const presenceOf = ({ state, seenAt }: PlayerColumns): SeenPresence | null =>
  state !== null && seenAt !== null ? { state, seenAt } : null;
