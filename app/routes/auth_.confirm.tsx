import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import { AuthAside, AuthLayout } from "~/features/auth/auth-layout";
import { CodeForm } from "~/features/auth/codes/code-forms";
import { checkProof, type Proof } from "~/features/auth/codes/proof.server";
import { carryOut, findPendingCode, hasPendingCode, type PendingCode } from "~/features/auth/codes/redeeming.server";
import { cookieOf } from "~/features/auth/codes/verification.server";
import { authAddress, CODE_REFUSED, CONFIRM_ADDRESS, readRedirectTo, safeRedirect } from "~/features/auth/rules";
import { codeSchema } from "~/features/auth/schema";
import { afterSignIn } from "~/features/auth/sign-in/sign-in.server";
import {
  confirmAddress,
  confirmAndSignIn,
  findConfirmationLink,
  sendConfirmationAgain,
} from "~/features/auth/sign-up/confirmation.server";
import { prepareLinkAfterSignup } from "~/features/riot/commands.server";
import type { RequestContext } from "~/platform/context";
import { type Answer, answerGuestButton, answerGuestForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction, type ToastReply } from "~/platform/forms/forms";
import { tooManyTries } from "~/platform/limits/refusal";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { restrictedGoal } from "~/platform/session/guards.server";
import type { Viewer } from "~/platform/session/viewer";
import { Button } from "~/ui/button";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

const FAILED = "Error confirming your email";

export const meta: MetaFunction = () => privatePage("Confirm your email");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get("token");
  if (token !== null) throw await openLink(context, request, token);
  const redirectTo = readRedirectTo(request);
  const [viewer, pendingCode] = await Promise.all([context.viewer(), findPendingCode(context, "confirm-email")]);
  if (viewer && isConfirmed(viewer, pendingCode)) throw redirect(redirectTo ?? "/dashboard");
  if (!viewer && pendingCode?.isUsed) throw leadToSignIn(context, pendingCode);
  const email = viewer && !viewer.emailConfirmed ? viewer.email : pendingCode?.email;
  // A prefetch must not leave a toast for another page.
  if (!email) throw context.isPrefetch ? redirect(authAddress("/auth", redirectTo)) : askToSignIn(context, redirectTo);
  return {
    email,
    isOpen: pendingCode?.isUsable === true && pendingCode.email === email,
    search: authAddress("", redirectTo),
  };
}

/** Whether there is nothing left to confirm. A player who is signed in may also have a code for another account. */
const isConfirmed = (viewer: Viewer | null, pendingCode: PendingCode | null): boolean =>
  viewer
    ? viewer.emailConfirmed && (!pendingCode || pendingCode.isUsed || pendingCode.userId === viewer.id)
    : pendingCode?.isUsed === true;

const ALREADY_CONFIRMED = "Email already confirmed";
const CAN_SIGN_IN = "Thank you. You can sign in now.";

/**
 * Answers a form if there is nothing left to confirm. The page's loader redirects guests, and tells them. If the
 * browser has no code any more, the form may have been for another account, so the answer names the confirmed address.
 */
function sayConfirmed(viewer: Viewer | null, pendingCode: PendingCode | null, redirectTo: string | null): Answer {
  if (!viewer) return {};
  const description = pendingCode
    ? thanks(viewer, pendingCode)
    : `Your address ${viewer.email} is confirmed. Sign in to another account to confirm its address.`;
  return { to: redirectTo ?? "/dashboard", title: ALREADY_CONFIRMED, description };
}

/**
 * Leads a player to the sign-in if their address has been confirmed since this browser asked for its code: they have
 * opened the link on another device, or a mail scanner has.
 */
function leadToSignIn(context: RequestContext, { redirectTo }: PendingCode): Response {
  context.cookies.delete(cookieOf("confirm-email"));
  return redirectWithToast(context, authAddress("/auth", safeRedirect(redirectTo)), {
    kind: "success",
    title: ALREADY_CONFIRMED,
    description: CAN_SIGN_IN,
  });
}

/**
 * Leads a visitor whose browser has no code, or no longer has one, to the sign-in, because the page knows no address.
 */
const askToSignIn = (context: RequestContext, redirectTo: string | null): Response =>
  redirectWithToast(context, authAddress("/auth", redirectTo), {
    kind: "error",
    title: FAILED,
    description: "This browser has no code that still works. Sign in to get a new one.",
  });

/**
 * Opens the emailed link. It acts on GET, because a link must work wherever it is opened, with or without JavaScript;
 * opening it again, or prefetching it, has no effect (docs/decisions/0003).
 */
async function openLink(context: RequestContext, request: Request, token: string): Promise<Response> {
  if (context.isPrefetch || request.method !== "GET") return redirect("/auth");
  const [opened, viewer] = await Promise.all([findConfirmationLink(context, token), context.viewer()]);
  const { proof } = opened;
  if (proof) {
    const done = await confirm(context, proof, confirmAddress);
    // Another program opened the link at the same moment, so it has been used by now.
    if (!done) return openLink(context, request, token);
  }
  const confirmed = opened.proof ?? opened.confirmed;
  if (confirmed) {
    const redirectTo = safeRedirect(confirmed.redirectTo);
    // If another program opened the link first, this browser still waits for the code. The page for it ends the wait.
    const signIn =
      !proof && hasPendingCode(context, "confirm-email") ? CONFIRM_ADDRESS : authAddress("/auth", redirectTo);
    return redirectWithToast(context, viewer ? (redirectTo ?? "/dashboard") : signIn, {
      kind: "success",
      title: proof ? "Email confirmed" : ALREADY_CONFIRMED,
      description: viewer ? thanks(viewer, confirmed) : CAN_SIGN_IN,
    });
  }
  const maySendAgain = viewer ? !viewer.emailConfirmed : hasPendingCode(context, "confirm-email");
  const elsewhere = viewer ? "/dashboard" : "/auth";
  return redirectWithToast(context, maySendAgain ? CONFIRM_ADDRESS : elsewhere, {
    kind: "error",
    title: "This link doesn't work any more",
    description: "It's too old, or wasn't copied in full. Open our latest email.",
  });
}

