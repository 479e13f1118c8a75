import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { followUps } from "#db/schema";
import type { Hideable } from "~/features/moderation/shared/hideable";
import { HOUR, MINUTE } from "~/platform/dates/durations";
import { doAtOnce } from "~/platform/rooms/rooms.server";
import { type FollowUp, UPLOAD_TIME } from "./note.server";
import { type FollowUpContext, performFollowUp } from "./perform.server";

/** Maximum number of pictures, and of other follow-ups, claimed at a time. */
const LIMIT = 100;

/** True for the row of a follow-up, even if it has been stored again since. */
const isFollowUp = ({ kind, subjectId, picture }: Pick<FollowUp, "kind" | "subjectId" | "picture">) =>
  and(eq(followUps.kind, kind), eq(followUps.subjectId, subjectId), eq(followUps.picture, picture));

/** The things of one kind whose follow-ups are claimed: one by its id, or those whose ids an SQL `SELECT` returns. */
type Subjects = Pick<Hideable, "kind"> & { id: string | SQL };

/**
 * Carries out the due follow-ups of some things. They run independently, after the response; the cron job retries those
 * that fail.
 */
export async function carryOutFollowUps(context: FollowUpContext, subject: Subjects): Promise<void> {
  for (const one of await claimFollowUps(context.db, subject)) context.defer(() => carryOutFollowUp(context, one));
}

/** Finds out whether follow-ups have failed and are waiting for their next attempt, which may be an hour away. */
export async function haveFollowUpsFailed(db: Database): Promise<boolean> {
  const { createdAt, dueAt } = followUps;
  const now = Date.now();
  const [{ hasFailed } = { hasFailed: 0 }] = await db.all<{ hasFailed: number }>(sql`SELECT EXISTS (
    SELECT 1 FROM ${followUps} WHERE ${createdAt} <= ${now - UPLOAD_TIME} AND ${dueAt} > ${now}
  ) AS hasFailed`);
  return Boolean(hasFailed);
}

/**
 * Claims follow-ups that are due: postpones their next attempt, by a minute at first, then by their age, and by an hour
 * at most. Those that keep failing thus leave room for newer ones, and until the next attempt nobody else carries them
 * out. Without a subject, the oldest are chosen first, and pictures separately: other work doesn't need the bucket, and
 * must not wait for it.
 * @param subject limits the claim to some things; omitted for all things
 */
export function claimFollowUps(db: Database, subject?: Subjects): Promise<FollowUp[]> {
  const { kind, subjectId, picture, createdAt, dueAt } = followUps;
  const at = Date.now();
  const due = (which: SQL, order: SQLiteColumn | SQL) => sql`
    SELECT * FROM (
      SELECT ${kind}, ${subjectId}, ${picture} FROM ${followUps}
      WHERE ${which} AND (${dueAt} IS NULL OR ${dueAt} <= ${at}) ORDER BY ${order} LIMIT ${LIMIT}
    )`;
  const chosen = subject
    ? due(sql`${kind} = ${subject.kind} AND ${subjectId} IN (${subject.id})`, sql`${subjectId}, ${picture}`)
    : sql`SELECT * FROM (${due(sql`${picture} = ''`, createdAt)} UNION ALL ${due(sql`${picture} <> ''`, createdAt)})`;
  return claim(db, sql`(${kind}, ${subjectId}, ${picture}) IN (${chosen})`, at);
}

/** @param at the current time, in milliseconds since 1970 */
const claim = (db: Database, which: SQL | undefined, at: number): Promise<FollowUp[]> =>
  db
    .update(followUps)
    .set({ dueAt: sql`${at} + min(max(${at} - ${followUps.createdAt}, ${MINUTE}), ${HOUR})` })
    .where(which)
    .returning();

/**
 * Carries out a follow-up: moves or deletes a picture, removes a player who is suspended or has asked for deletion from
 * teams and tournaments, ends roles as an organiser across a block, updates open tabs, empties an erased player's
 * inbox, or calls matches again. Deletes the follow-up once all its work is done: if some of that fails, the cron job
 * tries again.
 */
export async function carryOutFollowUp(context: Omit<FollowUpContext, "defer">, followUp: FollowUp): Promise<void> {
  const { db, env, origin } = context;
  await doAtOnce((defer) => performFollowUp({ db, env, origin, defer }, followUp));
  // If the thing was hidden or restored again in the meantime, the follow-up has a later time, and stays.
  const { rowsAffected } = await db
    .delete(followUps)
    .where(and(isFollowUp(followUp), eq(followUps.createdAt, followUp.createdAt)));
  if (rowsAffected > 0 || followUp.picture === "") return;
  for (const again of await claim(db, isFollowUp(followUp), Date.now())) await carryOutFollowUp(context, again);
}
