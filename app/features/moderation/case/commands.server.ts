import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isCaseShownTo } from "#db/cases";
import { caseNotes, reportCases, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { idOf, type ModerationActor, mayAct, recordedName, recordInModerationLog } from "../shared/log.server";
import { maySettle, playerOf } from "../shared/settling.server";

const c = alias(reportCases, "c");
const note = alias(caseNotes, "note");
const u = alias(users, "u");

type CommandContext = Pick<RequestContext, "db" | "now">;

/**
 * Assigns an open case to a moderator, or to nobody. The assignment shows who is working on the case. Others who may
 * decide it can still do so, or take it over, so no case gets stuck. Only its assignee, admins and operators may
 * unassign it. The log records the previous assignee's id.
 * @param moderatorId moderators can only assign cases to themselves, and only those that they may decide; operators can
 *   assign them to anyone with a role
 * @param from the assignee whom the page showed, null if it showed none; a case that someone else has taken since stays
 *   with them. If omitted, this isn't checked
 * @returns `isAssigned` is false if nothing changed; `holder` is the assignee's id now, null if there is none, and
 *   undefined if the actor sees no such case
 */
export async function assignCase(
  { db, now }: CommandContext,
  actor: ModerationActor,
  caseId: string,
  moderatorId: string | null,
  from?: string | null,
): Promise<{ isAssigned: boolean; holder?: string | null | undefined }> {
  if (moderatorId !== null && "userId" in actor && actor.userId !== moderatorId) return { isAssigned: false };
  const isAllowed =
    moderatorId === null
      ? sql`(${isCaseShownTo(playerOf(actor), c)}
          AND (${c.assignedTo} IS ${idOf(actor)} OR ${mayAct(actor, now, "admin")}))`
      : sql`(${maySettle(actor, now, c)}
          AND EXISTS (SELECT 1 FROM ${users} AS ${u} WHERE ${u.id} = ${moderatorId} AND ${u.role} IS NOT NULL))`;
  const isOpen = sql`EXISTS (
    SELECT 1 FROM ${reportCases} AS ${c}
    WHERE ${c.id} = ${caseId} AND ${c.state} = 'open' AND ${c.assignedTo} IS NOT ${moderatorId}
      AND ${from === undefined ? sql`1` : sql`coalesce(${c.assignedTo}, ${from}) IS ${from}`}
      AND ${mayAct(actor, now)} AND ${isAllowed}
  )`;
  const action = moderatorId === null ? "case-unassigned" : "case-assigned";
  const details = sql`(SELECT json_object('from', ${c.assignedTo}) FROM ${reportCases} AS ${c} WHERE ${c.id} = ${caseId})`;
  const { assigned, found } = await transact(db, {
    log: recordInModerationLog(
      db,
      actor,
      { action, caseId, details, ...(moderatorId !== null && { playerId: moderatorId }) },
      now,
      isOpen,
    ),
    assigned: db.run(sql`UPDATE ${reportCases} SET ${bare(reportCases.assignedTo)} = ${moderatorId}
      WHERE ${reportCases.id} = ${caseId} AND ${isOpen}`),
    found: db.all<{ holder: string | null }>(sql`
      SELECT ${c.assignedTo} AS holder FROM ${reportCases} AS ${c}
      WHERE ${c.id} = ${caseId} AND ${mayAct(actor, now)} AND ${isCaseShownTo(playerOf(actor), c)}`),
  });
  return { isAssigned: assigned.rowsAffected > 0, holder: found[0]?.holder };
}

/**
 * Adds a note to a case, for other moderators. Sending the same form twice adds one note.
 * @returns `used` if another note was already added under this id; `missing` if the case doesn't exist, or this
 *   moderator may not see it
 */
export async function addNote(
  { db, now }: CommandContext,
  actor: ModerationActor,
  { id, caseId, words }: { id: string; caseId: string; words: string },
): Promise<"added" | "used" | "missing"> {
  const at = now.getTime();
  const isNew = sql`EXISTS (SELECT 1 FROM ${caseNotes} AS ${note} WHERE ${note.id} = ${id} AND ${note.caseId} = ${caseId}
    AND ${note.createdAt} = ${at})`;
  const { found } = await transact(db, {
    add: db.run(sql`
      INSERT INTO ${caseNotes} ${columnsOf(caseNotes, "id", "caseId", "authorId", "author", "words", "createdAt")}
      SELECT ${id}, ${c.id}, ${idOf(actor)}, ${recordedName(actor)}, ${words}, ${at} FROM ${reportCases} AS ${c}
      WHERE ${c.id} = ${caseId} AND ${mayAct(actor, now)} AND ${isCaseShownTo(playerOf(actor), c)}
      ON CONFLICT ${columnsOf(caseNotes, "id")} DO NOTHING`),
    log: recordInModerationLog(db, actor, { action: "note-added", caseId }, now, isNew),
    found: db.all<{ isThis: number }>(sql`
      SELECT ${note.words} = ${words} AND ${note.authorId} IS ${idOf(actor)} AS isThis
      FROM ${caseNotes} AS ${note} WHERE ${note.id} = ${id} AND ${note.caseId} = ${caseId}`),
  });
  const [stored] = found;
  if (!stored) return "missing";
  return stored.isThis ? "added" : "used";
}
