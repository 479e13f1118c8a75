import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { changePassword, hasPassword } from "~/features/auth/own-account.server";
import { NewPasswordForm } from "~/features/auth/passwords/new-password-form";
import { newPasswordSchema } from "~/features/auth/schema";
import { SettingsSection } from "~/features/settings/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { notRecent, orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { claimedUserId, isRecent, requireRecentSignIn, requireViewer } from "~/platform/session/session.server";

const FAILED = "Error changing the password";

export const meta: MetaFunction = () => privatePage("Password");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await claimedUserId(context, request);
  // The answer to a form is this very page: it says why, and leads nowhere else.
  const whoIsThere = context.submitted ? requireViewer : requireRecentSignIn;
  const [{ email }, has] = await Promise.all([whoIsThere(context, request), hasPassword(context, userId)]);
  return { email, hasPassword: has };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseWithZod(await request.formData(), { schema: newPasswordSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const [viewer, limit] = await Promise.all([
      context.viewer(),
      countUse(context, "passwordChange", context.claim?.userId ?? context.ip),
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (!isRecent(viewer, context.now)) {
      return refuseForm(context, submission, FAILED, notRecent(settingsAddress("password")));
    }
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (!limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const changed = await changePassword(context, viewer, submission.value.password);
    if (!changed) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    return redirectWithToast(context, settingsAddress("password"), {
      kind: "success",
      title: "Password changed",
      description: "Your other devices have been signed out.",
    });
  });
}

export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function PasswordSettings() {
  const { email, hasPassword } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <SettingsSection title="Password">
      <p className="mt-1 mb-5 text-muted">
        {hasPassword
          ? "A new password signs out all your other devices. We tell you by e-mail."
          : "You sign in without a password so far. With one you have a second way in. We tell you by e-mail."}
      </p>
      <div className="max-w-[396px]">
        <NewPasswordForm
          reply={reply}
          email={email}
          button={hasPassword ? "Change Password" : "Set Password"}
          buttonClass="md:justify-self-start"
        />
      </div>
    </SettingsSection>
  );
}
