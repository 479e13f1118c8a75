import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  identities,
  joinRequests,
  playerFacets,
  playerNames,
  profiles,
  teamDetails,
  tournamentSeekers,
} from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import {
  dropOriginal,
  isInOriginal,
  keepOriginal,
  originalOf,
  readOriginal,
  setOriginalAside,
} from "~/features/moderation/shared/originals.server";
import { renameInNews } from "~/features/notifications/shared/naming.server";
import { DISPUTE, evidenceToKeep, hideEvidence, restoreEvidence } from "~/features/tournaments/shared/evidence.server";
import { nameOf } from "./name.server";
import { foundBy } from "./names.server";

const linked = alias(identities, "linked");
const request = alias(joinRequests, "request");
const search = alias(tournamentSeekers, "search");

/** The keys of a profile's text fields. What the player types into a field is compared with its hidden texts. */
const TYPED = ["riotId", "discordTag", "description", "playTimes"] as const;
const TAGS = "tags";
const REQUEST = "request:";
const SEARCH = "search:";
/** The beginnings of the keys of everything that the player may not type again while it is hidden. */
const NEVER_AGAIN = [...TYPED, TAGS, REQUEST, SEARCH, DISPUTE];
/** The keys under which the notes of requests to join and of searches for a team are kept, as SQL expressions. */
const requestKey = (id: SQLiteColumn): SQL => sql`${REQUEST} || ${id}`;
const searchKey = (tournamentId: SQLiteColumn): SQL => sql`${SEARCH} || ${tournamentId}`;

/** True for a row of `profiles` with a name; for any other row, others see a made-up name. */
const isNamed = sql`(${foundBy} <> '')`;

/** A profile's tags as an SQL expression; also NULL for the empty list that the form stores. */
const tagsOrNull = sql`nullif(${profiles.personalityTags}, '[]')`;

/**
 * Builds the statements that hide what a player has written about themselves, the notes of their requests to join and
 * of their searches for a team, the evidence of their disputes, their picture and their name. The party codes and voice
 * links that they have set for their teams are deleted. A verified Riot ID stays: the name comes from Riot, and Riot
 * makes players change offensive names. The player may write something new, which this decision doesn't hide. If the
 * new text is hidden later, it replaces the original of the same field, and the other originals stay. A name's parts
 * are replaced together.
 * @param condition SQL that is true if the player is to be hidden
 * @returns the statements; `teamDetails` returns the posts of the teams that have lost a detail
 */
