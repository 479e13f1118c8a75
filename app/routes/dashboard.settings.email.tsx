import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { AddressForm, CodeForm, SpentNotice } from "~/features/auth/codes/code-forms";
import { checkProofOrUse } from "~/features/auth/codes/proof.server";
import {
  type CodeOrToken,
  carryOut,
  findLink,
  findPendingCode,
  isEnterable,
} from "~/features/auth/codes/redeeming.server";
import { changeEmail, sendNewAddressCode } from "~/features/auth/own-account.server";
import { authAddress, CODE_REFUSED, CONFIRM_ADDRESS, LINK_REFUSED } from "~/features/auth/rules";
import { addressSchema, codeSchema } from "~/features/auth/schema";
import { sendConfirmationAgain } from "~/features/auth/sign-up/confirmation.server";
import { UPHELD } from "~/features/moderation/shared/upheld-words";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import type { RequestContext } from "~/platform/context";
import type { Answer } from "~/platform/forms/answer-form.server";
import { answerButton, answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction, type ToastReply } from "~/platform/forms/forms";
import { tooManyTries } from "~/platform/limits/refusal";
import { privatePage } from "~/platform/pages/page-meta";
import { requireRecentSignIn, requireViewer } from "~/platform/session/guards.server";
import type { Viewer } from "~/platform/session/viewer";
import { Button } from "~/ui/button";
import { useReply } from "~/ui/forms/use-reply";
import { CheckIcon } from "~/ui/icons";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

const FAILED = "Error changing your email";
const HERE = settingsAddress("email");

export const meta: MetaFunction = () => privatePage("Email");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const token = searchParams.get("token");
  // This page is also the response to a form posted without JavaScript, with its values, and must not redirect then.
  const requireSession = context.submitted ? requireViewer : requireRecentSignIn;
  const [viewer, link, pendingCode] = await Promise.all([
    requireSession(context, request),
    token === null ? null : findLink(context, "change-email", token),
    findPendingCode(context, "change-email"),
  ]);
  return {
    email: viewer.email,
    isConfirmed: viewer.emailConfirmed,
    hasFailed: viewer.emailFailed,
    change: pendingChange(viewer, searchParams, link, isEnterable(context, pendingCode) ? pendingCode : null),
  };
}

type Found = Awaited<ReturnType<typeof findLink>>;

/**
 * Finds the change of address that this page asks the player to confirm. `newEmail` is null if the code or link has
 * expired or belongs to another player.
 */
function pendingChange(
  viewer: Viewer,
  params: URLSearchParams,
  link: Found,
  pendingCode: Awaited<ReturnType<typeof findPendingCode>>,
): { by: "code" | "link"; newEmail: string | null } | null {
  if (params.has("token")) return { by: "link", newEmail: link?.userId === viewer.id ? link.email : null };
  if (params.get("step") !== "2") return null;
  // If the address is taken, the code belongs to nobody and proves nothing, but the page must look the same.
  const isTheirs = pendingCode?.userId === viewer.id || pendingCode?.userId === null;
  return { by: "code", newEmail: pendingCode && isTheirs ? pendingCode.email : null };
}

export async function action(args: ActionFunctionArgs) {
  const { context, request } = args;
  const form = await request.formData();
  const token = new URL(request.url).searchParams.get("token");
  if (form.get("intent") === "again") return resendConfirmation(args);
  if (form.get("intent") === "send") return requestChange(args, form);
  const common = { failed: FAILED, recentFor: HERE, to: HERE };
  if (token !== null) {
    return answerButton(args, {
      ...common,
      viewer: ({ viewer }) => viewer(),
      alongside: ({ userId }) => check(context, userId, { token }),
      run: async ({ viewer, found }) => (await applyNewEmail(context, viewer, { token }, found)) ?? LINK_REFUSED,
    });
  }
  return answerForm(args, {
    ...common,
    schema: codeSchema,
    form,
    alongside: ({ userId }, value) => (value ? check(context, userId, value) : undefined),
    run: async ({ viewer, value, found }) => (await applyNewEmail(context, viewer, value, found)) ?? CODE_REFUSED,
  });
}

/** Checks a code or link, and the session itself: without a recent sign-in, neither is accepted. */
const check = (context: RequestContext, userId: string, codeOrToken: CodeOrToken) =>
  checkProofOrUse(context, "change-email", codeOrToken, userId);

/**
 * Changes the address. If the code or link has already done that, the response is the same, because the player may not
 * have received the first one.
 * @returns null if the code or link isn't valid
 */
