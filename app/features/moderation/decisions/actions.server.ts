import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, reports, userFeedback } from "#db/schema";
import { carryOutFollowUps } from "~/features/follow-ups/shared/queue.server";
import { tellModerators, tellUnread } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { deliverDueEmails } from "~/platform/email/outbox.server";
import type { Answer } from "~/platform/forms/answer-form.server";
import { checkSessions, closeSessions } from "~/platform/rooms/rooms.server";
import { ACTION_WORDS } from "../rules";
import { followHiding } from "../shared/hiding.server";
import { type Decided, type DecisionOutcome, decide, type OtherDecision } from "./decide.server";
import { DECISION_REFUSALS, type DecidedCase, type NewDecision } from "./decision";
import { daysFrom } from "./durations";

/** Handles the decision form. */
export async function answerDecision(
  context: RequestContext,
  moderatorId: string,
  theCase: DecidedCase,
  {
    days,
    ...decision
  }: Omit<NewDecision, "until" | "seen" | "scopes"> & {
    seen: string;
    scopes?: NewDecision["scopes"];
    days?: number | undefined;
  },
): Promise<Answer> {
  const { action, scopes, ...rest } = decision;
  const outcome = await decide(context, { userId: moderatorId }, theCase, {
    ...{ action, ...rest },
    ...(action === "limit" && scopes && { scopes }),
    ...((action === "limit" || action === "suspend") && days !== undefined && { until: daysFrom(context.now, days) }),
  });
  if (outcome.outcome !== "decided" && outcome.outcome !== "repeated") return refuse(outcome);
  followDecision(context, theCase, outcome.outcome === "decided" ? outcome : null);
  return { title: `Decided: ${ACTION_WORDS[action].name}` };
}

/**
 * Does the work that a decision's transaction can't, after the response: closes the sockets of ended sessions, updates
 * open tabs, delivers emails, and carries out follow-ups.
 * @param decided null if an earlier request made the decision. Its response may have been lost, so all the work that
 *   may be left is done
 */
export function followDecision(
  context: RequestContext,
  { id: caseId, kind, subjectId, playerId }: Pick<DecidedCase, "id" | "kind" | "subjectId" | "playerId">,
  decided: Decided | null,
): void {
  tellModerators(context);
  context.defer(() => deliverDueEmails(context));
  if (!decided) {
    if (playerId !== null) checkSessions(context, playerId);
    context.defer(async () => tellUnread(context, ...(await listConcerned(context.db, caseId, subjectId))));
    context.defer(() => carryOutFollowUps(context, { kind, id: subjectId }));
    if (playerId === null) return;
    if (kind !== "player") context.defer(() => carryOutFollowUps(context, { kind: "player", id: playerId }));
    const posts = sql`SELECT ${lfgPosts.id} FROM ${lfgPosts} WHERE ${lfgPosts.userId} = ${playerId}
      UNION SELECT ${joinRequests.postId} FROM ${joinRequests}
      WHERE ${joinRequests.userId} = ${playerId} AND ${joinRequests.state} = 'accepted'`;
    context.defer(() => carryOutFollowUps(context, { kind: "post", id: posts }));
    return;
  }
  if (playerId !== null) closeSessions(context, playerId, decided.endedSessions);
  tellUnread(context, ...decided.notified);
  for (const results of decided.hiding) followHiding(context, { kind, id: subjectId }, results);
  if (playerId !== null && decided.isSuspended) {
    context.defer(() => carryOutFollowUps(context, { kind: "player", id: playerId }));
  }
  for (const id of decided.closedPosts) context.defer(() => carryOutFollowUps(context, { kind: "post", id }));
}

/**
 * Lists the players whose news a decision may have changed: those who have reported the subject, the reviewed player,
 * and those who have asked to join the post.
 */
async function listConcerned(db: Database, caseId: string, subjectId: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT ${reports.reporterId} AS id FROM ${reports}
      WHERE ${reports.caseId} = ${caseId} AND ${reports.reporterId} IS NOT NULL
    UNION ALL SELECT ${userFeedback.reviewedId} FROM ${userFeedback} WHERE ${userFeedback.id} = ${subjectId}
    UNION ALL SELECT ${joinRequests.userId} FROM ${joinRequests} WHERE ${joinRequests.postId} = ${subjectId}`);
  return rows.map(({ id }) => id);
}

function refuse(outcome: Exclude<DecisionOutcome, { outcome: "decided" | "repeated" }>): Answer {
  if (outcome.outcome === "missing") return "missing";
  if (outcome.outcome !== "overtaken") return { status: 409, error: DECISION_REFUSALS[outcome.outcome] };
  const [change, renewed] =
    "evidence" in outcome
      ? ["The case has new or changed reports, or new findings. Look at them first.", { evidence: outcome.evidence }]
      : [outcome.other ? sayOther(outcome.other) : "The case has changed.", { seen: outcome.other?.id ?? "" }];
  return { status: 409, error: `${change} Send this again only if you still mean it.`, renewed };
}

const sayOther = ({ isByActor, decider, action, reason }: OtherDecision): string =>
  `${isByActor ? "You already" : `${decider} got there first and`} ${ACTION_WORDS[action].done}: “${reason}”`;
