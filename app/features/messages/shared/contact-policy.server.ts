import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, lfgPosts, profiles } from "#db/schema";
import type { ContactPolicy } from "#db/words/contact-policies";
import { havePlayedTogether } from "~/features/encounters/shared/met.server";
import { pairKeyOf } from "./pair-key.server";

const c = alias(conversations, "between");
const p = alias(profiles, "recipient");
const w = alias(conversationMembers, "writer");

/**
 * Builds the SQL expression for whether a player takes messages from another. Depending on their choice, they take
 * messages from anyone, from players they know (`knows`), or only from players to whom they have written. True for a
 * player without a profile.
 * @param recipient the player's id, as an SQL expression
 * @param sender the id of the player who writes, as an SQL expression
 */
export const takesMessagesFrom = (recipient: SQL, sender: SQL) => sql`(
  CASE (SELECT ${p.contactPolicy} FROM ${profiles} AS ${p} WHERE ${p.userId} = ${recipient})
    WHEN 'met' THEN ${knows(recipient, sender)}
    WHEN 'nobody' THEN ${hasWrittenTo(recipient, sender)}
    ELSE 1
  END
)`;

/**
 * Builds the SQL expression for whether a player knows another: they have written to the other in their conversation,
 * or the two have met. Only then may the other see the player's activity, or write more than a few messages. Reads no
 * messages: players who have met by talking have also written to each other.
 * @param player the player's id, as an SQL expression
 * @param other the other's id, as an SQL expression
 */
export const knows = (player: SQL, other: SQL) =>
  sql`(${hasWrittenTo(player, other)} OR ${havePlayedTogether(player, other)})`;

const hasWrittenTo = (writer: SQL, reader: SQL) => sql`EXISTS (
  SELECT 1 FROM ${conversations} AS ${c}
  JOIN ${conversationMembers} AS ${w} ON ${w.conversationId} = ${c.id} AND ${w.userId} = ${writer}
  WHERE ${c.pairKey} = ${pairKeyOf(writer, reader)} AND ${w.hasWritten} = 1
)`;

/** Returns whether a player takes messages from another. */
export const findWhetherTakesMessages = (db: Database, recipientId: string, senderId: string): Promise<boolean> =>
  find(db, sql`${recipientId}`, senderId);

/** Returns whether a post's author takes messages from a player. */
export const findWhetherAuthorTakesMessages = (db: Database, postId: string, senderId: string): Promise<boolean> =>
  find(db, sql`(SELECT ${lfgPosts.userId} FROM ${lfgPosts} WHERE ${lfgPosts.id} = ${postId})`, senderId);

async function find(db: Database, recipient: SQL, senderId: string): Promise<boolean> {
  const { takes } = await db.get<{ takes: number }>(
    sql`SELECT ${takesMessagesFrom(recipient, sql`${senderId}`)} AS takes`,
  );
  return takes === 1;
}

/** Returns a player's own choice; undefined if the account is gone. */
export async function findContactPolicy(db: Database, userId: string): Promise<ContactPolicy | undefined> {
  const row = await db
    .select({ policy: profiles.contactPolicy })
    .from(profiles)
    .where(eq(profiles.userId, userId))
    .get();
  return row?.policy;
}

/** Saves a player's own choice. It counts from the next message on. */
export async function saveContactPolicy(db: Database, userId: string, policy: ContactPolicy): Promise<void> {
  await db.update(profiles).set({ contactPolicy: policy }).where(eq(profiles.userId, userId));
}
