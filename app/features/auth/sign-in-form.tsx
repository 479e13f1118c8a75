import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms";
import { Button } from "~/ui/button";
import { ErrorSummary, PasswordField, TextField } from "~/ui/field";
import { useServerForm } from "~/ui/use-server-form";

/** E-mail and password. Posts to the page it stands on. */
export function SignInForm({ reply }: { reply: FormReply | undefined }) {
  const { formProps, props, summary, busy } = useServerForm<{ email: string; password: string }>({
    id: "sign-in",
    reply,
    labels: { email: "Email", password: "Password" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <TextField {...props("email")} type="email" autoComplete="username" inputMode="email" required />
      <PasswordField {...props("password")} autoComplete="current-password" required />
      <Button variant="primary" name="intent" value="sign-in" busy={busy} busyLabel="Signing in">
        Sign In
      </Button>
    </Form>
  );
}
