import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { caseFindings, reportCases, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { tellModerators } from "~/features/notifications/shared/unread.server";
import { isOpenCaseOf, openCase } from "~/features/reports/shared/open-case.server";
import { type Subject, selectAnySubject } from "~/features/reports/shared/subjects.server";
import type { RequestContext } from "~/platform/context";
import type { RoomCaller } from "~/platform/rooms/rooms.server";
import { NEW_ACCOUNT } from "../rules";
import { checkText } from "./check.server";

const account = alias(users, "account");
const c = alias(reportCases, "c");
const judged = alias(reportCases, "judged");
const known = alias(caseFindings, "known");
const due = sql.identifier("due");
const item = sql.identifier("item");
const part = sql.identifier("part");
const s = sql.identifier("subject");

/** The parts of snapshots that are names or titles. */
const NAMES = new Set(["author", "title", "name"]);

/**
 * The texts of a thing, by their names in its snapshot (`selectSubject`). Where the snapshot has a list of separately
 * written texts, the new one is enough.
 */
type Texts = Record<string, string | readonly string[] | null | undefined>;

/** The request that writes a text. Links to its origin are never flagged, and it is used to notify moderators. */
export type Writing = Pick<RequestContext, "db" | "now" | "origin"> & Partial<RoomCaller>;

/**
 * Builds the statements that put a thing on the moderators' queue if our checks find something in its new texts. They
 * belong in the transaction that stores the texts, after that statement. Only texts that are stored by then count, so
 * the statements do nothing after a refused write. Repeating them changes nothing. A finding that moderators have
 * already seen in a closed case is ignored. If the request can call rooms, moderators are notified after its response.
 * @param authorId the author of the texts
 * @returns the statements; undefined if nothing was found, the usual case
 */
export function raiseFlags(
  { db, now, origin, env, defer }: Omit<Writing, "origin"> & { origin?: string | undefined },
  subject: Subject,
  texts: Texts,
  authorId: string,
) {
  const at = now.getTime();
  const found = Object.entries(texts).flatMap(([field, text]) => {
    const stored = typeof text === "string" ? text : JSON.stringify(text);
    const words = typeof text === "string" ? text : (text ?? []).join("\n");
    return checkText(words, origin ?? null, NAMES.has(field)).map((one) => ({ field, stored, ...one }));
  });
  if (found.length === 0) return undefined;
  if (env && defer) tellModerators({ db, env, defer });
  const isNewAccount = sql`EXISTS (SELECT 1 FROM ${users} AS ${account}
    WHERE ${account.id} = ${authorId} AND ${account.createdAt} > ${at - NEW_ACCOUNT})`;
  const source = sql`(${selectAnySubject(subject)}) AS ${s}`;
  const findings = sql`
    SELECT ${item}.value ->> 'field' AS field, ${item}.value ->> 'finding' AS finding,
      ${item}.value ->> 'matches' AS matches, ${s}.writer AS writer, ${s}.snapshot AS snapshot, ${s}.picture AS picture
    FROM ${source}, json_each(${JSON.stringify(found)}) AS ${item}
    WHERE (
      ${s}.snapshot ->> (${item}.value ->> 'field') = ${item}.value ->> 'stored'
      OR EXISTS (
        SELECT 1 FROM json_each(${s}.snapshot, '$.' || (${item}.value ->> 'field')) AS ${part}
        WHERE ${part}.value = ${item}.value ->> 'stored'
      )
    )
      AND (${item}.value ->> 'finding' <> 'new-account-link' OR ${isNewAccount})
      AND NOT EXISTS (
        SELECT 1 FROM ${reportCases} AS ${judged} JOIN ${caseFindings} AS ${known} ON ${known.caseId} = ${judged.id}
        WHERE ${judged.kind} = ${subject.kind} AND ${judged.subjectId} = ${subject.id} AND ${judged.state} = 'closed'
          AND ${known.field} = ${item}.value ->> 'field' AND ${known.finding} = ${item}.value ->> 'finding'
          AND ${known.matches} = ${item}.value ->> 'matches'
      )`;
  return {
    openFlagged: openCase(db, subject, sql`${findings} LIMIT 1`, now, true),
    addFindings: db.run(sql`
      INSERT INTO ${caseFindings} ${columnsOf(
        caseFindings,
        "caseId",
        "field",
        "finding",
        "matches",
        "snapshot",
        "foundAt",
      )}
      SELECT ${c.id}, ${due}.field, ${due}.finding, ${due}.matches, nullif(${due}.snapshot, ${c.snapshot}), ${at}
      FROM ${reportCases} AS ${c}, (${findings}) AS ${due} WHERE ${isOpenCaseOf(c, subject)}
      ON CONFLICT ${columnsOf(caseFindings, "caseId", "field", "finding")} DO UPDATE SET
        ${bare(caseFindings.matches)} = excluded.${bare(caseFindings.matches)},
        ${bare(caseFindings.snapshot)} = excluded.${bare(caseFindings.snapshot)},
        ${bare(caseFindings.foundAt)} = ${at}
      WHERE ${caseFindings.matches} <> excluded.${bare(caseFindings.matches)}`),
  };
}