export function hidePlayer(db: Database, id: string, now: Date, condition: SQL) {
  const isVerified = sql`${profiles.riotVerifiedAt} IS NOT NULL`;
  const isTyped = sql`(NOT (${isVerified}) AND ${isNamed})`;
  const free = (value: SQL) => sql`iif(${isTyped}, ${value}, NULL)`;
  // An empty string instead of NULL: `keepOriginal` leaves out NULLs, so the part of an earlier name would stay.
  const part = (column: SQLiteColumn) => free(sql`coalesce(${column}, '')`);
  const ifVerified = (value: SQL) => sql`iif(${isVerified}, ${value}, NULL)`;
  // As text, because `keepOriginal` keeps no arrays.
  const nameWords = sql`(SELECT json_group_array(${playerNames.word}) || '' FROM ${playerNames}
    WHERE ${playerNames.userId} = ${id})`;
  const isFree = sql`EXISTS (SELECT 1 FROM ${profiles} WHERE ${profiles.userId} = ${id} AND ${isTyped})`;
  return {
    keep: keepOriginal(
      db,
      "player",
      id,
      sql`SELECT json_patch((
          SELECT json_group_object(note.place, note.words) FROM (
            SELECT ${requestKey(request.id)} AS place, ${request.note} AS words FROM ${joinRequests} AS ${request}
            WHERE ${request.userId} = ${id} AND ${request.note} IS NOT NULL
            UNION ALL
            SELECT ${searchKey(search.tournamentId)}, ${search.note} FROM ${tournamentSeekers} AS ${search}
            WHERE ${search.userId} = ${id} AND ${search.note} IS NOT NULL
            UNION ALL ${evidenceToKeep(id)}
          ) AS note
        ), json_object(
          'description', ${profiles.description}, 'tags', ${tagsOrNull},
          'playTimes', ${profiles.playTimes}, 'discordTag', ${profiles.discordTag},
          'discordVerifiedAt', ${profiles.discordVerifiedAt}, 'avatarId', ${profiles.avatarId},
          'riotId', ${part(profiles.riotId)}, 'riotGameName', ${part(profiles.riotGameName)},
          'riotTagLine', ${part(profiles.riotTagLine)}, 'foundBy', ${free(sql`${profiles.foundBy}`)},
          'name', ${free(nameOf(sql`${id}`))}, 'nameWords', ${free(nameWords)}
        )) AS original
        FROM ${profiles} WHERE ${profiles.userId} = ${id}`,
      now,
      condition,
      NEVER_AGAIN,
    ),
    nameWords: db.run(sql`DELETE FROM ${playerNames}
      WHERE ${playerNames.userId} = ${id} AND ${isFree} AND ${condition}`),
    // The facets of tags, as a range that the primary key's index serves.
    facets: db.run(sql`DELETE FROM ${playerFacets} WHERE ${playerFacets.userId} = ${id}
      AND ${playerFacets.facet} >= 'tag:' AND ${playerFacets.facet} < 'tag;' AND ${condition}`),
    profile: db.run(sql`
      UPDATE ${profiles} SET ${bare(profiles.description)} = NULL, ${bare(profiles.personalityTags)} = NULL,
        ${bare(profiles.playTimes)} = NULL, ${bare(profiles.discordTag)} = NULL, ${bare(profiles.avatarId)} = NULL,
        ${bare(profiles.riotId)} = ${ifVerified(sql`${profiles.riotId}`)},
        ${bare(profiles.riotGameName)} = ${ifVerified(sql`${profiles.riotGameName}`)},
        ${bare(profiles.riotTagLine)} = ${ifVerified(sql`${profiles.riotTagLine}`)},
        ${bare(profiles.foundBy)} = iif(${isVerified}, ${profiles.foundBy}, ''),
        ${bare(profiles.updatedAt)} = ${now.getTime()}
      WHERE ${profiles.userId} = ${id} AND ${condition}`),
    news: renameInNews(db, id, condition),
    requests: db.run(sql`UPDATE ${joinRequests} SET ${bare(joinRequests.note)} = NULL
      WHERE ${joinRequests.userId} = ${id} AND ${joinRequests.note} IS NOT NULL AND ${condition}`),
    searches: db.run(sql`UPDATE ${tournamentSeekers} SET ${bare(tournamentSeekers.note)} = NULL
      WHERE ${tournamentSeekers.userId} = ${id} AND ${tournamentSeekers.note} IS NOT NULL AND ${condition}`),
    ...hideEvidence(db, id, now, condition),
    // Not kept: a party code or a voice link is outdated within hours, and any member of the team can set another.
    teamDetails: db.all<{ postId: string }>(sql`DELETE FROM ${teamDetails}
      WHERE ${teamDetails.setBy} = ${id} AND ${condition} RETURNING ${teamDetails.postId} AS postId`),
  };
}

/**
 * Builds the statements that give a player back what was hidden, except where they have written something new since.
 * A follow-up adds restored tags to the directory's lists (`addTagFacets`).
 */
