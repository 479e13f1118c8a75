import { and, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import {
  auditLog,
  hidingFollowUps,
  lfgPosts,
  profiles,
  teamDetails,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
  users,
} from "#db/schema";
import { auditActions, bare, columnsOf } from "#db/sql";
import { tellPostLists } from "~/features/lfg/shared/tell-post-lists.server";
import { tellChangedMessage } from "~/features/messages/shared/hide-message.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { addTagFacets } from "~/features/players/shared/facets.server";
import { settlePicture } from "~/features/players/shared/settle-picture.server";
import { selectCommitments } from "~/features/teams/shared/commitments.server";
import { listLapsed } from "~/features/teams/shared/lapse-requests.server";
import { leaveTeamsAndAnnounce } from "~/features/teams/shared/leaving.server";
import { tellTeams } from "~/features/teams/shared/tell-teams.server";
import { selectPlaces, selectRoles } from "~/features/tournaments/shared/commitments.server";
import { hasDisputed, listDisputed, selectDisputed } from "~/features/tournaments/shared/evidence.server";
import { leaveTournamentsAndAnnounce } from "~/features/tournaments/shared/leaving.server";
import {
  endRolesAcrossBlocks,
  selectOrganisersAcrossBlocks,
  selectOrganisersBetween,
} from "~/features/tournaments/shared/separation.server";
import { followTournament, listNotified, tellTournament } from "~/features/tournaments/shared/tell-tournament.server";
import type { RequestContext } from "~/platform/context";
import { HOUR, MINUTE } from "~/platform/dates/durations";
import { FOREVER } from "~/platform/lists/keyset.server";
import { doAtOnce } from "~/platform/rooms/rooms.server";
import { settleAll } from "~/platform/settle-all";
import type { Hideable } from "./hideable";
import { originalOf } from "./originals.server";

type FollowUp = typeof hidingFollowUps.$inferSelect;

/** Maximum number of pictures, and of other follow-ups, claimed at a time. */
const LIMIT = 100;

/**
 * The time after which an upload is over, even if it has failed, in milliseconds. A follow-up of this age that isn't
 * due must have failed.
 */
const UPLOAD_TIME = 5 * MINUTE;

/**
 * Builds the statement that stores follow-ups: the work left to do outside the database once a thing is hidden or
 * restored. It belongs in the transaction that does so, before the statements that do.
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
 * the directory's lists of their tags, and the teams that lose a party code or a voice link of theirs.
 */
const workOnPlayer = (userId: string): SQL => sql`
  ${picturesOf(userId)}
  UNION ALL ${workOn("player", userId)}
    WHERE ${hasDisputed(userId)} OR ${originalOf("player", userId, "tags")} IS NOT NULL
  UNION ALL SELECT 'post', ${teamDetails.postId}, '' FROM ${teamDetails}
    WHERE ${teamDetails.setBy} = ${userId}`;

/**
 * Builds the statement that stores follow-ups for a player who is suspended or asks for deletion: leaving teams and
 * tournaments takes several transactions, and open lists show the posts that close. Like `noteFollowUp` otherwise.
 */
export const noteDeactivation = (db: Database, userId: string, now: Date, condition: SQL) =>
  storeFollowUps(db, sql`${workOn("player", userId)} UNION ALL ${openPostsOf(userId)}`, now, condition);

/** Selects a player's open posts, which open lists show. */
const openPostsOf = (userId: string): SQL => sql`
  SELECT 'post' AS kind, ${lfgPosts.id} AS subject, '' AS picture FROM ${lfgPosts}
    WHERE ${lfgPosts.userId} = ${userId} AND ${lfgPosts.isActive} = 1`;

/**
 * Builds the statement that stores follow-ups for a player's open posts when they are erased; like `noteFollowUp`
 * otherwise.
 */
export const noteOpenPostsOf = (db: Database, userId: string, now: Date, condition: SQL) =>
  storeFollowUps(db, openPostsOf(userId), now, condition);

/** Whether an account is suspended or due for deletion. */
const isDeactivated = (now: Date) => or(isSuspended(now), isNotNull(users.deletionDueAt));

/**
 * Builds the statement that stores follow-ups for everything that a player who is suspended or due for deletion may be
 * about to leave, because the rooms may have to be told again, and by then the player is no longer there. They come due
 * a minute later, when the player should have left.
 */
const noteDepartures = (db: Database, userId: string, now: Date) => {
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
 * Builds the statement that stores follow-ups for a block between two players: the role of an organiser ends in each
 * tournament by itself. Like `noteFollowUp` otherwise.
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
 * organiser across a block, who stayed because nobody else could run the tournament, can go. Like `noteFollowUp`
 * otherwise.
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
        UNION ALL SELECT ${tournamentOrganisers.userId} FROM ${tournamentOrganisers}
        WHERE ${tournamentOrganisers.tournamentId} = ${tournamentId}
        UNION ALL SELECT ${tournaments.userId} FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId}
      )`,
    now,
    sql`1`,
  );

/**
 * Builds the statement that stores follow-ups for a player's pictures when one of them is replaced or erased; like
 * `noteFollowUp` otherwise.
 */
export const notePicturesOf = (db: Database, userId: string, now: Date, condition: SQL) =>
  storeFollowUps(db, picturesOf(userId), now, condition);

/**
 * Builds the statement that stores follow-ups for the tournaments on whose pages a player's evidence is erased:
 * afterwards the log no longer shows where it was. Like `noteFollowUp` otherwise.
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
 * @param pictures `SELECT … AS subject, … AS picture`: a player's id and a picture of theirs
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

/** True for the row of a follow-up, whenever it was stored. */
const isFollowUp = ({ kind, subjectId, picture }: Pick<FollowUp, "kind" | "subjectId" | "picture">) =>
  and(eq(hidingFollowUps.kind, kind), eq(hidingFollowUps.subjectId, subjectId), eq(hidingFollowUps.picture, picture));

/**
 * When a picture's follow-up that is stored again is due. It stays claimed, for a minute at most: two callers that move
 * a picture at the same time could delete both its copies. `carryOutFollowUp` moves it again afterwards.
 */
const claimedUntil = (
  now: Date,
): SQL => sql`iif(${hidingFollowUps.picture} <> '' AND ${hidingFollowUps.dueAt} > ${now.getTime()},
  min(${hidingFollowUps.dueAt}, ${now.getTime() + MINUTE}), NULL)`;

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
    INSERT INTO ${hidingFollowUps} ${columnsOf(hidingFollowUps, "kind", "subjectId", "picture", "createdAt", "dueAt")}
    SELECT one.kind, one.subject, one.picture, ${now.getTime()}, ${dueAt?.getTime() ?? null}
    FROM (${work}) AS one WHERE ${condition}
    ON CONFLICT ${columnsOf(hidingFollowUps, "kind", "subjectId", "picture")} DO UPDATE SET
      ${bare(hidingFollowUps.dueAt)} = ${dueAgain},
      ${bare(hidingFollowUps.createdAt)} = max(excluded.${bare(hidingFollowUps.createdAt)},
        ${hidingFollowUps.createdAt} + 1)`);

