import type { Submission } from "@conform-to/react";
import type { RequestContext } from "~/platform/context";
import { type FormFailure, orDatabaseAway, refuseAction, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import type { Toast } from "~/platform/pages/toast";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import type { MatchAddress } from "../match/match-page.server";
import type { Command } from "./commands";
import { refusalOf } from "./refusals";
import { prepareCommand, sendCommand } from "./send.server";

/** The title of every toast that says why a match stays as it is. */
const FAILED = "Error";

/** What is said once a command is carried out. */
type Success = Omit<Toast, "id" | "kind">;

/**
 * Answers a form about a match or a team: has the tournament's room carry out what it asks for, and leads to its page. Two
 * round trips: the session, the limit and the room's reading; and what the room stores.
 * @param commandOf what a form that reads well asks for
 * @param confirmed what is said instead of a report that has decided the match
 */
export async function takeMatchForm<Value>(
  context: RequestContext,
  request: Request,
  { tournamentId, here }: Pick<MatchAddress, "tournamentId" | "here">,
  submission: Submission<Record<string, unknown>, string[], Value> | Submission<unknown, string[], Value>,
  commandOf: (value: Value) => Command,
  success: Success,
  confirmed = success,
) {
  return orDatabaseAway(context, submission as Submission<unknown>, FAILED, async () => {
    const refuse = (failure?: FormFailure) => refuseForm(context, submission as Submission<unknown>, FAILED, failure);
    const userId = context.claim?.userId;
    const isGood = submission.status === "success";
    const [viewer, limit] = await Promise.all([
      context.viewer(),
      userId && isGood ? countUse(context, "match", userId) : null,
      userId && isGood ? prepareCommand(context, tournamentId) : null,
    ]);
    if (!viewer) return refuse(SIGNED_OUT);
    if (submission.status !== "success") return refuse();
    if (limit && !limit.allowed) return refuse(tooManyTries(limit.retryAfter));
    const { refusal, isConfirmed } = await run(context, request, tournamentId, viewer.id, commandOf(submission.value));
    if (refusal) return refuse(refusal);
    return redirectWithToast(context, here, { kind: "success", ...(isConfirmed ? confirmed : success) });
  });
}

/** Answers a button about a match that has no fields to fill in; else as `takeMatchForm`. */
export async function pressMatchButton(
  context: RequestContext,
  request: Request,
  { tournamentId, here }: Pick<MatchAddress, "tournamentId" | "here">,
  command: Command,
  success: Success,
) {
  const userId = await claimedUserId(context, request);
  const [viewer, limit] = await Promise.all([
    requireViewer(context, request),
    countUse(context, "match", userId),
    prepareCommand(context, tournamentId),
  ]);
  if (!limit.allowed) return refuseAction(context, FAILED, tooManyTries(limit.retryAfter));
  const { refusal } = await run(context, request, tournamentId, viewer.id, command);
  return refusal
    ? refuseAction(context, FAILED, refusal)
    : redirectWithToast(context, here, { kind: "success", ...success });
}

/** @returns why it was refused, unless it is done */
async function run(
  context: RequestContext,
  request: Request,
  tournamentId: string,
  actorId: string,
  command: Command,
): Promise<{ refusal?: FormFailure; isConfirmed?: boolean | undefined }> {
  const outcome = await sendCommand(context, tournamentId, actorId, command);
  if (outcome.outcome === "done") return { isConfirmed: outcome.isConfirmed };
  return { refusal: refusalOf(outcome.reason) ?? notFound(context, request) };
}
