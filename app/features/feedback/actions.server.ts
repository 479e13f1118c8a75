import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { OWN_DECISIONS } from "~/features/moderation/rules";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import type { Clock } from "~/platform/dates/dates";
import { answerForm } from "~/platform/forms/answer-form.server";
import type { FormFailure } from "~/platform/forms/forms.server";
import { type GiveOutcome, giveFeedback } from "./commands.server";
import { sayMoreFrom } from "./present.server";
import { feedbackSchema } from "./schema";

export const NO_OCCASION = "You can give feedback to players you've played with, or have chatted with for a while.";
export const OWN = "You can't give yourself feedback.";
export const HIDDEN = "Moderators have hidden your feedback for them, so it can't be changed.";
const CHANGED =
  "Your feedback has changed elsewhere since you opened this form. Your entries are still here: save again to replace what's saved.";
const GONE: FormFailure = { status: 404, error: "This player's account is gone, so your feedback wasn't saved." };

/** The error for a player who can't give feedback again yet: their last is revealed, and less than 14 days old. */
export const notBefore = (last: { createdAt: number }, clock: Clock) =>
  `You've already given them feedback. ${sayMoreFrom(last, clock)}`;

/**
 * Handles the feedback form for a player, on any page that shows it.
 * @param places.here the form's address, where feedback that isn't revealed yet can still be changed
 * @param places.done the address to redirect to after saving
 */
export const handleFeedbackForm = (
  args: ActionFunctionArgs,
  reviewedId: string,
  places: { here: string; done: string },
) =>
  answerForm(args, {
    schema: feedbackSchema,
    failed: "Error saving feedback",
    limit: "feedback",
    to: places.done,
    async run({ value, viewer }) {
      const { context } = args;
      const feedback = { ...value, reviewerId: viewer.id, reviewedId };
      const given = await giveFeedback(context, feedback);
      // With JavaScript, the open page keeps the typed text; without it, there is no page to show the text on.
      if (given.outcome === "missing") return GONE;
      if (given.outcome !== "given") return refusalOf(given, places.here, await context.clock());
      for (const player of given.notified) tellUnread(context, player);
      return {
        title: "Feedback saved!",
        description: given.isRevealed
          ? "You've both given feedback, so they can see it from now on."
          : "It stays hidden until they give theirs, for a week at most.",
      };
    },
  });

function refusalOf(
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
      if (given.isRevealed) return { status: 409, error: notBefore(given, clock) };
      return {
        status: 409,
        error: "You've already given them feedback. It's still hidden, so you can change it.",
        next: { to: here, label: "Change Feedback" },
      };
    case "hidden":
      return { status: 409, error: HIDDEN, next: { to: OWN_DECISIONS, label: "Read the decision" } };
    case "changed":
      return { status: 409, error: CHANGED, renewed: { version: given.version } };
    case "locked":
      return { status: 409, error: "Your feedback is visible now, so it can't be changed any more." };
    default:
      return { status: 409, error: "This form was already used. Open it again." };
  }
}
