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
  /** The label of the field; `Email` unless it is another one. */
  label?: string;
  /** What stands in the field at first. */
  email?: string;
  button: string;
  /** The class of the button. */
  buttonClass?: string;
  /** The check that a person sends the form, on pages for visitors. */
  humanCheck?: ReactNode;
}

/** Asks where to send a code. Posts the intent `send` to the page it stands on. */
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
  /** The verb while the form is under way. */
  busyLabel: string;
  buttonClass?: string;
}

/** Takes a code. Posts the intent `enter` to the page it stands on. */
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
      <CodeField {...props("code")} hint="Six digits, from the newest e-mail." />
      <Button variant="primary" name="intent" value="enter" busy={busy} busyLabel={busyLabel} className={buttonClass}>
        {button}
      </Button>
    </Form>
  );
}

/** Says where a code went, without saying whether it did: nobody learns here who has an account. */
export function SentTo({ email, children }: { email: string; children?: ReactNode }) {
  return (
    <p className="mb-[18px] text-muted">
      If <strong className="font-semibold text-text wrap-anywhere">{email}</strong> has an account, we have sent it an
      e-mail. {children}
    </p>
  );
}

/** Takes the place of a form whose code or link works no more. */
export function SpentNotice({ kind, to, button }: { kind: "code" | "link"; to: string; button: string }) {
  return (
    <div className="grid gap-[18px]">
      <Notice title={kind === "link" ? "This link does not work" : "There is no code to enter"}>
        {kind === "link"
          ? "It is older than 10 minutes, was used, or was not copied whole."
          : "It is older than 10 minutes, was used, was guessed at five times, or was asked for in another browser."}
      </Notice>
      <ButtonLink to={to} variant="primary" className={SUBMIT_HEIGHT}>
        {button}
      </ButtonLink>
    </div>
  );
}