type FollowUpContext = Pick<RequestContext, "db" | "env" | "origin" | "defer">;

/**
 * Carries out a thing's follow-ups that are due. They run independently, after the response; the cron job retries those
 * that fail.
 */
export async function carryOutFollowUps(context: FollowUpContext, subject: Hideable): Promise<void> {
  for (const one of await claimFollowUps(context.db, subject)) context.defer(() => carryOutFollowUp(context, one));
}

/** Finds out whether follow-ups have failed and wait for their next attempt, which may be an hour away. */
export async function haveFollowUpsFailed(db: Database): Promise<boolean> {
  const { createdAt, dueAt } = hidingFollowUps;
  const now = Date.now();
  const [{ hasFailed } = { hasFailed: 0 }] = await db.all<{ hasFailed: number }>(sql`SELECT EXISTS (
    SELECT 1 FROM ${hidingFollowUps} WHERE ${createdAt} <= ${now - UPLOAD_TIME} AND ${dueAt} > ${now}
  ) AS hasFailed`);
  return Boolean(hasFailed);
}

/**
 * Claims follow-ups that are due, choosing the oldest: moves their next attempt ahead, by a minute at first, then by
 * their age, and by an hour at most. So those that keep failing leave room for newer ones, and nobody else carries them
 * out until then. Pictures are chosen separately: other work doesn't need the bucket, and must not wait for it.
 * @param subject limits it to one thing; omitted for all things
 */
