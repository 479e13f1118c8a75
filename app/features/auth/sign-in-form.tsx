import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms";
import { Button } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { TextField } from "~/ui/field";
import { Honeypot } from "~/ui/honeypot";
import { PasswordField } from "~/ui/password-field";
import { useServerForm } from "~/ui/use-server-form";

/** The buttons at the foot of the account forms are the tallest of their kind: one column, one decision. */
export const SUBMIT_HEIGHT = "min-h-11 touch:min-h-12";

/** E-mail and password. Posts to the page it stands on. */
export function SignInForm({ reply }: { reply: FormReply | undefined }) {
  const { formProps, props, summary, busy } = useServerForm<{ email: string; password: string }>({
    id: "sign-in",
    reply,
    labels: { email: "Email", password: "Password" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <Honeypot />
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      <TextField {...props("email")} type="email" autoComplete="username" inputMode="email" required />
      <PasswordField {...props("password")} autoComplete="current-password" required />
      <Button
        variant="primary"
        name="intent"
        value="sign-in"
        busy={busy}
        busyLabel="Signing in"
        className={SUBMIT_HEIGHT}
      >
        Sign In
      </Button>
      {/* Without script the page is a new one, and no page carries a password. */}
      {reply && <p className="text-meta text-muted noscript:hidden">What you typed is still here.</p>}
    </Form>
  );
}
