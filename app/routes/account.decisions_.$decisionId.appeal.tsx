import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AppealForm } from "~/features/moderation/appeals/appeal-form";
import { APPEAL_REFUSALS } from "~/features/moderation/appeals/rules";
import { appealSchema } from "~/features/moderation/appeals/schema";
import { sendAppeal } from "~/features/moderation/appeals/sending.server";
import { Statement } from "~/features/moderation/statement/decision-list";
import { presentDecision } from "~/features/moderation/statement/present.server";
import { findOwnDecision } from "~/features/moderation/statement/queries.server";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireClaimedUserId, requireRestrictedViewer } from "~/platform/session/guards.server";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const LIST = "/account/decisions";
const FAILED = "Error sending appeal";

export const meta: MetaFunction = () => privatePage("Appeal");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "decisionId", context, request);
  const userId = await requireClaimedUserId(context, request);
  const [, decision, clock] = await Promise.all([
    requireRestrictedViewer(context, request),
    findOwnDecision(context.db, userId, id),
    context.clock(),
  ]);
  if (!decision) return notFound(context, request);
  const { mayAppeal, appeal, ...statement } = presentDecision(decision, clock);
  // This page is also the response to a form posted without JavaScript, and then says that it is too late.
  if (!mayAppeal && !context.submitted) {
    // Without JavaScript, Back returns here after the form was sent. The list shows the appeal.
    if (appeal) throw redirect(LIST);
    return notFound(context, request);
  }
  return { statement };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = idParam(params, "decisionId", context, request);
  return answerForm(args, {
    schema: appealSchema,
    failed: FAILED,
    limit: "appeal",
    viewer: ({ restrictedViewer }) => restrictedViewer(),
    to: LIST,
    async run({ value, viewer }) {
      const outcome = await sendAppeal(context, viewer.id, id, value.words);
      if (outcome === "missing") return outcome;
      if (outcome !== "sent") return { status: 409, error: APPEAL_REFUSALS[outcome] };
      return { title: "Appeal sent", description: "We'll write to you as soon as it's answered." };
    },
  });
}

export const clientAction = offlineAction(FAILED);

export default function AppealDecision() {
  const { statement } = useLoaderData<typeof loader>();
  return (
    <>
      <h1 className="mb-6 font-display text-title-phone md:text-title">Appeal</h1>
      <Statement {...statement} />
      <AppealForm reply={useReply<FormReply>()} closeTo={LIST} />
    </>
  );
}