export function restorePlayer(db: Database, id: string, now: Date, condition: SQL) {
  const kept = (key: string | SQL) => originalOf("player", id, key);
  // The player's name is the made-up one as long as they haven't typed or verified another.
  const isUnnamed = sql`(NOT ${isNamed} AND ${kept("name")} IS NOT NULL)`;
  const isNamedAgain = sql`(${nameOf(sql`${id}`)} = ${kept("name")})`;
  const back = (column: SQLiteColumn, key: string) => sql`iif(${isUnnamed}, nullif(${kept(key)}, ''), ${column})`;
  // Discord may have been linked or unlinked while its tag was hidden.
  const linkedAt = sql`(SELECT ${linked.createdAt} FROM ${identities} AS ${linked}
    WHERE ${linked.userId} = ${id} AND ${linked.provider} = 'discord' AND ${linked.name} = ${kept("discordTag")})`;
  return {
    profile: db.run(sql`
      UPDATE ${profiles} SET
        ${bare(profiles.description)} = coalesce(${profiles.description}, ${kept("description")}),
        ${bare(profiles.personalityTags)} = coalesce(${tagsOrNull}, ${kept("tags")},
          ${profiles.personalityTags}),
        ${bare(profiles.playTimes)} = coalesce(${profiles.playTimes}, ${kept("playTimes")}),
        ${bare(profiles.discordVerifiedAt)} = iif(${profiles.discordTag} IS NULL, ${linkedAt},
          ${profiles.discordVerifiedAt}),
        ${bare(profiles.discordTag)} = coalesce(${profiles.discordTag}, ${kept("discordTag")}),
        ${bare(profiles.avatarId)} = coalesce(${profiles.avatarId}, ${kept("avatarId")}),
        ${bare(profiles.riotId)} = ${back(profiles.riotId, "riotId")},
        ${bare(profiles.riotGameName)} = ${back(profiles.riotGameName, "riotGameName")},
        ${bare(profiles.riotTagLine)} = ${back(profiles.riotTagLine, "riotTagLine")},
        ${bare(profiles.foundBy)} = ${back(profiles.foundBy, "foundBy")},
        ${bare(profiles.updatedAt)} = ${now.getTime()}
      WHERE ${profiles.userId} = ${id} AND ${condition}`),
    nameWords: db.run(sql`
      INSERT INTO ${playerNames} ${columnsOf(playerNames, "word", "userId")}
      SELECT word.value, ${id} FROM json_each(${kept("nameWords")}) AS word WHERE ${isNamedAgain} AND ${condition}
      ON CONFLICT DO NOTHING`),
    news: renameInNews(db, id, condition),
    requests: db.run(sql`UPDATE ${joinRequests} SET ${bare(joinRequests.note)} = ${kept(requestKey(joinRequests.id))}
      WHERE ${joinRequests.userId} = ${id} AND ${joinRequests.note} IS NULL AND ${condition}`),
    searches: db.run(sql`
      UPDATE ${tournamentSeekers} SET ${bare(tournamentSeekers.note)} = ${kept(searchKey(tournamentSeekers.tournamentId))}
      WHERE ${tournamentSeekers.userId} = ${id} AND ${tournamentSeekers.note} IS NULL AND ${condition}`),
    ...restoreEvidence(db, id, kept, now, condition),
    drop: dropOriginal(db, "player", id, condition),
  };
}

/**
 * Builds the statement that keeps a hidden player's words in case their restoration is undone. It comes before the
 * statements of `restorePlayer`.
 */
export const setPlayerAside = (db: Database, id: string, now: Date, condition: SQL) =>
  setOriginalAside(db, id, now, condition, NEVER_AGAIN);

/** Whether moderators have hidden a player's words, picture or name, and have not shown them again. */
export async function isPlayerHidden(db: Database, userId: string): Promise<boolean> {
  return (await readOriginal(db, "player", userId, sql`1`)).length > 0;
}

/** @param beginnings as in `isInOriginal` */
const unlessIn = (userId: string, beginnings: readonly string[], words: string | null): SQL<string | null> =>
  words === null ? sql`NULL` : sql`iif(${isInOriginal("player", userId, words, beginnings)}, NULL, ${words})`;

/**
 * Returns a value that a player has typed into their profile, as an SQL expression: NULL if moderators have hidden it
 * there.
 */
export const unlessHidden = (userId: string, key: (typeof TYPED)[number], value: string | null): SQL<string | null> =>
  unlessIn(userId, [key], value);

/**
 * Returns the note of a request to join or of a search for a team, as an SQL expression: NULL if moderators have hidden
 * these words in any note of the player. A renewed request has another id, so its own key isn't enough.
 */
export const noteUnlessHidden = (userId: string, note: string | null): SQL => unlessIn(userId, [REQUEST, SEARCH], note);

/** Finds the personality tags that moderators have hidden from a player's profile, now or earlier. */
export async function findHiddenTags(db: Database, userId: string): Promise<string[]> {
  const [row] = await readOriginal(db, "player", userId, sql`1`);
  const lists = Object.entries(row?.original ?? {}).filter(([key]) => key.startsWith(TAGS));
  return lists.flatMap(([, list]) => JSON.parse(list as string) as string[]);
}
