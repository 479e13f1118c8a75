import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { AddressForm } from "~/features/auth/code-forms";
import { sendResetCode } from "~/features/auth/recovery.server";
import { authAddress, safeRedirect } from "~/features/auth/rules";
import { addressSchema } from "~/features/auth/schema";
import { findAsked } from "~/features/auth/verification.server";
import { type FormReply, orOffline } from "~/platform/forms";
import { orDatabaseAway, refuseForm } from "~/platform/forms.server";
import { checkHuman, offerHumanCheck } from "~/platform/human-check.server";
import { privatePage } from "~/platform/page-meta";
import { tooManyTries } from "~/platform/rate-limit.server";
import { redirectWithToast } from "~/platform/toast.server";
import { AuthAside, AuthLayout } from "~/ui/auth-layout";
import { HumanCheck } from "~/ui/human-check";

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