type Link = ReturnType<typeof prepareLinkAfterSignup>;

/** The outcome of a confirmation. It has no `answers` if the player is refused. */
interface Confirmation {
  kind: string;
  answers?: { link: Parameters<Link["report"]>[0] | undefined };
}

/**
 * Confirms an address and, in the same transaction, links the Riot account of the sign-up.
 * @returns the command's outcome; null if the code or link is no longer valid
 */
async function confirm<Outcome extends Confirmation>(
  context: RequestContext,
  proof: Proof,
  command: (context: RequestContext, proof: Proof, link: Link["statements"] | undefined) => Promise<Outcome>,
): Promise<Outcome | null> {
  const link = proof.toLink ? prepareLinkAfterSignup(context, proof.userId, proof.toLink) : undefined;
  const outcome = await carryOut(context, "confirm-email", () => command(context, proof, link?.statements));
  if (outcome?.answers?.link) link?.report(outcome.answers.link);
  return outcome;
}

/**
 * Thanks for a confirmed address. If it belongs to an account other than the one that is signed in, for example because
 * players share a browser, the address is named.
 */
const thanks = (viewer: Viewer | null, confirmed: { userId: string | null; email: string }) =>
  `Thank you. ${viewer && viewer.id !== confirmed.userId ? confirmed.email : "Your address"} is confirmed.`;

export async function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const form = await request.formData();
  const redirectTo = readRedirectTo(request);
  if (form.get("intent") === "again") return sendAgain(args, redirectTo);
  return answerGuestForm(args, {
    schema: codeSchema,
    form,
    failed: FAILED,
    to: authAddress(CONFIRM_ADDRESS, redirectTo),
    async run(entered) {
      const [viewer, proof, pendingCode] = await Promise.all([
        context.viewer(),
        checkProof(context, "confirm-email", entered),
        findPendingCode(context, "confirm-email"),
      ]);
      if (!viewer && !pendingCode) return askToSignIn(context, redirectTo);
      if (!proof && isConfirmed(viewer, pendingCode)) return sayConfirmed(viewer, pendingCode, redirectTo);
      if (!proof) return CODE_REFUSED;
      const outcome = viewer
        ? await confirm(context, proof, confirmAddress)
        : await confirm(context, proof, confirmAndSignIn);
      if (!outcome) return CODE_REFUSED;
      if (outcome.kind === "refused") return { status: 403, error: outcome.error };
      const to = safeRedirect(proof.redirectTo) ?? redirectTo;
      if (outcome.kind === "second-factor") return afterSignIn(context, outcome, to);
      const description = thanks(viewer, proof);
      const goal = outcome.kind === "signed-in" && outcome.isRestricted ? restrictedGoal(to) : (to ?? "/dashboard");
      return { to: goal, title: "Email confirmed", description };
    },
  });
}

function sendAgain(args: ActionFunctionArgs, redirectTo: string | null) {
  const { context } = args;
  return answerGuestButton(args, {
    failed: FAILED,
    to: authAddress(CONFIRM_ADDRESS, redirectTo),
    async run() {
      const [viewer, pendingCode] = await Promise.all([context.viewer(), findPendingCode(context, "confirm-email")]);
      if (!viewer && !pendingCode) return askToSignIn(context, redirectTo);
      // There is nothing to confirm, so send nothing.
      if (isConfirmed(viewer, pendingCode)) return sayConfirmed(viewer, pendingCode, redirectTo);
      const sent = await sendConfirmationAgain(context, viewer?.emailConfirmed ? null : viewer, pendingCode);
      if (!sent.allowed) return tooManyTries(sent.retryAfter);
      return { title: "Email sent", description: "Enter the code from our latest email." };
    },
  });
}

export const clientAction = offlineAction(FAILED);

export default function ConfirmEmail() {
  const { email, isOpen, search } = useLoaderData<typeof loader>();
  const answer = useReply<FormReply | ToastReply>();
  useReplyToast(answer);
  const reply = answer && "result" in answer ? answer : undefined;
  const { formData } = useNavigation();
  const address = <strong className="font-semibold text-text wrap-anywhere">{email}</strong>;
  return (
    <AuthLayout
      tab={null}
      heading="Confirm your email"
      search={search}
      aside={
        <AuthAside title="Almost in line." text="A confirmed address gets you back in if you forget your password." />
      }
    >
      {isOpen ? (
        <>
          <p className="mb-[18px] text-muted">
            We've emailed {address}. Enter the code here, or open the link in the email. Both work for 10 minutes.
          </p>
          <CodeForm reply={reply} button="Confirm" busyLabel="Confirming" />
        </>
      ) : (
        <p className="text-muted">
          {address} isn't confirmed yet. We'll send you a code and a link. Both work for 10 minutes.
        </p>
      )}
      <Form method="post" className="mt-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {isOpen && <p className="text-meta text-muted">No email? Check your spam folder first.</p>}
        <Button
          variant={isOpen ? "secondary" : "primary"}
          name="intent"
          value="again"
          busy={formData?.get("intent") === "again"}
          busyLabel="Sending"
        >
          Send Again
        </Button>
      </Form>
    </AuthLayout>
  );
}
