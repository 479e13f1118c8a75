import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { changePassword, hasPassword } from "~/features/auth/own-account.server";
import { NewPasswordForm } from "~/features/auth/passwords/new-password-form";
import { newPasswordSchema } from "~/features/auth/schema";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { SIGNED_OUT } from "~/platform/forms/forms.server";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaimedUserId, requireRecentSignIn, requireViewer } from "~/platform/session/guards.server";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const FAILED = "Error changing the password";

export const meta: MetaFunction = () => privatePage("Password");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  // This page is also the response to its form posted without JavaScript. It must not redirect then.
  const requireSession = context.submitted ? requireViewer : requireRecentSignIn;
  const [{ email }, isSet] = await Promise.all([requireSession(context, request), hasPassword(context, userId)]);
  return { email, hasPassword: isSet };
}

export const action = (args: ActionFunctionArgs) =>
  answerForm(args, {
    schema: newPasswordSchema,
    failed: FAILED,
    limit: "passwordChange",
    recentFor: settingsAddress("password"),
    to: settingsAddress("password"),
    async run({ value, viewer, claim }) {
      const changed = await changePassword(args.context, viewer, claim, value.password);
      return changed
        ? { title: "Password changed", description: "Your other devices have been signed out." }
        : SIGNED_OUT;
    },
  });

export const clientAction = offlineAction(FAILED);

export default function PasswordSettings() {
  const { email, hasPassword } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <SettingsSection title="Password">
      <p className="mt-1 mb-5 text-muted">
        {hasPassword
          ? "A new password signs out all your other devices. We'll confirm by email."
          : "You don't have a password yet. Set one for a second way to sign in. It signs out all your other devices. We'll confirm by email."}
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
