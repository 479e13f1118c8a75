import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import { AuthLayout } from "~/features/auth/auth-layout";
import { AddressForm, CodeForm, SentTo, SpentNotice } from "~/features/auth/codes/code-forms";
import { checkProof } from "~/features/auth/codes/proof.server";
import { type CodeOrToken, carryOut, findLink, findPendingCode } from "~/features/auth/codes/redeeming.server";
import { authAddress, CODE_REFUSED, LINK_REFUSED, readRedirectTo, safeRedirect } from "~/features/auth/rules";
import { addressSchema, codeSchema } from "~/features/auth/schema";
import { SUBMIT_HEIGHT } from "~/features/auth/shared/submit-height";
import { sendSignInCode, signInByProof } from "~/features/auth/sign-in/code-sign-in.server";
import { afterSignIn } from "~/features/auth/sign-in/sign-in.server";
import type { RequestContext } from "~/platform/context";
import { answerGuestButton, answerGuestForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction, type ToastReply } from "~/platform/forms/forms";
import type { FormFailure } from "~/platform/forms/forms.server";
import { checkHuman, offerHumanCheck } from "~/platform/forms/human-check.server";
import { tooManyTries } from "~/platform/limits/refusal";
import { privatePage } from "~/platform/pages/page-meta";
import { Button } from "~/ui/button";
import { HumanCheck } from "~/ui/forms/human-check";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

const FAILED = "Error signing in";

export const meta: MetaFunction = () => privatePage("Sign in by email");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const token = searchParams.get("token");
  const redirectTo = readRedirectTo(request);
  const search = authAddress("", redirectTo);
  if (token !== null) {
    // Opening the link doesn't use it up, because email programs open links before their readers do. Only the button
    // signs in.
    const link = await findLink(context, "sign-in", token);
    return { step: "link" as const, email: link?.email ?? null, search, humanCheck: null };
  }
  const [viewer, pendingCode] = await Promise.all([context.viewer(), findPendingCode(context, "sign-in")]);
  if (viewer) throw redirect(redirectTo ?? "/");
  if (searchParams.get("step") !== "2") {
    return { step: "ask" as const, email: pendingCode?.email ?? "", search, humanCheck: offerHumanCheck(context) };
  }
  return { step: "code" as const, email: pendingCode?.isUsable ? pendingCode.email : null, search, humanCheck: null };
}

export async function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const token = new URL(request.url).searchParams.get("token");
  if (token !== null) return answerGuestButton(args, { failed: FAILED, run: () => signIn(context, { token }) });
  const form = await request.formData();
  if (form.get("intent") === "send") return send(args, form);
  return answerGuestForm(args, {
    schema: codeSchema,
    form,
    failed: FAILED,
    run: (entered) => signIn(context, entered),
  });
}

function send(args: ActionFunctionArgs, form: FormData) {
  const { context, request } = args;
  const redirectTo = readRedirectTo(request);
  return answerGuestForm(args, {
    schema: addressSchema,
    form,
    failed: FAILED,
    async run({ email }) {
      const refusal = await checkHuman(context, form, "sign-in-code");
      if (refusal) return refusal;
      const sent = await sendSignInCode(context, email, redirectTo);
      if (!sent.allowed) return tooManyTries(sent.retryAfter);
      return {
        to: authAddress("/auth/code", redirectTo, { step: "2" }),
        title: "Check your email",
        description: "If this address has an account, a code is on its way.",
      };
    },
  });
}

/** Signs in with an emailed code or link. @returns a redirect, or the refusal */
async function signIn(context: RequestContext, codeOrToken: CodeOrToken): Promise<Response | FormFailure> {
  const proof = await checkProof(context, "sign-in", codeOrToken);
  const outcome = proof && (await carryOut(context, "sign-in", () => signInByProof(context, proof)));
  if (!outcome) return "code" in codeOrToken ? CODE_REFUSED : LINK_REFUSED;
  if (outcome.kind === "refused") return { status: 403, error: outcome.error };
  return afterSignIn(context, outcome, safeRedirect(proof.redirectTo));
}

export const clientAction = offlineAction(FAILED);

export default function SignInByCode() {
  const { step, email, search, humanCheck } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const again = `/auth/code${search}`;
  return (
    <AuthLayout tab={null} heading={step === "ask" ? "Sign in by email" : "Welcome back"} search={search}>
      {step === "ask" ? (
        <>
          <p className="mb-[18px] text-muted">We'll email you a code to sign in with. No password needed.</p>
          <AddressForm
            reply={reply}
            email={email}
            button="Send Code"
            humanCheck={<HumanCheck key={reply?.toast.id} offer={humanCheck} purpose="sign-in-code" />}
          />
        </>
      ) : email === null ? (
        <SpentNotice kind={step} to={again} button="Ask for a New Code" />
      ) : step === "code" ? (
        <>
          <SentTo email={email}>
            The code works for 10 minutes.{" "}
            <Link to={again} className="link whitespace-nowrap">
              Ask for a new one
            </Link>
          </SentTo>
          <CodeForm reply={reply} button="Sign In" busyLabel="Signing in" />
        </>
      ) : (
        <SignInByLink email={email} reply={reply} />
      )}
    </AuthLayout>
  );
}

/** Shows whose account it is, so that nobody signs in with a link that someone else has asked for. */
function SignInByLink({ email, reply }: { email: string; reply: ToastReply | undefined }) {
  useReplyToast(reply);
  const busy = useNavigation().formMethod === "POST";
  return (
    <Form method="post" className="grid gap-[18px]">
      <p className="text-muted">
        This signs you in as <strong className="font-semibold text-text wrap-anywhere">{email}</strong>.
      </p>
      <Button variant="primary" busy={busy} busyLabel="Signing in" className={SUBMIT_HEIGHT}>
        Sign In
      </Button>
    </Form>
  );
}
