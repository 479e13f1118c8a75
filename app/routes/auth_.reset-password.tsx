import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AuthAside, AuthLayout } from "~/features/auth/auth-layout";
import { SentTo, SpentNotice } from "~/features/auth/codes/code-forms";
import { checkProofOrUse } from "~/features/auth/codes/proof.server";
import { carryOut, findLink, findPendingCode, isEnterable } from "~/features/auth/codes/redeeming.server";
import { NewPasswordForm } from "~/features/auth/passwords/new-password-form";
import { resetPassword } from "~/features/auth/passwords/recovery.server";
import { authAddress, CODE_REFUSED, LINK_REFUSED, readRedirectTo, safeRedirect } from "~/features/auth/rules";
import { newPasswordSchema, resetSchema } from "~/features/auth/schema";
import { afterSignIn } from "~/features/auth/sign-in/sign-in.server";
import { answerGuestForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { restrictedGoal } from "~/platform/session/guards.server";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import "~/shell";

const FAILED = "Error changing the password";

export const meta: MetaFunction = () => privatePage("New password");

/** Opening the page doesn't use the link up, because email programs open links before their readers do. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get("token");
  const search = authAddress("", readRedirectTo(request));
  if (token !== null) {
    const link = await findLink(context, "reset-password", token, { mayBeUsed: context.submitted !== null });
    return { by: "link" as const, email: link?.email ?? null, search };
  }
  const pendingCode = await findPendingCode(context, "reset-password");
  return { by: "code" as const, email: isEnterable(context, pendingCode) ? pendingCode.email : null, search };
}

export function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const token = new URL(request.url).searchParams.get("token");
  return answerGuestForm(args, {
    schema: token === null ? resetSchema : newPasswordSchema,
    failed: FAILED,
    async run({ code = "", password }: { code?: string; password: string }) {
      const check = () => checkProofOrUse(context, "reset-password", token === null ? { code } : { token });
      const checked = await check();
      const { proof } = checked;
      const outcome =
        proof && (await carryOut(context, "reset-password", () => resetPassword(context, proof, password)));
      if (!outcome) {
        // A second click at the same moment may have been faster.
        const { used } = proof ? await check() : checked;
        if (used) {
          const to = authAddress("/auth", safeRedirect(used.redirectTo));
          return { to, title: "Password already changed", description: "Sign in with the one that you've set." };
        }
        const next = { to: "/auth/forgot-password", label: "Ask for a new code" };
        return token === null ? CODE_REFUSED : { ...LINK_REFUSED, next };
      }
      if (outcome.kind === "refused") return { status: 403, error: outcome.error };
      const redirectTo = safeRedirect(proof.redirectTo);
      if (outcome.kind === "sign-in-again") {
        const to = authAddress("/auth", redirectTo);
        return { to, title: "Password changed", description: "Sign in with your new one." };
      }
      if (outcome.kind === "second-factor") return afterSignIn(context, outcome, redirectTo);
      return {
        to: outcome.isRestricted ? restrictedGoal(redirectTo) : (redirectTo ?? "/dashboard"),
        title: "Password changed",
        description: "You're signed in here and signed out everywhere else.",
      };
    },
  });
}

export const clientAction = offlineAction(FAILED);

export default function ResetPassword() {
  const { by, email, search } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const again = `/auth/forgot-password${search}`;
  return (
    <AuthLayout
      tab={null}
      heading="Choose a new password"
      search={search}
      aside={<AuthAside title="Still your spot." text="A new password signs out every other device." />}
    >
      {email === null ? (
        <SpentNotice kind={by} to={again} button="Ask for a New Code" />
      ) : (
        <>
          {by === "code" ? (
            <SentTo email={email}>
              The code works for 10 minutes.{" "}
              <Link to={again} className="link whitespace-nowrap">
                Ask for a new one
              </Link>
            </SentTo>
          ) : (
            <p className="mb-[18px] text-muted">
              For the account of <strong className="font-semibold text-text wrap-anywhere">{email}</strong>.
            </p>
          )}
          <NewPasswordForm reply={reply} email={email} withCode={by === "code"} button="Set New Password" />
        </>
      )}
    </AuthLayout>
  );
}
