import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, tournamentMatches, tournamentPlayers } from "#db/schema";
import { columnsOf } from "#db/sql";
import { matchName } from "../shared/match-names";
import { idsOf } from "./match-sql.server";
import type { PlayMatch, PlayState } from "./state";

const c = alias(conversations, "c");
const m = alias(tournamentMatches, "m");
const p = alias(tournamentPlayers, "p");

/** "Semi-final 1: Five Quiet People – Second Site" */
function chatTitle(state: PlayState, match: PlayMatch): string {
  const name = (id: string | null) => state.teams.find((team) => team.id === id)?.name ?? "";
  return `${matchName(match)}: ${name(match.team1)} – ${name(match.team2)}`;
}

/** Creates the chats of matches that have just begun, still without members. */
export function createChats(db: Database, state: PlayState, opened: readonly PlayMatch[], now: number) {
  const chats = opened.map((match) => {
    const { conversationId: id, team1, team2 } = match;
    return { id, title: chatTitle(state, match), team1, team2 };
  });
  return db.run(sql`
    INSERT INTO ${conversations} ${columnsOf(conversations, "id", "title", "team1", "team2", "createdAt")}
    SELECT json_extract(value, '$.id'), json_extract(value, '$.title'), json_extract(value, '$.team1'),
      json_extract(value, '$.team2'), ${now}
    FROM json_each(${JSON.stringify(chats)})`);
}

/** Adds the players of both teams to the chats of matches that have just begun. */
export function addPlayers(db: Database, tournamentId: string, begun: readonly PlayMatch[], now: number) {
  return db.run(sql`
    INSERT INTO ${conversationMembers} ${columnsOf(
      conversationMembers,
      "conversationId",
      "userId",
      "listedAt",
      "joinedAt",
    )}
    SELECT ${m.conversationId}, ${p.userId}, 0, ${now}
    FROM json_each(${idsOf(begun)})
    CROSS JOIN ${tournamentMatches} AS ${m} ON ${m.tournamentId} = ${tournamentId} AND ${m.id} = json_each.value
    JOIN ${tournamentPlayers} AS ${p} ON ${p.teamId} IN (${m.team1}, ${m.team2})
    WHERE true ON CONFLICT DO NOTHING`);
}

/** Adds an organiser to a match's chat. */
export function joinChat(
  db: Database,
  tournamentId: string,
  { match, userId }: { match: number; userId: string },
  now: number,
) {
  return db.run(sql`
    INSERT INTO ${conversationMembers} ${columnsOf(
      conversationMembers,
      "conversationId",
      "userId",
      "listedAt",
      "lastReadSeq",
      "joinedAt",
    )}
    SELECT ${c.id}, ${userId}, coalesce(${c.lastMessageAt}, 0), ${c.lastSeq}, ${now}
    FROM ${tournamentMatches} AS ${m} JOIN ${conversations} AS ${c} ON ${c.id} = ${m.conversationId}
    WHERE ${m.tournamentId} = ${tournamentId} AND ${m.id} = ${match}
    ON CONFLICT DO NOTHING`);
}
