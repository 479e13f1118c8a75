import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { appeals, decisions, reportCases, users } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { enqueueEmailTo } from "~/platform/email/outbox.server";
import { decide } from "../decisions/decide.server";
import { FORGOTTEN_WORDS } from "../shared/appeal-words.server";
import { idOf, type ModerationActor, mayAct, recordedName, recordInModerationLog } from "../shared/log.server";
import { hasReported, isReviewOf } from "../shared/party.server";
import { appealAnsweredEmail } from "../statement/emails";
import type { FoundAppeal } from "./queries.server";
import type { AppealOutcome } from "./rules";

const a = alias(appeals, "a");
const appealed = alias(decisions, "appealed");
const appellant = alias(users, "appellant");
const handed = alias(reportCases, "handed");

type CommandContext = Pick<RequestContext, "db" | "now" | "origin">;
type Refusal = Exclude<AppealOutcome, "answered">;

/** The answer to an appeal. */
interface Answer {
  outcome: "granted" | "rejected";
  /** The reasons; the player reads them. */
  reason: string;
}

/**
 * Answers an appeal, in one transaction. Granting it undoes the decision with its effects, for good. The player gets
 * the answer and its reasons by email. Nobody can answer an appeal against their own decision, or in their own case.
 * Only the first of two simultaneous answers counts. Sending the same form again changes nothing.
 */
export async function answerAppeal(
  { db, now, origin }: CommandContext,
  actor: ModerationActor,
  appeal: FoundAppeal,
  { outcome, reason }: Answer,
): Promise<AppealOutcome> {
  const { decisionId, caseId, kind, subjectId, playerId } = appeal;
  const isOpen = sql`EXISTS (SELECT 1 FROM ${appeals} AS ${a} WHERE ${a.id} = ${appeal.id} AND ${a.outcome} IS NULL)
    AND ${mayAnswer(actor, decisionId)}`;
  /** @param isDone true if this answer will be stored */
  const statements = (isDone: SQL) => ({
    log: recordInModerationLog(
      db,
      actor,
      { action: `appeal-${outcome}`, caseId, decisionId, ...(playerId !== null && { playerId }) },
      now,
      isDone,
    ),
    email: enqueueEmailTo(
      db,
      sql`SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${playerId} AND ${isDone}`,
      appealAnsweredEmail(outcome, reason, origin),
      now,
    ),
    // Last, because it makes the condition false.
    answer: db.run(sql`
      UPDATE ${appeals} SET ${bare(appeals.outcome)} = ${outcome}, ${bare(appeals.answer)} = ${reason},
        ${bare(appeals.answeredBy)} = ${idOf(actor)}, ${bare(appeals.answerer)} = ${recordedName(actor)},
        ${bare(appeals.answeredAt)} = ${now.getTime()},
        ${bare(appeals.words)} = iif(EXISTS (SELECT 1 FROM ${users} AS ${appellant} WHERE ${appellant.id} = ${playerId}),
          ${appeals.words}, ${FORGOTTEN_WORDS})
      WHERE ${appeals.id} = ${appeal.id} AND ${isDone}`),
  });
  const isGranted = outcome === "granted";
  const isUndone = sql`EXISTS (SELECT 1 FROM ${decisions} AS ${appealed}
    WHERE ${appealed.id} = ${decisionId} AND ${appealed.undoneBy} IS NOT NULL)`;
  // One pipeline, in this order. If the appeal is granted but the decision is already undone, only the second
  // transaction stores the answer.
  const [, , found] = await Promise.all([
    isGranted &&
      decide(
        { db, now, origin },
        actor,
        { id: caseId, kind, subjectId, playerId, isFlagged: appeal.isFlagged, snapshot: appeal.snapshot ?? {} },
        { action: "undo", undoes: decisionId, rule: null, reason, seen: null },
        { condition: isOpen, statements: (isMade) => statements(sql`${isMade} AND ${isOpen}`) },
      ),
    transact(db, statements(isGranted ? sql`${isOpen} AND ${isUndone}` : isOpen)),
    findState(db, actor, appeal.id, { outcome, reason }),
  ]);
  return found.isThis ? "answered" : (found.refusal ?? "missing");
}

