import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AuthAside, AuthLayout } from "~/features/auth/auth-layout";
import { AddressForm } from "~/features/auth/codes/code-forms";
import { findPendingCode } from "~/features/auth/codes/redeeming.server";
import { sendResetCode } from "~/features/auth/passwords/recovery.server";
import { authAddress, readRedirectTo } from "~/features/auth/rules";
import { addressSchema } from "~/features/auth/schema";
import { answerGuestForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { checkHuman, offerHumanCheck } from "~/platform/forms/human-check.server";
import { tooManyTries } from "~/platform/limits/refusal";
import { privatePage } from "~/platform/pages/page-meta";
import { HumanCheck } from "~/ui/forms/human-check";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const FAILED = "Error sending the code";

export const meta: MetaFunction = () => privatePage("Forgot password");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const pendingCode = await findPendingCode(context, "reset-password");
  const search = authAddress("", readRedirectTo(request));
  return { email: pendingCode?.email ?? "", search, humanCheck: offerHumanCheck(context) };
}

export async function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const form = await request.formData();
  return answerGuestForm(args, {
    schema: addressSchema,
    form,
    failed: FAILED,
    async run({ email }) {
      const redirectTo = readRedirectTo(request);
      const refusal = await checkHuman(context, form, "reset-password");
      if (refusal) return refusal;
      const sent = await sendResetCode(context, email, redirectTo);
      if (!sent.allowed) return tooManyTries(sent.retryAfter);
      return {
        to: authAddress("/auth/reset-password", redirectTo),
        title: "Check your email",
        description: "If this address has an account, a code is on its way.",
      };
    },
  });
}

export const clientAction = offlineAction(FAILED);

export default function ForgotPassword() {
  const { email, search, humanCheck } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <AuthLayout
      tab={null}
      heading="Forgot your password?"
      search={search}
      aside={<AuthAside title="Still your spot." text="A code by email, a new password, and you're back in." />}
    >
      <p className="mb-[18px] text-muted">We'll email you a code to choose a new one.</p>
      <AddressForm
        reply={reply}
        email={email}
        button="Send Code"
        humanCheck={<HumanCheck key={reply?.toast.id} offer={humanCheck} purpose="reset-password" />}
      />
    </AuthLayout>
  );
}
