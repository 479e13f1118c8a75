import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { Button, ButtonLink } from "~/ui/button";
import { CodeField } from "~/ui/forms/code-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import { Honeypot } from "~/ui/forms/honeypot";
import { NextStep } from "~/ui/forms/next-step";
import { useServerForm } from "~/ui/forms/use-server-form";
import { Notice } from "~/ui/notice";
import { SUBMIT_HEIGHT } from "../shared/submit-height";

interface AddressFormProps {
  reply: FormReply | undefined;
  /** The label of the field; `Email` by default. */
  label?: string;
  /** The initial value of the field. */
  email?: string;
  button: string;
  /** The class of the button. */
  buttonClass?: string;
  /** The human check, on pages for visitors. */
  humanCheck?: ReactNode;
}

/** Asks for the address to send a code to. Posts the intent `send` to its own page. */
export function AddressForm({
  reply,
  label = "Email",
  email = "",
  button,
  buttonClass = SUBMIT_HEIGHT,
  humanCheck,
}: AddressFormProps) {
  const { formProps, props, summary, busy } = useServerForm<{ email: string }>({
    id: "address",
    reply,
    defaultValue: { email },
    labels: { email: label },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <Honeypot />
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      <NextStep next={reply?.next} />
      <TextField {...props("email")} type="email" autoComplete="email" inputMode="email" required />
      <Button variant="primary" name="intent" value="send" busy={busy} busyLabel="Sending" className={buttonClass}>
        {button}
      </Button>
      {humanCheck}
    </Form>
  );
}

interface CodeFormProps {
  reply: FormReply | undefined;
  button: string;
  /** The button's label while the form is being submitted. */
  busyLabel: string;
  buttonClass?: string;
}

/** Asks for a code. Posts the intent `enter` to its own page. */
export function CodeForm({ reply, button, busyLabel, buttonClass = SUBMIT_HEIGHT }: CodeFormProps) {
  const { formProps, props, summary, busy } = useServerForm<{ code: string }>({
    id: "enter-code",
    reply,
    labels: { code: "Code" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      <NextStep next={reply?.next} />
      <CodeField {...props("code")} hint="Six digits, from our latest email." />
      <Button variant="primary" name="intent" value="enter" busy={busy} busyLabel={busyLabel} className={buttonClass}>
        {button}
      </Button>
    </Form>
  );
}

/** Names the address without saying whether a code was sent: the page must not reveal who has an account. */
export function SentTo({ email, children }: { email: string; children?: ReactNode }) {
  return (
    <p className="mb-[18px] text-muted">
      If <strong className="font-semibold text-text wrap-anywhere">{email}</strong> has an account, we've emailed it.{" "}
      {children}
    </p>
  );
}

/** Replaces a form whose code or link no longer works. */
export function SpentNotice({ kind, to, button }: { kind: "code" | "link"; to: string; button: string }) {
  return (
    <div className="grid gap-[18px]">
      <Notice title={kind === "link" ? "This link doesn't work any more" : "You need a new code"}>
        {kind === "link"
          ? "It's older than 10 minutes, has been used, or wasn't copied in full."
          : "The last one is older than 10 minutes, was used or guessed wrong five times, or was requested in another browser."}
      </Notice>
      <ButtonLink to={to} variant="primary" className={SUBMIT_HEIGHT}>
        {button}
      </ButtonLink>
    </div>
  );
}
