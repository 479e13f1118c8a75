import { isNotNull, or, type SQL, sql } from "drizzle-orm";
import { isSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import { followUps, lfgPosts, profiles, teamDetails, tournamentPlayers, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import type { Hideable } from "~/features/moderation/shared/hideable";
import { originalOf } from "~/features/moderation/shared/originals.server";
import { selectCommitments } from "~/features/teams/shared/commitments.server";
import { selectOrganisers } from "~/features/tournaments/shared/access.server";
import { selectPlaces, selectRoles } from "~/features/tournaments/shared/commitments.server";
import { hasDisputed, selectDisputed } from "~/features/tournaments/shared/evidence.server";
import { selectOrganisersAcrossBlocks, selectOrganisersBetween } from "~/features/tournaments/shared/separation.server";
import { MINUTE } from "~/platform/dates/durations";

/*
 * The statements that store follow-ups: the work that a transaction leaves to do outside the database. The functions of
 * `queue.server.ts` carry them out.
 */

/** A follow-up, as it is stored. */
export type FollowUp = typeof followUps.$inferSelect;

/**
 * The time after which every upload has succeeded or failed, in milliseconds. A follow-up of this age that isn't due
 * must have failed.
 */
export const UPLOAD_TIME = 5 * MINUTE;

/**
 * Builds the statement that stores the follow-ups of a thing that is hidden or restored. It belongs in the transaction
 * that hides or restores the thing, before the statements that do so.
 * @param condition SQL that is true if those statements take effect
 * @returns undefined for things that need no follow-up
 */
export function noteFollowUp(db: Database, { kind, id }: Hideable, now: Date, condition: SQL) {
  if (kind === "review") return undefined;
  return storeFollowUps(db, kind === "player" ? workOnPlayer(id) : workOn(kind, id), now, condition);
}

const workOn = (kind: FollowUp["kind"], id: string): SQL =>
  sql`SELECT ${kind} AS kind, ${id} AS subject, '' AS picture`;

/**
 * Selects the follow-ups of a player who is hidden or restored: their pictures, the match pages with their evidence and
 * the directory's lists of their tags, and the teams that lose a party code or a voice link that the player has set.
 */
const workOnPlayer = (userId: string): SQL => sql`
  ${picturesOf(userId)}
  UNION ALL ${workOn("player", userId)}
    WHERE ${hasDisputed(userId)} OR ${originalOf("player", userId, "tags")} IS NOT NULL
  UNION ALL SELECT 'post', ${teamDetails.postId}, '' FROM ${teamDetails}
    WHERE ${teamDetails.setBy} = ${userId}`;

/**
 * Builds the statement that stores follow-ups for a player who is suspended or asks for deletion: leaving teams and
 * tournaments takes several transactions, and open lists show the posts that close. Otherwise like `noteFollowUp`.
 */
export const noteDeactivation = (db: Database, userId: string, now: Date, condition: SQL) =>
  storeFollowUps(db, sql`${workOn("player", userId)} UNION ALL ${openPostsOf(userId)}`, now, condition);

/** Selects a player's open posts, which open lists show. */
const openPostsOf = (userId: string): SQL => sql`
  SELECT 'post' AS kind, ${lfgPosts.id} AS subject, '' AS picture FROM ${lfgPosts}
    WHERE ${lfgPosts.userId} = ${userId} AND ${lfgPosts.isActive} = 1`;

/**
 * Builds the statement that stores follow-ups for a player's open posts when they are erased; otherwise like
 * `noteFollowUp`.
 */
export const noteOpenPostsOf = (db: Database, userId: string, now: Date, condition: SQL) =>
  storeFollowUps(db, openPostsOf(userId), now, condition);

/**
 * Builds the statement that stores a follow-up for a player whose account is erased: their inbox room is emptied.
 * Otherwise like `noteFollowUp`.
 */
export const noteErasure = (db: Database, userId: string, now: Date, condition: SQL) =>
  storeFollowUps(db, workOn("player", userId), now, condition);

/** Whether an account is suspended or due for deletion. */
export const isDeactivated = (now: Date) => or(isSuspended(now), isNotNull(users.deletionDueAt));

/**
 * Builds the statement that stores follow-ups for everything that a player who is suspended or due for deletion may be
 * about to leave, because the rooms may have to be told again, and by then the player is no longer there. They come due
 * a minute later, when the player should have left.
 */
export const noteDepartures = (db: Database, userId: string, now: Date) => {
  const dueAt = new Date(now.getTime() + MINUTE);
  return storeFollowUps(
    db,
    sql`SELECT 'post' AS kind, team.postId AS subject, '' AS picture FROM (${selectCommitments(userId)}) AS team
      UNION ALL SELECT 'tournament', role.tournamentId, '' FROM (${selectRoles(userId)}) AS role
      UNION ALL SELECT 'tournament', place.tournamentId, '' FROM (${selectPlaces(userId)}) AS place`,
    now,
    sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${userId} AND ${isDeactivated(now)})`,
    dueAt,
    sql`${dueAt.getTime()}`,
  );
};

/**
 * Builds the statement that stores follow-ups for a block between two players: an organiser's role ends in a separate
 * transaction for each tournament. Otherwise like `noteFollowUp`.
 */
export const noteBlock = (db: Database, one: string, other: string, now: Date, condition: SQL) =>
  storeFollowUps(
    db,
    sql`SELECT 'player' AS kind, organiser.userId AS subject, '' AS picture
      FROM (${selectOrganisersBetween(one, other)}) AS organiser`,
    now,
    condition,
  );

/**
 * Builds the statement that stores follow-ups for a host whose account is no longer suspended or due for deletion: an
 * organiser with a block between them and the host, who stayed because nobody else could run the tournament, can now
 * leave. Otherwise like `noteFollowUp`.
 */
export const noteReturn = (db: Database, hostId: string, now: Date, condition: SQL) =>
  storeFollowUps(
    db,
    sql`SELECT 'player' AS kind, organiser.userId AS subject, '' AS picture
      FROM (${selectOrganisersAcrossBlocks(hostId)}) AS organiser`,
    now,
    condition,
  );

/**
 * Builds the statement that stores follow-ups for the suspended players and organisers of a finished tournament that is
 * played again: they leave it now. They didn't when they were suspended, because it was over.
 */
export const noteReopening = (db: Database, tournamentId: string, now: Date) =>
  storeFollowUps(
    db,
    sql`SELECT 'player' AS kind, ${users.id} AS subject, '' AS picture FROM ${users}
      WHERE ${isSuspended(now)} AND ${users.id} IN (
        SELECT ${tournamentPlayers.userId} FROM ${tournamentPlayers}
        WHERE ${tournamentPlayers.tournamentId} = ${tournamentId}
        UNION ALL SELECT organiser.userId FROM (${selectOrganisers(sql`${tournamentId}`)}) AS organiser
      )`,
    now,
    sql`1`,
  );

/**
 * Builds the statement that stores follow-ups for a player's pictures when one of them is replaced or erased; otherwise
 * like `noteFollowUp`.
 */
export const notePicturesOf = (db: Database, userId: string, now: Date, condition: SQL) =>
  storeFollowUps(db, picturesOf(userId), now, condition);

/**
 * Builds the statement that stores follow-ups for the tournaments on whose pages a player's evidence is erased:
 * afterwards the log no longer shows where it was. Otherwise like `noteFollowUp`.
 */
export const noteEvidenceOf = (db: Database, userId: string, now: Date, condition: SQL) =>
  storeFollowUps(
    db,
    sql`SELECT 'tournament' AS kind, disputed.tournamentId AS subject, '' AS picture
      FROM (${selectDisputed(userId)}) AS disputed`,
    now,
    condition,
  );

/** Selects both pictures that a player may end up with: `settlePicture` finds out where each of them belongs. */
function picturesOf(userId: string): SQL {
  const kept = originalOf("player", userId, "avatarId");
  return sql`
    SELECT 'player' AS kind, ${userId} AS subject, ${profiles.avatarId} AS picture FROM ${profiles}
      WHERE ${profiles.userId} = ${userId} AND ${profiles.avatarId} IS NOT NULL
    UNION ALL SELECT 'player', ${userId}, ${kept} WHERE ${kept} IS NOT NULL`;
}

/**
 * Builds the statement that stores follow-ups for players' pictures that are named by rows about to be deleted. It
 * belongs in the transaction that deletes the rows, before the statement that does so.
 * @param pictures `SELECT … AS subject, … AS picture`: a player's id and one of their pictures
 */
export const notePictures = (db: Database, pictures: SQL, now: Date) =>
  storeFollowUps(db, sql`SELECT 'player' AS kind, subject, picture FROM (${pictures})`, now, sql`1`);

/**
 * Builds the statement that stores a follow-up for a picture before it is uploaded, so that it doesn't stay in the
 * bucket if the upload fails halfway. `noteUploaded` makes the follow-up due at the upload's end.
 */
export const noteUpload = (db: Database, userId: string, picture: string, now: Date, condition: SQL) =>
  storeFollowUps(
    db,
    sql`SELECT 'player' AS kind, ${userId} AS subject, ${picture} AS picture`,
    now,
    condition,
    new Date(now.getTime() + UPLOAD_TIME),
  );

/** Builds the statement that stores a picture's follow-up once the picture has been uploaded: it is due immediately. */
export const noteUploaded = (db: Database, userId: string, picture: string, now: Date) =>
  storeFollowUps(
    db,
    sql`SELECT 'player' AS kind, ${userId} AS subject, ${picture} AS picture`,
    now,
    sql`1`,
    null,
    sql`NULL`,
  );

/**
 * The due time of a follow-up that is stored again. A picture's follow-up that is claimed stays claimed, for a minute
 * at most: two callers that move a picture at the same time could delete both its copies. `carryOutFollowUp` moves the
 * picture again afterwards. Any other follow-up is due immediately.
 */
const claimedUntil = (now: Date): SQL => sql`iif(${followUps.picture} <> '' AND ${followUps.dueAt} > ${now.getTime()},
  min(${followUps.dueAt}, ${now.getTime() + MINUTE}), NULL)`;

/**
 * @param work `SELECT … AS kind, … AS subject, … AS picture`
 * @param dueAt when the work may begin; null for immediately
 * @param dueAgain the same for a follow-up that is stored already
 */
const storeFollowUps = (
  db: Database,
  work: SQL,
  now: Date,
  condition: SQL,
  dueAt: Date | null = null,
  dueAgain = claimedUntil(now),
) =>
  db.run(sql`
    INSERT INTO ${followUps} ${columnsOf(followUps, "kind", "subjectId", "picture", "createdAt", "dueAt")}
    SELECT one.kind, one.subject, one.picture, ${now.getTime()}, ${dueAt?.getTime() ?? null}
    FROM (${work}) AS one WHERE ${condition}
    ON CONFLICT ${columnsOf(followUps, "kind", "subjectId", "picture")} DO UPDATE SET
      ${bare(followUps.dueAt)} = ${dueAgain},
      ${bare(followUps.createdAt)} = max(excluded.${bare(followUps.createdAt)},
        ${followUps.createdAt} + 1)`);
