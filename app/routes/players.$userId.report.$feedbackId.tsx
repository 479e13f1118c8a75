import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { reportReview } from "~/features/feedback/commands.server";
import { findReportable } from "~/features/feedback/queries.server";
import { ReportReviewForm } from "~/features/feedback/report-form";
import { reviewReportSchema } from "~/features/feedback/schema";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/session.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import "~/shell";

const FAILED = "Error sending report";

export const meta: MetaFunction = () => privatePage("Report");

/** Returns the page that the viewer came from; for reviews of the viewer, that is the Profile tab. */
const returnAddress = (reviewedId: string, viewerId: string) =>
  reviewedId === viewerId ? "/dashboard/profile" : `/players/${reviewedId}`;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const reviewedId = idParam(params, "userId", context, request);
  const feedbackId = idParam(params, "feedbackId", context, request);
  const userId = await requireClaimedUserId(context, request);
  const [, review] = await Promise.all([
    requireViewer(context, request),
    findReportable(context.db, feedbackId, reviewedId, userId),
  ]);
  if (!review) notFound(context, request);
  const { name, rating, comment } = review;
  return {
    id: uuidv7(context.now.getTime()),
    review: { name, rating, comment },
    closeTo: returnAddress(reviewedId, userId),
  };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const reviewedId = idParam(params, "userId", context, request);
  const feedbackId = idParam(params, "feedbackId", context, request);
  return answerForm(args, {
    schema: reviewReportSchema,
    failed: FAILED,
    limit: "report",
    alongside: async (userId) => (await findReportable(context.db, feedbackId, reviewedId, userId)) ?? null,
    async run({ value, viewer, found: review }) {
      const report = { ...value, reporterId: viewer.id, feedbackId, reviewedId };
      if (!(await reportReview(context.db, report, context.now.getTime()))) {
        return { status: 409, error: "This form was used already. Open it again to send another report." };
      }
      return {
        to: returnAddress(reviewedId, viewer.id),
        title: "Report sent",
        description: `It is kept for our moderators. ${review.name} isn't told.`,
      };
    },
  });
}

export const clientAction = offlineAction(FAILED);

export default function ReportReview() {
  const { id, review, closeTo } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Report a review by" player={review.name} closeTo={closeTo}>
      <ReportReviewForm reply={reply} id={id} review={review} closeTo={closeTo} />
    </RouteDialog>
  );
}
