import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button, ButtonLink } from "~/ui/button";
import { CodeField } from "~/ui/forms/code-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField } from "~/ui/forms/password-field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { SUBMIT_HEIGHT } from "../shared/submit-height";
import { SecondFactorField } from "../two-factor/second-factor-field";

interface ReauthenticationFormProps {
  reply: FormReply | undefined;
  /** If false, the form asks for an emailed code instead of the password. */
  hasPassword: boolean;
  /** Whether the code that replaces the password was sent to this player. */
  codeSent: boolean;
  hasSecondFactor: boolean;
  /** Whether to ask for a recovery code as the second factor. */
  recovery: boolean;
  search: string;
}

/** Asks a signed-in player for the password (or an emailed code) and the second factor. Posts to its own page. */
export function ReauthenticationForm(form: ReauthenticationFormProps) {
  const { reply, hasPassword, codeSent, hasSecondFactor, recovery, search } = form;
  const { formProps, props, summary, busy } = useServerForm<{ password: string; emailCode: string; code: string }>({
    id: "reauthenticate",
    reply,
    labels: {
      password: "Password",
      emailCode: "Email Code",
      code: recovery ? "Recovery Code" : "Code",
    },
  });
  const askForCode = !hasPassword && !codeSent;
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      {hasPassword && <PasswordField {...props("password")} autoComplete="current-password" required />}
      {!hasPassword && codeSent && <CodeField {...props("emailCode")} hint="It works for 10 minutes." />}
      {hasSecondFactor && !askForCode && <SecondFactorField {...props("code")} recovery={recovery} search={search} />}
      <div className="grid gap-2.5">
        {askForCode ? (
          <Button
            variant="primary"
            name="intent"
            value="send"
            busy={busy}
            busyLabel="Sending"
            formNoValidate
            className={SUBMIT_HEIGHT}
          >
            Send Code
          </Button>
        ) : (
          <Button
            variant="primary"
            name="intent"
            value="confirm"
            busy={busy}
            busyLabel="Checking"
            className={SUBMIT_HEIGHT}
          >
            Confirm
          </Button>
        )}
        {!hasPassword && codeSent && (
          <Button name="intent" value="send" formNoValidate className={SUBMIT_HEIGHT}>
            Send Another Code
          </Button>
        )}
        <ButtonLink to="/dashboard/settings" variant="quiet" className={SUBMIT_HEIGHT}>
          Cancel
        </ButtonLink>
      </div>
    </Form>
  );
}
