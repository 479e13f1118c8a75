import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { CodeField } from "~/ui/forms/code-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { NextStep } from "~/ui/forms/next-step";
import { PasswordField } from "~/ui/forms/password-field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MIN_PASSWORD_LENGTH } from "../rules";
import { SUBMIT_HEIGHT } from "../shared/submit-height";

/** Asks for a new password and, with `withCode`, for the code that authorises the change. Posts to its own page. */
export function NewPasswordForm({
  reply,
  email,
  button,
  withCode = false,
  buttonClass = SUBMIT_HEIGHT,
}: {
  reply: FormReply | undefined;
  /** The account's address, for password managers. */
  email: string;
  button: string;
  withCode?: boolean;
  buttonClass?: string;
}) {
  const { formProps, props, summary, busy } = useServerForm<{ code: string; password: string }>({
    id: "new-password",
    reply,
    labels: { ...(withCode && { code: "Code" }), password: "New Password" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      <NextStep next={reply?.next} />
      {withCode && <CodeField {...props("code")} hint="Six digits, from our latest email." />}
      <input type="text" name="email" value={email} autoComplete="username" readOnly hidden />
      <PasswordField
        {...props("password")}
        autoComplete="new-password"
        minLength={MIN_PASSWORD_LENGTH}
        required
        hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
      />
      <Button variant="primary" busy={busy} busyLabel="Saving" className={buttonClass}>
        {button}
      </Button>
    </Form>
  );
}
