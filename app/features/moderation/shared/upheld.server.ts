import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import { decisions, identities, profiles, upheldSuspensions, users } from "#db/schema";
import { bare, columnsOf, decisionActions } from "#db/sql";
import { keyedHash } from "~/platform/crypto/crypto.server";
import { FOREVER } from "~/platform/lists/keyset.server";

const behind = alias(decisions, "behind");
const held = alias(users, "held");

/**
 * A part of an account that is kept, as a keyed hash, when the account is erased during its suspension. An address that
 * was never confirmed may be someone else's, so it isn't kept. A Riot account that was only looked up may be someone
 * else's, too. Its hash is kept, but doesn't keep out an owner who proves the account by Riot Sign-On.
 */
type Trace = "email" | "puuid" | "proven-puuid";

const hashOf = (key: string, kind: Trace, value: string): string =>
  keyedHash(key, "upheld suspensions", `${kind}:${value}`);

/**
 * Lists the hashes under which traces of an account may be kept.
 * @param keys the setting `ENCRYPTION_KEY`, with all keys of a rotation
 * @param traces null values are ignored
 */
export const hashesOf = (keys: readonly string[], traces: Partial<Record<Trace, string | null>>): string[] =>
  Object.entries(traces).flatMap(([kind, value]) =>
    value ? keys.map((key) => hashOf(key, kind as Trace, value)) : [],
  );

/**
 * Builds the condition that an email address or Riot account is barred, because it belonged to an erased account whose
 * suspension is still running.
 * @param keys the setting `ENCRYPTION_KEY`, with all keys of a rotation
 * @param traces the parts to use for an account; null values are ignored
 */
export function isUpheld(keys: readonly string[], now: Date, traces: Partial<Record<Trace, string | null>>): SQL {
  const hashes = hashesOf(keys, traces).map((hash) => sql`${hash}`);
  return sql`EXISTS (SELECT 1 FROM ${upheldSuspensions}
    WHERE ${upheldSuspensions.hash} IN (${sql.join(hashes, sql`, `)})
      AND (${upheldSuspensions.until} IS NULL OR ${upheldSuspensions.until} > ${now.getTime()}))`;
}

/**
 * True for the rows of `upheld_suspensions` that a player's account has left.
 * @param playerId the player's id, or the column that has it
 */
export const isTraceOf = (playerId: string | SQLiteColumn): SQL => sql`${upheldSuspensions.decisionId} IN (
  SELECT ${behind.id} FROM ${decisions} AS ${behind}
  WHERE ${behind.playerId} = ${playerId} AND ${behind.action} IN (${decisionActions("suspend", "ban")})
)`;

/** The Riot accounts of an account that is about to be erased. */
interface RiotAccounts {
  /** The profile's account, as looked up at Riot. */
  puuid: string | null;
  /** The account that Riot Sign-On has proven. */
  provenPuuid: string | null;
}

/** Finds the Riot accounts of an account that is about to be erased. */
export async function findRiotAccounts(db: Database, userId: string): Promise<RiotAccounts> {
  const row = await db
    .select({ puuid: profiles.riotPuuid, provenPuuid: identities.subject })
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users.id))
    .leftJoin(identities, and(eq(identities.userId, users.id), eq(identities.provider, "riot")))
    .where(eq(users.id, userId))
    .get();
  return row ?? { puuid: null, provenPuuid: null };
}

/**
 * Builds the statements that keep a suspension or ban running after its account is erased. The traces name the standing
 * decision that lasts longest. They belong before the account's deletion in the same transaction, and do nothing for an
 * account that isn't suspended.
 * @param keys the setting `ENCRYPTION_KEY`; the first key makes the hashes
 * @param condition true if the account is erased in this transaction
 */
export function upholdSuspension(
  db: Database,
  keys: readonly string[],
  { id, email, puuid, provenPuuid }: RiotAccounts & { id: string; email: string },
  now: Date,
  condition: SQL,
) {
  const [key] = keys;
  if (!key) return [];
  const traces: [Trace, string | null][] = [
    ["email", email],
    ["puuid", puuid],
    ["puuid", provenPuuid === puuid ? null : provenPuuid],
    ["proven-puuid", provenPuuid],
  ];
  const { until } = upheldSuspensions;
  const isProven = (kind: Trace) => (kind === "email" ? sql`${held.emailConfirmedAt} IS NOT NULL` : sql`1`);
  return traces.flatMap(([kind, value]) =>
    value
      ? db.run(sql`
          INSERT INTO ${upheldSuspensions} ${columnsOf(upheldSuspensions, "hash", "until", "decisionId", "createdAt")}
          SELECT ${hashOf(key, kind, value)}, ${held.suspendedUntil}, (
            SELECT longest.id FROM (
              SELECT ${behind.id} AS id, max(coalesce(${behind.until}, ${FOREVER})) FROM ${decisions} AS ${behind}
              WHERE ${behind.playerId} = ${held.id} AND ${behind.action} IN (${decisionActions("suspend", "ban")})
                AND ${behind.undoneBy} IS NULL
            ) AS longest
          ), ${now.getTime()}
          FROM ${users} AS ${held} WHERE ${held.id} = ${id} AND ${isSuspended(now, held)}
            AND ${isProven(kind)} AND ${condition}
          ON CONFLICT ${columnsOf(upheldSuspensions, "hash")} DO UPDATE SET
            ${bare(until)} = iif(${until} IS NULL OR excluded.${bare(until)} IS NULL, NULL,
              max(${until}, excluded.${bare(until)})),
            ${bare(upheldSuspensions.decisionId)} = excluded.${bare(upheldSuspensions.decisionId)}`)
      : [],
  );
}
