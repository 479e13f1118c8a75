import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentEvents, tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { eventActions } from "#db/sql";
import type { EventAction } from "#db/words/event-actions";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { replaceTeamName } from "./team-texts.server";

const alone = alias(tournamentTeams, "alone");
const e = alias(tournamentEvents, "e");
const me = alias(tournamentPlayers, "me");
const t = alias(tournaments, "t");

/*
 * Solo players appear in brackets, logs, notifications and chats under their own name, which has to disappear with
 * their account. If two players have the same name, it is removed wherever it clearly means this player: in their team,
 * their registration and their matches against others. Where it could also mean the other player, it stays until that
 * account is deleted, too.
 */

/**
 * The most names removed in one transaction, so that a transaction's size doesn't grow with how much a player has
 * played.
 */
export const SOLO_NAMES_AT_ONCE = 10;

/** A name, and the tournament in which a player played under it or registered with it. */
interface SoloName {
  tournamentId: string;
  name: string;
}

/** Lists names under which a player still appears in tournaments; at most `SOLO_NAMES_AT_ONCE`. */
export const listSoloNames = (db: Database, userId: string): Promise<SoloName[]> =>
  db.all(sql`
    SELECT ${t.id} AS tournamentId, ${alone.name} AS name FROM ${tournamentPlayers} AS ${me}
    JOIN ${tournamentTeams} AS ${alone} ON ${alone.id} = ${me.teamId}
      JOIN ${tournaments} AS ${t} ON ${t.id} = ${me.tournamentId}
    WHERE ${me.userId} = ${userId} AND ${t.teamSize} = 1 AND ${alone.name} <> ${UNKNOWN_PLAYER}
    UNION ALL
    SELECT ${t.id}, json_extract(${e.details}, '$.team') FROM ${tournamentEvents} AS ${e}
    JOIN ${tournaments} AS ${t} ON ${t.id} = ${e.tournamentId}
    WHERE ${e.actorId} = ${userId} AND ${e.action} = ${eventActions("registered")} AND ${t.teamSize} = 1
      AND json_extract(${e.details}, '$.team') <> ${UNKNOWN_PLAYER}
    LIMIT ${SOLO_NAMES_AT_ONCE}`);

/** The actions by a solo player that the log records outside of matches. */
const OWN_ACTIONS: readonly EventAction[] = ["registered", "withdrew", "team-checked-in"];

/**
 * Returns the statements that remove a name wherever it stands for this player.
 * @param condition SQL that is true if the name should be removed
 */
export const forgetSoloName = (
  db: Database,
  userId: string,
  { tournamentId, name }: SoloName,
  now: Date,
  condition: SQL,
) =>
  replaceTeamName(
    db,
    {
      tournamentId: sql`${tournamentId}`,
      teamId: sql`(SELECT ${me.teamId} FROM ${tournamentPlayers} AS ${me} WHERE ${me.tournamentId} = ${tournamentId}
        AND ${me.userId} = ${userId})`,
      name: sql`${name}`,
      by: sql`${UNKNOWN_PLAYER}`,
      isOwnEvent: sql`actor_id = ${userId} AND action IN (SELECT value FROM json_each(${JSON.stringify(OWN_ACTIONS)}))`,
    },
    now,
    condition,
  );
