import { carryOutFollowUps } from "~/features/follow-ups/shared/queue.server";
import { tellModerators, tellUnread } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { deliverDueEmails } from "~/platform/email/outbox.server";
import type { Answer } from "~/platform/forms/answer-form.server";
import { closeSessions } from "~/platform/rooms/rooms.server";
import { ACTION_WORDS } from "../rules";
import { followHiding } from "../shared/hiding.server";
import { type DecisionOutcome, decide, type OtherDecision } from "./decide.server";
import { DECISION_REFUSALS, type DecidedCase, type NewDecision } from "./decision";
import { daysFrom } from "./durations";

/**
 * Handles the decision form. After the response, closes a suspended player's sockets, removes the player from teams and
 * tournaments, and updates the open tabs of the notified players.
 */
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
  if (outcome.outcome !== "decided") return refuse(outcome);
  const { playerId } = theCase;
  if (playerId !== null && outcome.endedSessions.length > 0) closeSessions(context, playerId, outcome.endedSessions);
  tellUnread(context, ...outcome.notified);
  tellModerators(context);
  context.defer(() => deliverDueEmails(context));
  const subject = { kind: theCase.kind, id: theCase.subjectId };
  for (const results of outcome.hiding) followHiding(context, subject, results);
  if (playerId !== null && outcome.isSuspended) {
    context.defer(() => carryOutFollowUps(context, { kind: "player", id: playerId }));
  }
  for (const id of outcome.closedPosts) context.defer(() => carryOutFollowUps(context, { kind: "post", id }));
  return { title: `Decided: ${ACTION_WORDS[action].name}` };
}

function refuse(outcome: Exclude<DecisionOutcome, { outcome: "decided" }>): Answer {
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
