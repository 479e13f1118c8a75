import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { HIDDEN, handleFeedbackForm, NO_OCCASION, notBefore, OWN } from "~/features/feedback/actions.server";
import { FeedbackForm } from "~/features/feedback/feedback-form";
import { feedbackValues } from "~/features/feedback/present.server";
import { findGivenFeedback } from "~/features/feedback/queries.server";
import { nextStep } from "~/features/feedback/rules";
import { findProfile } from "~/features/players/queries.server";
import { displayName } from "~/features/players/rules";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { refuseVisit } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireViewer } from "~/platform/session/guards.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  privatePage(data ? `Feedback for ${data.name}` : "Feedback");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const playerId = idParam(params, "userId", context, request);
  const { db, claim, now } = context;
  const [profile, given] = await Promise.all([
    findProfile(db, playerId),
    claim ? findGivenFeedback(db, claim.userId, playerId) : null,
    // Sends the session check in the same round trip.
    context.viewer(),
  ]);
  if (!profile) notFound(context, request);
  const viewer = await requireViewer(context, request, "Please sign in to give other players feedback.");
  const { last, mayReview } = given as NonNullable<typeof given>;
  const step = nextStep(last, now.getTime());
  const refusal =
    viewer.id === playerId
      ? OWN
      : step === "wait" && last
        ? last.isHidden
          ? HIDDEN
          : notBefore(last, await context.clock())
        : step === "give" && !mayReview && NO_OCCASION;
  if (refusal) refuseVisit(context, `/players/${playerId}`, refusal);
  return {
    playerId,
    name: displayName(profile),
    values: feedbackValues(last, now),
    isChange: step === "edit",
  };
}

export function action(args: ActionFunctionArgs) {
  const playerId = idParam(args.params, "userId", args.context, args.request);
  const page = `/players/${playerId}`;
  return handleFeedbackForm(args, playerId, { here: `${page}/feedback`, done: page });
}

export { clientAction } from "~/platform/forms/forms";

export default function FeedbackDialog() {
  const { playerId, name, ...form } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const page = `/players/${playerId}`;
  return (
    <RouteDialog title="Feedback for" player={name} closeTo={page}>
      <FeedbackForm {...form} key={playerId} action={`${page}/feedback`} reply={reply} player={name} closeTo={page} />
    </RouteDialog>
  );
}
