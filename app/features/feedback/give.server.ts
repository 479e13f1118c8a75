import { parseWithZod } from "@conform-to/zod/v4";
import type { RequestContext } from "~/platform/context";
import { type Clock, shortDate } from "~/platform/dates/dates";
import { type FormFailure, orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { tellUnread } from "~/platform/rooms/rooms.server";
import { type GiveOutcome, giveFeedback } from "./commands.server";
import { feedbackSchema } from "./schema";

const FAILED = "Error saving feedback";

export const NO_OCCASION = "Feedback is for players you have played with, or who have talked with you.";
export const OWN = "This is you: feedback comes from others.";

/** What is said to whoever has given feedback that is revealed, until they may give the next. */
export const notBefore = (nextAt: number, clock: Clock) =>
  `You have given them feedback already. You can give more from ${shortDate(nextAt, clock)} on.`;

/**
 * Takes the form of feedback for a player, wherever it stands.
 * @param places.here the form's address: what was given and is hidden is changed there
 * @param places.done where it leads once it is stored
 */
export async function takeFeedback(
  context: RequestContext,
  request: Request,
  reviewedId: string,
  { here, done }: { here: string; done: string },
) {
  const submission = parseWithZod(await request.formData(), { schema: feedbackSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const userId = context.claim?.userId;
    const [viewer, limit] = await Promise.all([
      context.viewer(),
      userId && submission.status === "success" ? countUse(context, "feedback", userId) : null,
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const feedback = { ...submission.value, reviewerId: viewer.id, reviewedId };
    const given = await giveFeedback(context.db, feedback, context.now.getTime());
    if (given.outcome === "missing") notFound(context, request);
    if (given.outcome !== "given")
      return refuseForm(context, submission, FAILED, whyNot(given, here, await context.clock()));
    for (const player of given.told) tellUnread(context, player);
    return redirectWithToast(context, done, {
      kind: "success",
      title: "Feedback saved!",
      description: given.isRevealed
        ? "Both of you have given theirs: it shows from now on."
        : "It stays hidden until they have given theirs, for a week at most.",
    });
  });
}

function whyNot(
  given: Exclude<GiveOutcome, { outcome: "given" | "missing" }>,
  here: string,
  clock: Clock,
): FormFailure {
  switch (given.outcome) {
    case "own":
      return { status: 409, error: OWN };
    case "stranger":
      return { status: 403, error: NO_OCCASION };
    case "recent":
      if (given.isRevealed) return { status: 409, error: notBefore(given.nextAt, clock) };
      return {
        status: 409,
        error: "You have given them feedback already. It is still hidden, so you can change it.",
        next: { to: here, label: "Change Feedback" },
      };
    case "locked":
      return { status: 409, error: "Your feedback was revealed meanwhile, so it can't be changed any more." };
    default:
      return { status: 409, error: "This form was used already. Open it again." };
  }
}
