import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AuthAside, AuthLayout } from "~/features/auth/auth-layout";
import { readRedirectTo } from "~/features/auth/rules";
import { afterSignIn } from "~/features/auth/sign-in/sign-in.server";
import { challengeSchema } from "~/features/auth/two-factor/second-factor";
import { wantsRecoveryCode } from "~/features/auth/two-factor/second-factor-field";
import { answerChallenge, owesSecondFactor } from "~/features/auth/two-factor/two-factor-challenge.server";
import { TwoFactorChallengeForm } from "~/features/auth/two-factor/two-factor-challenge-form";
import type { RequestContext } from "~/platform/context";
import { answerGuestForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const FAILED = "Error signing in";
const UNREADABLE = "We can't check your code right now. That's our mistake, and we've logged it. Try again later.";

export const meta: MetaFunction = () => privatePage("Two-factor");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams, search } = new URL(request.url);
  const [owes, viewer] = await Promise.all([owesSecondFactor(context), context.viewer()]);
  if (!owes) {
    const redirectTo = readRedirectTo(request);
    throw viewer ? redirect(redirectTo ?? "/dashboard") : startAgain(context, redirectTo, "gone");
  }
  return { recovery: wantsRecoveryCode(searchParams), search };
}

export function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const redirectTo = readRedirectTo(request);
  return answerGuestForm(args, {
    schema: challengeSchema,
    failed: FAILED,
    unexplained: UNREADABLE,
    async run({ code, remember }) {
      const outcome = await answerChallenge(context, code, remember !== undefined);
      if (outcome.kind === "over") return startAgain(context, redirectTo, outcome.reason);
      if (outcome.kind === "refused") return { field: "code", ...outcome };
      return afterSignIn(context, outcome, redirectTo);
    },
  });
}

/** Redirects to the sign-in, with a toast that says why. */
function startAgain(context: RequestContext, redirectTo: string | null, reason: "gone" | "too-many-tries"): Response {
  const to = redirectTo ? `/auth?${new URLSearchParams({ redirectTo })}` : "/auth";
  return redirectWithToast(context, to, {
    kind: "error",
    title: FAILED,
    description:
      reason === "gone"
        ? "This sign-in has timed out. Sign in again."
        : "You entered too many wrong codes. Sign in again.",
  });
}

export const clientAction = offlineAction(FAILED);

export default function TwoFactorChallenge() {
  const { recovery, search } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <AuthLayout
      tab={null}
      heading="One more step"
      search={search}
      aside={
        <AuthAside
          title="Yours alone."
          text="The second step keeps your spot yours, even if someone has your password."
        />
      }
    >
      <TwoFactorChallengeForm reply={reply} recovery={recovery} search={search} />
    </AuthLayout>
  );
}