async function applyNewEmail(
  context: RequestContext,
  viewer: Viewer,
  codeOrToken: CodeOrToken,
  { proof, used }: Awaited<ReturnType<typeof check>>,
): Promise<Answer | null> {
  const outcome = proof && (await carryOut(context, "change-email", () => changeEmail(context, viewer, proof)));
  if (outcome === "upheld") return UPHELD;
  if (outcome === "taken") {
    return { status: 400, error: "Someone has signed up with this address since. Choose another." };
  }
  if (outcome === "changed" || used?.id === viewer.id) {
    return { title: "Email changed", description: "You sign in with the new address from now on." };
  }
  // A second click at the same moment may have been faster.
  return proof && applyNewEmail(context, viewer, codeOrToken, await check(context, viewer.id, codeOrToken));
}

const requestChange = (args: ActionFunctionArgs, form: FormData) =>
  answerForm(args, {
    schema: addressSchema,
    form,
    failed: FAILED,
    recentFor: HERE,
    async run({ value: { email }, viewer }) {
      if (email === viewer.email) return { status: 400, field: "email", error: "That's already your address." };
      const sent = await sendNewAddressCode(args.context, viewer, email);
      if (!sent.allowed) return tooManyTries(sent.retryAfter);
      const description = "We've sent a code to the new address.";
      return { to: `${HERE}?step=2`, title: "Check your email", description };
    },
  });

const resendConfirmation = (args: ActionFunctionArgs) =>
  answerButton(args, {
    failed: FAILED,
    viewer: ({ viewer }) => viewer(),
    async run({ viewer }) {
      if (viewer.emailConfirmed) return { title: "Email already confirmed" };
      const sent = await sendConfirmationAgain(args.context, viewer, null);
      if (!sent.allowed) return tooManyTries(sent.retryAfter);
      const description = "Enter the code from our latest email.";
      return { to: authAddress(CONFIRM_ADDRESS, HERE), title: "Email sent", description };
    },
  });

export const clientAction = offlineAction(FAILED);

export default function EmailSettings() {
  const { email, isConfirmed, hasFailed, change } = useLoaderData<typeof loader>();
  const answer = useReply<FormReply | ToastReply>();
  useReplyToast(answer);
  const reply = answer && "result" in answer ? answer : undefined;
  return (
    <SettingsSection title="Email">
      <p className="mt-1 text-muted">
        You sign in with <Address email={email} />, and that's where we email you.
      </p>
      {hasFailed && (
        <Notice variant="danger" title="Our emails don't arrive there" className="mt-5">
          Our last email came back. Change the address or free up space in the mailbox. Otherwise you can't get back in
          if you forget your password.
        </Notice>
      )}
      {isConfirmed ? (
        <p className="mt-2 flex items-center gap-1.5 text-meta text-muted">
          <CheckIcon className="size-3.5 text-good" />
          Confirmed
        </p>
      ) : (
        <Unconfirmed />
      )}
      <div className="mt-7 max-w-[396px] border-t border-line pt-5">
        {change === null ? (
          <>
            <p className="mb-[18px] text-muted">
              To change it, we'll send a code to the new address. We'll let the old one know once it's done.
            </p>
            <AddressForm reply={reply} label="New Email" button="Change Email" buttonClass="md:justify-self-start" />
          </>
        ) : change.newEmail === null ? (
          <SpentNotice kind={change.by} to={HERE} button="Start Again" />
        ) : (
          <ConfirmNew reply={reply} by={change.by}>
            <Address email={change.newEmail} />
          </ConfirmNew>
        )}
      </div>
    </SettingsSection>
  );
}

const Address = ({ email }: { email: string }) => (
  <strong className="font-semibold text-text wrap-anywhere">{email}</strong>
);

function Unconfirmed() {
  const { formData } = useNavigation();
  return (
    <Form method="post" action={HERE} className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="text-muted">It isn't confirmed yet.</p>
      <Button size="row" name="intent" value="again" busy={formData?.get("intent") === "again"} busyLabel="Sending">
        Send Again
      </Button>
      <Link to={authAddress(CONFIRM_ADDRESS, HERE)} className="link">
        Enter the code
      </Link>
    </Form>
  );
}

/** The last step: an email was sent to the new address, which is `children`. */
function ConfirmNew({
  by,
  reply,
  children,
}: {
  by: "code" | "link";
  reply: FormReply | undefined;
  children: ReactNode;
}) {
  const { formMethod } = useNavigation();
  if (by === "link") {
    return (
      <Form method="post" className="grid gap-[18px]">
        <p className="text-muted">Use {children} for your account?</p>
        <Button variant="primary" busy={formMethod === "POST"} busyLabel="Changing" className="md:justify-self-start">
          Change Email
        </Button>
      </Form>
    );
  }
  return (
    <>
      <p className="mb-[18px] text-muted">
        We've emailed {children}. The code works for 10 minutes.{" "}
        <Link to={HERE} className="link whitespace-nowrap">
          Use another address
        </Link>
      </p>
      <CodeForm reply={reply} button="Change Email" busyLabel="Changing" buttonClass="md:justify-self-start" />
    </>
  );
}
