import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { findProfile } from "~/features/players/queries.server";
import { answerReadyStep } from "~/features/players/ready/actions.server";
import { presentReady } from "~/features/players/ready/present.server";
import { ReadySteps } from "~/features/players/ready/steps";
import { findHeldSignupAccount } from "~/features/riot/queries.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

const LIST = "/dashboard";

export const meta: MetaFunction = () => privatePage("Get ready");

/** The strip as a page of its own: without JavaScript it shows an answer that was refused. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const [, profile, held] = await Promise.all([
    requireViewer(context, request),
    findProfile(context.db, userId),
    findHeldSignupAccount(context.db, userId),
  ]);
  const view = presentReady(request, context, profile, { held, list: LIST });
  if (!view) throw redirect(LIST);
  return { view };
}

export const action = (args: ActionFunctionArgs) => answerReadyStep(args);

export const clientAction = offlineAction("Error updating profile");

export default function ReadyPage() {
  const { view } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  useReplyToast(reply);
  const { initialValue, error } = reply?.result ?? {};
  // The refused form came from a list with filters, to which the next answer leads back.
  const from = initialValue?.returnTo;
  const list = typeof from === "string" ? from : view.list;
  return (
    <DashboardPage title="Your profile">
      <ErrorSummary formErrors={error?.[""] ?? []} />
      <section aria-labelledby="get-ready" className="ready">
        <ReadySteps view={{ ...view, list }} refused={reply && { values: initialValue ?? {}, errors: error ?? {} }} />
      </section>
    </DashboardPage>
  );
}
