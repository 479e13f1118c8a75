import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AuthAside, AuthLayout } from "~/features/auth/auth-layout";
import { hasPendingCode } from "~/features/auth/codes/redeeming.server";
import {
  findReauthenticationNeeds,
  reauthenticate,
  sendReauthenticationCode,
} from "~/features/auth/reauthentication/reauthentication.server";
import { ReauthenticationForm } from "~/features/auth/reauthentication/reauthentication-form";
import { readRedirectTo } from "~/features/auth/rules";
import { reauthenticationSchema } from "~/features/auth/schema";
import { wantsRecoveryCode } from "~/features/auth/two-factor/second-factor-field";
import { answerButton, answerGuestForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction, type ToastReply } from "~/platform/forms/forms";
import { tooManyTries } from "~/platform/limits/refusal";
import { privatePage } from "~/platform/pages/page-meta";
import {
  isRecent,
  requireClaim,
  requireClaimedUserId,
  requireRestrictedViewer,
} from "~/platform/session/guards.server";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

const FAILED = "Not confirmed";
const UNREADABLE = "We can't check your code right now. That's our mistake, and we've logged it. Try again later.";

export const meta: MetaFunction = () => privatePage("Confirm it's you");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams, search } = new URL(request.url);
  const userId = await requireClaimedUserId(context, request);
  const [viewer, questions] = await Promise.all([
    requireRestrictedViewer(context, request),
    findReauthenticationNeeds(context, userId),
  ]);
  if (isRecent(viewer, context.now)) throw redirect(goingTo(request));
  return {
    ...questions,
    codeSent: hasPendingCode(context, "reauthenticate"),
    email: viewer.email,
    recovery: wantsRecoveryCode(searchParams),
    search,
  };
}

export async function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const claim = requireClaim(context, request);
  const form = await request.formData();
  if (form.get("intent") === "send") return sendCode(args);
  return answerGuestForm(args, {
    schema: reauthenticationSchema,
    form,
    failed: FAILED,
    unexplained: UNREADABLE,
    async run(answers) {
      const outcome = await reauthenticate(context, claim, requireRestrictedViewer(context, request), answers);
      return outcome.ok ? { to: goingTo(request) } : outcome;
    },
  });
}

/** Sends the code that replaces the password for players who have none. */
function sendCode(args: ActionFunctionArgs) {
  const { pathname, search } = new URL(args.request.url);
  return answerButton(args, {
    failed: "No code sent",
    to: pathname + search,
    viewer: requireRestrictedViewer,
    async run({ viewer }) {
      const verdict = await sendReauthenticationCode(args.context, viewer);
      if (!verdict.allowed) return tooManyTries(verdict.retryAfter);
      return { title: "Code sent", description: "Check your email." };
    },
  });
}

const goingTo = (request: Request) => readRedirectTo(request) ?? "/dashboard/settings";

export const clientAction = offlineAction(FAILED);

export default function Reauthenticate() {
  const { email, ...asked } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply | ToastReply>();
  const { hasPassword, codeSent } = asked;
  // Forms show the toasts of their own replies.
  const formReply = reply && "result" in reply ? reply : undefined;
  useReplyToast(formReply ? undefined : reply);
  return (
    <AuthLayout
      tab={null}
      tabs={false}
      heading="Confirm it's you"
      aside={<AuthAside title="Just to be sure." text="This page controls who gets into your account." />}
    >
      <p className="-mt-2 mb-5 text-muted wrap-anywhere">
        {hasPassword && "You're signed in as "}
        {!hasPassword && (codeSent ? "We've sent a code to " : "You don't have a password, so we'll send a code to ")}
        <strong className="font-semibold text-text">{email}</strong>.
      </p>
      <ReauthenticationForm reply={formReply} {...asked} />
    </AuthLayout>
  );
}
