import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { AuthAside, AuthLayout } from "~/features/auth/auth-layout";
import { AddressForm } from "~/features/auth/codes/code-forms";
import { findAsked } from "~/features/auth/codes/verification.server";
import { sendResetCode } from "~/features/auth/passwords/recovery.server";
import { authAddress, safeRedirect } from "~/features/auth/rules";
import { addressSchema } from "~/features/auth/schema";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm } from "~/platform/forms/forms.server";
import { checkHuman, offerHumanCheck } from "~/platform/forms/human-check.server";
import { tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { HumanCheck } from "~/ui/forms/human-check";

const FAILED = "Error sending the code";

export const meta: MetaFunction = () => privatePage("Forgot password");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const redirectTo = safeRedirect(new URL(request.url).searchParams.get("redirectTo"));
  const asked = await findAsked(context, "reset-password");
  return { email: asked?.email ?? "", search: authAddress("", redirectTo), humanCheck: offerHumanCheck(context) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const submission = parseWithZod(form, { schema: addressSchema });
  if (submission.status !== "success") return refuseForm(context, submission, FAILED);
  return orDatabaseAway(context, submission, FAILED, async () => {
    const redirectTo = safeRedirect(new URL(request.url).searchParams.get("redirectTo"));
    const refusal = await checkHuman(context, form, "reset-password");
    if (refusal) return refuseForm(context, submission, FAILED, refusal);
    const sent = await sendResetCode(context, submission.value.email, redirectTo);
    if (!sent.allowed) return refuseForm(context, submission, FAILED, tooManyTries(sent.retryAfter));
    return redirectWithToast(context, authAddress("/auth/reset-password", redirectTo), {
      kind: "success",
      title: "Check your e-mail",
      description: "If this address has an account, a code is on its way.",
    });
  });
}

export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function ForgotPassword() {
  const { email, search, humanCheck } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <AuthLayout
      tab={null}
      heading="Forgot your password?"
      search={search}
      aside={<AuthAside title="Still your spot." text="A code by e-mail, a new password, and you are back in." />}
    >
      <p className="mb-[18px] text-muted">We send you a code with which you choose a new one.</p>
      <AddressForm
        reply={reply}
        email={email}
        button="Send Code"
        humanCheck={<HumanCheck key={reply?.toast.id} offer={humanCheck} purpose="reset-password" />}
      />
    </AuthLayout>
  );
}