/**
 * Finds the reason why an actor can't answer an appeal.
 * @returns null if they can; `missing` if there is no such appeal, or they may not act as a moderator
 */
export async function findRefusal(db: Database, actor: ModerationActor, appealId: string): Promise<Refusal | null> {
  return (await findState(db, actor, appealId)).refusal;
}

/**
 * True if an actor may answer an appeal against a decision. Excludes the moderator who made the decision, the player it
 * is about, the case's reporters, and the player a reported review is about. As with decisions, only admins can answer
 * in a case that was handed to them, and only operators can answer an appeal by an admin.
 */
const mayAnswer = (actor: ModerationActor, decisionId: string | SQLiteColumn): SQL => sql`(${mayAct(actor)} AND EXISTS (
  SELECT 1 FROM ${decisions} AS ${appealed} WHERE ${appealed.id} = ${decisionId} AND NOT ${isOwnDecision(actor)}
    ${
      "userId" in actor
        ? sql`AND ${appealed.playerId} IS NOT ${actor.userId}
          AND NOT EXISTS (SELECT 1 FROM ${users} AS ${appellant}
            WHERE ${appellant.id} = ${appealed.playerId} AND ${appellant.role} = 'admin')
          AND NOT EXISTS (SELECT 1 FROM ${reportCases} AS ${handed}
            WHERE ${handed.id} = ${appealed.caseId} AND (${isPartyTo(actor.userId)}
              OR (${handed.isForAdmin} AND NOT ${mayAct(actor, "admin")})))`
        : sql``
    }
))`;

/** True if a player has reported the case `handed`, or if the case is about a review of them. */
const isPartyTo = (userId: string): SQL => sql`(${hasReported(userId, handed)} OR ${isReviewOf(userId, handed)})`;

/** True if the decision `appealed` is the actor's own; operators are identified by name. */
const isOwnDecision = (actor: ModerationActor): SQL =>
  "userId" in actor
    ? sql`${appealed.decidedBy} IS ${actor.userId}`
    : sql`(${appealed.decidedBy} IS NULL AND ${appealed.decider} = ${recordedName(actor)})`;

/**
 * Finds whether the actor has already given an appeal exactly this answer, and why they can't answer it now.
 * @param answer omitted if they haven't tried to answer
 */
async function findState(
  db: Database,
  actor: ModerationActor,
  appealId: string,
  answer?: Answer,
): Promise<{ isThis: boolean; refusal: Refusal | null }> {
  const [found] = await db.all<
    Record<"isAnswered" | "isThis" | "mayAct" | "isOwn" | "isAbout" | "mayAnswer", number>
  >(sql`
    SELECT ${a.outcome} IS NOT NULL AS isAnswered,
      ${
        answer
          ? sql`(${a.outcome} IS ${answer.outcome} AND ${a.answer} IS ${answer.reason} AND ${a.answeredBy} IS ${idOf(actor)})`
          : sql`0`
      } AS isThis,
      ${mayAct(actor)} AS mayAct, ${isOwnDecision(actor)} AS isOwn,
      ${
        "userId" in actor
          ? sql`(${appealed.playerId} IS ${actor.userId} OR EXISTS (SELECT 1 FROM ${reportCases} AS ${handed}
              WHERE ${handed.id} = ${appealed.caseId} AND ${isPartyTo(actor.userId)}))`
          : sql`0`
      } AS isAbout,
      ${mayAnswer(actor, a.decisionId)} AS mayAnswer
    FROM ${appeals} AS ${a} JOIN ${decisions} AS ${appealed} ON ${appealed.id} = ${a.decisionId}
    WHERE ${a.id} = ${appealId}`);
  if (!found?.mayAct) return { isThis: false, refusal: "missing" };
  const isThis = Boolean(found.isThis);
  if (found.isAnswered) return { isThis, refusal: "answered-before" };
  if (found.isOwn) return { isThis, refusal: "own-decision" };
  if (found.isAbout) return { isThis, refusal: "own-case" };
  return { isThis, refusal: found.mayAnswer ? null : "out-of-reach" };
}
