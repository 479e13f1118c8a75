import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { BrowserZoneField } from "~/ui/forms/browser-zone-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import { Honeypot } from "~/ui/forms/honeypot";
import { NextStep } from "~/ui/forms/next-step";
import { PasswordField } from "~/ui/forms/password-field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { Link } from "~/ui/link";
import { SUBMIT_HEIGHT } from "../shared/submit-height";

/**
 * Asks for email and password, and links to the other ways to sign in. Posts to its own page.
 * @param search the query string of these links, with `redirectTo` if there is one; otherwise empty
 */
export function SignInForm({ reply, search }: { reply: FormReply | undefined; search: string }) {
  const { formProps, props, summary, busy } = useServerForm<{ email: string; password: string }>({
    id: "sign-in",
    reply,
    labels: { email: "Email", password: "Password" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <Honeypot />
      <BrowserZoneField />
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      <NextStep next={reply?.next} />
      <TextField {...props("email")} type="email" autoComplete="username" inputMode="email" required />
      <PasswordField
        {...props("password")}
        autoComplete="current-password"
        required
        aside={
          <Link to={`/auth/forgot-password${search}`} className="link">
            Forgot password?
          </Link>
        }
      />
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
      <p className="text-meta text-muted">
        No password to hand?{" "}
        <Link to={`/auth/code${search}`} className="link">
          Email me a code
        </Link>
      </p>
      {/* Hidden without JavaScript: the answer is then a new page, which never contains the password. */}
      {reply && <p className="text-meta text-muted noscript:hidden">Your entries are still here.</p>}
    </Form>
  );
}
