import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { appeals, decisions, reportCases, users } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { type Enqueuing, enqueueEmailTo } from "~/platform/email/outbox.server";
import { type Decided, decide } from "../decisions/decide.server";
import { NO_EVIDENCE } from "../decisions/decision";
import { FORGOTTEN_WORDS } from "../shared/appeal-words.server";
import { idOf, type ModerationActor, mayAct, recordedName, recordInModerationLog } from "../shared/log.server";
import { isInvolved, maySettle } from "../shared/settling.server";
import { appealAnsweredEmail } from "../statement/emails";
import type { FoundAppeal } from "./queries.server";
import type { AppealOutcome } from "./rules";

const a = alias(appeals, "a");
const appealed = alias(decisions, "appealed");
const appellant = alias(users, "appellant");
const settled = alias(reportCases, "settled");

type CommandContext = Enqueuing & Pick<RequestContext, "origin">;
type Refusal = Exclude<AppealOutcome, "answered">;

/** The answer to an appeal. */
interface Answer {
  outcome: "granted" | "rejected";
  /** The reasons; the player reads them. */
  reason: string;
}

/**
 * Answers an appeal, in one transaction. Granting it undoes the decision with its effects, for good. The player gets
 * the answer and its reasons by email. Nobody can answer an appeal against their own decision, or in their own case, or
 * reject one against a decision that no longer stands. Only the first of two simultaneous answers counts. Sending the
 * same form again changes nothing.
 * @returns the outcome; `undone`: the results of undoing the decision, for `followDecision`, or null if this answer
 *   didn't undo it
 */
export async function answerAppeal(
  context: CommandContext,
  actor: ModerationActor,
  appeal: FoundAppeal,
  { outcome, reason }: Answer,
): Promise<{ outcome: AppealOutcome; undone: Decided | null }> {
  const { db, now, origin } = context;
  const { decisionId, caseId, kind, subjectId, playerId } = appeal;
  const isOpen = sql`EXISTS (SELECT 1 FROM ${appeals} AS ${a} WHERE ${a.id} = ${appeal.id} AND ${a.outcome} IS NULL)
    AND ${mayAnswer(actor, now, decisionId)}`;
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
      context,
      sql`SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${playerId} AND ${isDone}`,
      appealAnsweredEmail(outcome, reason, origin),
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
  const [decision, , found] = await Promise.all([
    isGranted &&
      decide(
        context,
        actor,
        { id: caseId, kind, subjectId, playerId, isFlagged: appeal.isFlagged, ...NO_EVIDENCE },
        { action: "undo", undoes: decisionId, rule: null, reason, seen: null },
        { condition: isOpen, statements: (isMade) => statements(sql`${isMade} AND ${isOpen}`) },
      ),
    transact(db, statements(sql`${isOpen} AND ${isGranted ? isUndone : sql`NOT ${isUndone}`}`)),
    findState({ db, now }, actor, appeal.id, { outcome, reason }),
  ]);
  return {
    outcome: found.isThis ? "answered" : (found.refusal ?? "missing"),
    undone: decision && decision.outcome === "decided" ? decision : null,
  };
}

/**
 * Finds the reason why an actor can't answer an appeal.
 * @returns null if they can; `missing` if there is no such appeal, or they may not act as a moderator
 */
export async function findRefusal(
  context: Pick<CommandContext, "db" | "now">,
  actor: ModerationActor,
  appealId: string,
): Promise<Refusal | null> {
  return (await findState(context, actor, appealId)).refusal;
}

/** True if an actor may answer an appeal against a decision: one in a case that they may decide, but not their own. */
const mayAnswer = (actor: ModerationActor, now: Date, decisionId: string): SQL => sql`EXISTS (
  SELECT 1 FROM ${decisions} AS ${appealed} JOIN ${reportCases} AS ${settled} ON ${settled.id} = ${appealed.caseId}
  WHERE ${appealed.id} = ${decisionId} AND NOT ${isOwnDecision(actor)} AND ${maySettle(actor, now, settled)}
)`;

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
  { db, now }: Pick<CommandContext, "db" | "now">,
  actor: ModerationActor,
  appealId: string,
  answer?: Answer,
): Promise<{ isThis: boolean; refusal: Refusal | null }> {
  const [found] = await db.all<
    Record<"isAnswered" | "isThis" | "isUndone" | "mayAct" | "isOwnDecision" | "isInvolved" | "maySettle", number>
  >(sql`
    SELECT ${a.outcome} IS NOT NULL AS isAnswered,
      ${
        answer
          ? sql`(${a.outcome} IS ${answer.outcome} AND ${a.answer} IS ${answer.reason} AND ${a.answeredBy} IS ${idOf(actor)})`
          : sql`0`
      } AS isThis,
      ${appealed.undoneBy} IS NOT NULL AS isUndone, ${mayAct(actor, now)} AS mayAct,
      ${isOwnDecision(actor)} AS isOwnDecision, ${isInvolved(actor, settled)} AS isInvolved,
      ${maySettle(actor, now, settled)} AS maySettle
    FROM ${appeals} AS ${a} JOIN ${decisions} AS ${appealed} ON ${appealed.id} = ${a.decisionId}
      JOIN ${reportCases} AS ${settled} ON ${settled.id} = ${appealed.caseId}
    WHERE ${a.id} = ${appealId}`);
  if (!found?.mayAct) return { isThis: false, refusal: "missing" };
  const isThis = Boolean(found.isThis);
  if (found.isAnswered) return { isThis, refusal: "answered-before" };
  if (found.isOwnDecision) return { isThis, refusal: "own-decision" };
  if (found.isInvolved) return { isThis, refusal: "own-case" };
  if (!found.maySettle) return { isThis, refusal: "out-of-reach" };
  return { isThis, refusal: answer?.outcome === "rejected" && found.isUndone ? "undone" : null };
}
