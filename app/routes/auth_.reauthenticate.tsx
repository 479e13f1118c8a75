import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { AuthAside, AuthLayout } from "~/features/auth/auth-layout";
import { awaitsCode } from "~/features/auth/codes/verification.server";
import {
  findQuestions,
  reauthenticate,
  sendReauthenticationCode,
} from "~/features/auth/reauthentication/reauthentication.server";
import { ReauthenticationForm } from "~/features/auth/reauthentication/reauthentication-form";
import { safeRedirect } from "~/features/auth/rules";
import { reauthenticationSchema } from "~/features/auth/schema";
import { wantsRecoveryCode } from "~/features/auth/two-factor/second-factor-field";
import type { RequestContext } from "~/platform/context";
import { type FormReply, orOffline, type ToastReply } from "~/platform/forms/forms";
import { orDatabaseAway, refuseAction, refuseForm } from "~/platform/forms/forms.server";
import { tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { claimedUserId, isRecent, requireViewer } from "~/platform/session/session.server";
import { useReplyToast } from "~/ui/toasts/use-toasts";

const FAILED = "Not confirmed";
const UNREADABLE = "We can't check your code right now. That is our mistake, and it is in our log: try again later.";

export const meta: MetaFunction = () => privatePage("Confirm it's you");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams, search } = new URL(request.url);
  const userId = await claimedUserId(context, request);
  const [viewer, questions] = await Promise.all([requireViewer(context, request), findQuestions(context, userId)]);
  if (isRecent(viewer, context.now)) throw redirect(goingTo(searchParams));
  return {
    ...questions,
    codeSent: awaitsCode(context, "reauthenticate"),
    email: viewer.email,
    recovery: wantsRecoveryCode(searchParams),
    search,
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  await claimedUserId(context, request);
  const form = await request.formData();
  if (form.get("intent") === "send") return sendCode(context, request);
  const submission = parseWithZod(form, { schema: reauthenticationSchema });
  if (submission.status !== "success") return refuseForm(context, submission, FAILED);
  const work = async () => {
    const outcome = await reauthenticate(context, requireViewer(context, request), submission.value);
    if (!outcome.ok) return refuseForm(context, submission, FAILED, outcome);
    return redirect(goingTo(new URL(request.url).searchParams), 303);
  };
  return orDatabaseAway(context, submission, FAILED, work, UNREADABLE);
}

/** For who has no password: the code that stands in for it. */
async function sendCode(context: RequestContext, request: Request) {
  const viewer = await requireViewer(context, request);
  const verdict = await sendReauthenticationCode(context, viewer);
  if (!verdict.allowed) return refuseAction(context, "No code sent", tooManyTries(verdict.retryAfter));
  const { pathname, search } = new URL(request.url);
  return redirectWithToast(context, pathname + search, {
    kind: "success",
    title: "Code sent",
    description: "Look into your mailbox.",
  });
}

const goingTo = (params: URLSearchParams) => safeRedirect(params.get("redirectTo")) ?? "/dashboard/settings";

/** Offline the form stays. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function Reauthenticate() {
  const { email, ...asked } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply | ToastReply>();
  const { hasPassword, codeSent } = asked;
  // The form shows the toast of its own answers.
  const formReply = reply && "result" in reply ? reply : undefined;
  useReplyToast(formReply ? undefined : reply);
  return (
    <AuthLayout
      tab={null}
      tabs={false}
      heading="Confirm it's you"
      aside={
        <AuthAside title="Just to be sure." text="What you are about to see decides who gets into your account." />
      }
    >
      <p className="-mt-2 mb-5 text-muted wrap-anywhere">
        {hasPassword && "You are signed in as "}
        {!hasPassword && (codeSent ? "We have sent a code to " : "You have no password, so we send a code to ")}
        <strong className="font-semibold text-text">{email}</strong>.
      </p>
      <ReauthenticationForm reply={formReply} {...asked} />
    </AuthLayout>
  );
}