export function claimFollowUps(db: Database, subject?: Hideable): Promise<FollowUp[]> {
  const { kind, subjectId, picture, createdAt, dueAt } = hidingFollowUps;
  const at = Date.now();
  const due = (which: SQL, order: SQLiteColumn) => sql`
    SELECT * FROM (
      SELECT ${kind}, ${subjectId}, ${picture} FROM ${hidingFollowUps}
      WHERE ${which} AND (${dueAt} IS NULL OR ${dueAt} <= ${at}) ORDER BY ${order} LIMIT ${LIMIT}
    )`;
  const chosen = subject
    ? due(sql`${kind} = ${subject.kind} AND ${subjectId} = ${subject.id}`, picture)
    : sql`SELECT * FROM (${due(sql`${picture} = ''`, createdAt)} UNION ALL ${due(sql`${picture} <> ''`, createdAt)})`;
  return claim(db, sql`(${kind}, ${subjectId}, ${picture}) IN (${chosen})`, at);
}

/** @param at the current time, in milliseconds since 1970 */
const claim = (db: Database, which: SQL | undefined, at: number): Promise<FollowUp[]> =>
  db
    .update(hidingFollowUps)
    .set({ dueAt: sql`${at} + min(max(${at} - ${hidingFollowUps.createdAt}, ${MINUTE}), ${HOUR})` })
    .where(which)
    .returning();

/**
 * Carries out a follow-up: moves or deletes a picture, removes a player who is suspended or has asked for deletion from
 * teams and tournaments, ends roles as an organiser across a block, updates open tabs, or calls matches again. Deletes
 * it once all its work is done: if some of it fails, the cron job tries again.
 */
export async function carryOutFollowUp(context: Omit<FollowUpContext, "defer">, followUp: FollowUp): Promise<void> {
  const { db, env, origin } = context;
  await doAtOnce((defer) => perform({ db, env, origin, defer }, followUp));
  // If the thing was hidden or restored again in the meantime, the follow-up has a later time, and stays.
  const { rowsAffected } = await db
    .delete(hidingFollowUps)
    .where(and(isFollowUp(followUp), eq(hidingFollowUps.createdAt, followUp.createdAt)));
  if (rowsAffected > 0 || followUp.picture === "") return;
  for (const again of await claim(db, isFollowUp(followUp), Date.now())) await carryOutFollowUp(context, again);
}

async function perform(context: FollowUpContext, { kind, subjectId, picture }: FollowUp): Promise<void> {
  const { db, env } = context;
  if (kind === "post") {
    tellPostLists(context, subjectId);
    tellTeams(context, subjectId);
    tellUnread(context, ...(await listLapsed(db, subjectId)));
  }
  if (kind === "message") tellChangedMessage(context, subjectId);
  if (kind === "tournament") {
    tellUnread(context, ...(await listNotified(db, subjectId)));
    await followTournament(context, subjectId);
  }
  if (kind === "team") {
    const team = await db
      .select({ tournamentId: tournamentTeams.tournamentId })
      .from(tournamentTeams)
      .where(eq(tournamentTeams.id, subjectId))
      .get();
    if (team) tellTournament(context, team.tournamentId);
  }
  if (kind === "player" && picture === "") await followPlayer(context, subjectId);
  if (kind === "player" && picture !== "" && env.AVATARS) await settlePicture(env.AVATARS, db, subjectId, picture);
}

/**
 * Updates the match pages with a player's evidence, adds restored tags to the directory's lists, ends roles as an
 * organiser across a block, and takes the player out of teams and tournaments: of all if suspended, of those from
 * before the request if due for deletion. The account works as before until it is erased, so its player may have joined
 * others since.
 */
async function followPlayer(context: FollowUpContext, userId: string): Promise<void> {
  const { db } = context;
  const now = new Date();
  const requestedAt = sql`(SELECT max(${auditLog.createdAt}) FROM ${auditLog}
    WHERE ${auditLog.userId} = ${userId} AND ${auditLog.action} = ${auditActions("deletion-scheduled")})`;
  const [disputed, leaver] = await Promise.all([
    listDisputed(db, userId),
    db
      .select({ joinedBy: sql<number>`iif(${isSuspended(now)}, ${FOREVER}, ${requestedAt})` })
      .from(users)
      .where(and(eq(users.id, userId), isDeactivated(now)))
      .get(),
    noteDepartures(db, userId, now),
    addTagFacets(db, userId),
  ]);
  for (const id of disputed) tellTournament(context, id);
  await settleAll([
    endRolesAcrossBlocks(context, userId, now),
    ...(leaver
      ? [
          leaveTeamsAndAnnounce(context, userId, now, leaver.joinedBy),
          leaveTournamentsAndAnnounce(context, userId, now, leaver.joinedBy),
        ]
      : []),
  ]);
}
