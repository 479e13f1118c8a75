import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { reportReview } from "~/features/feedback/commands.server";
import { findReportable } from "~/features/feedback/queries.server";
import { ReportReviewForm } from "~/features/feedback/report-form";
import { reviewReportSchema } from "~/features/feedback/schema";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";

const FAILED = "Error sending report";

export const meta: MetaFunction = () => privatePage("Report");

/** The page from which the viewer has come: of their own reviews that is the Profile tab. */
const backTo = (reviewedId: string, viewerId: string) =>
  reviewedId === viewerId ? "/dashboard/profile" : `/players/${reviewedId}`;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const reviewedId = idParam(params, "userId", context, request);
  const feedbackId = idParam(params, "feedbackId", context, request);
  const userId = await claimedUserId(context, request);
  const [, review] = await Promise.all([
    requireViewer(context, request),
    findReportable(context.db, feedbackId, reviewedId, userId),
  ]);
  if (!review) notFound(context, request);
  const { name, rating, comment } = review;
  return {
    id: uuidv7(context.now.getTime()),
    review: { name, rating, comment },
    closeTo: backTo(reviewedId, userId),
  };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const reviewedId = idParam(params, "userId", context, request);
  const feedbackId = idParam(params, "feedbackId", context, request);
  const submission = parseWithZod(await request.formData(), { schema: reviewReportSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const userId = context.claim?.userId;
    const [viewer, limit, review] = await Promise.all([
      context.viewer(),
      userId && submission.status === "success" ? countUse(context, "report", userId) : null,
      userId ? findReportable(context.db, feedbackId, reviewedId, userId) : undefined,
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (!review) notFound(context, request);
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const report = { ...submission.value, reporterId: viewer.id, feedbackId, reviewedId };
    if (!(await reportReview(context.db, report, context.now.getTime()))) {
      const error = "This form was used already. Open it again to send another report.";
      return refuseForm(context, submission, FAILED, { status: 409, error });
    }
    return redirectWithToast(context, backTo(reviewedId, viewer.id), {
      kind: "success",
      title: "Report sent",
      description: `It is kept for our moderators. ${review.name} isn't told.`,
    });
  });
}

/** Offline the form stays, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function ReportReview() {
  const { id, review, closeTo } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Report a review by" player={review.name} closeTo={closeTo}>
      <ReportReviewForm reply={reply} id={id} review={review} closeTo={closeTo} />
    </RouteDialog>
  );
}
