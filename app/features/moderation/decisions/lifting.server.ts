import { eq, inArray, isNull, sql } from "drizzle-orm";
import { decisions, upheldSuspensions } from "#db/schema";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import type { Enqueuing } from "~/platform/email/outbox.server";
import { type ModerationActor, recordInModerationLog } from "../shared/log.server";
import { hashesOf } from "../shared/upheld.server";
import { decide } from "./decide.server";
import { NO_EVIDENCE } from "./decision";

/**
 * Frees an email address or a Riot account for new accounts, after an account that had it was erased while suspended.
 * Undoes the decision behind that suspension, which frees everything that the account had. Suspensions from before
 * decisions were recorded have none: then only the address or the Riot account is freed.
 * @param context.env `ENCRYPTION_KEY` with all keys of a rotation
 * @param trace an email address, in upper or lower case, or a PUUID
 * @returns `undone` if a decision was undone, `forgotten` if only the trace was deleted, `missing` if there was no
 *   trace
 * @throws Error if the decision can't be undone
 */
export async function liftUpheldSuspension(
  context: Enqueuing & Pick<RequestContext, "origin">,
  trace: string,
  reason: string,
  actor: ModerationActor,
): Promise<"undone" | "forgotten" | "missing"> {
  const { db, env, now } = context;
  const traces = trace.includes("@") ? { email: trace.toLowerCase() } : { puuid: trace, "proven-puuid": trace };
  const isOfTrace = inArray(upheldSuspensions.hash, hashesOf(env.ENCRYPTION_KEY, traces));
  const { id, caseId, kind, subjectId, playerId, isFlagged } = decisions;
  const kept = await db
    .select({ decision: { id, caseId, kind, subjectId, playerId, isFlagged } })
    .from(upheldSuspensions)
    .leftJoin(decisions, eq(decisions.id, upheldSuspensions.decisionId))
    .where(isOfTrace)
    .orderBy(isNull(id));
  if (kept.length === 0) return "missing";
  const [{ decision } = { decision: null }] = kept;
  if (decision) {
    const theCase = { ...decision, id: decision.caseId, ...NO_EVIDENCE };
    const undoing = { action: "undo", undoes: decision.id, rule: null, reason, seen: null } as const;
    const { outcome } = await decide(context, actor, theCase, undoing);
    if (outcome !== "decided") throw new Error(`The decision ${decision.id} can't be undone: ${outcome}.`);
    // If another decision stands, the trace has stayed and now refers to that one. A PUUID can also have two traces.
    await liftUpheldSuspension(context, trace, reason, actor);
    return "undone";
  }
  const isKept = sql`EXISTS (SELECT 1 FROM ${upheldSuspensions} WHERE ${isOfTrace})`;
  await transact(db, {
    log: recordInModerationLog(db, actor, { action: "suspension-lifted", details: { reason } }, now, isKept),
    forgotten: db.delete(upheldSuspensions).where(isOfTrace),
  });
  return "forgotten";
}
