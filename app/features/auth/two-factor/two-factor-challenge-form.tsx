import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { CheckboxField } from "~/ui/forms/choice-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { useServerForm } from "~/ui/forms/use-server-form";
import { SUBMIT_HEIGHT } from "../shared/submit-height";
import { SecondFactorField } from "./second-factor-field";

/** Asks for the second factor of a sign-in. Posts to its own page. */
export function TwoFactorChallengeForm({
  reply,
  recovery,
  search,
}: {
  reply: FormReply | undefined;
  recovery: boolean;
  search: string;
}) {
  const { formProps, props, summary, busy } = useServerForm<{ code: string; remember: string }>({
    id: "two-factor",
    reply,
    labels: { code: recovery ? "Recovery Code" : "Code" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      <SecondFactorField {...props("code")} autoFocus recovery={recovery} search={search} />
      <div className="border-t border-line touch:-mt-2">
        <CheckboxField
          id="remember"
          name="remember"
          label="Remember this device for 30 days"
          hint="We won't ask for a code in this browser. Only tick this on your own device."
          defaultChecked={reply?.result.initialValue?.remember === "on"}
        />
      </div>
      <Button variant="primary" busy={busy} busyLabel="Verifying" className={SUBMIT_HEIGHT}>
        Verify
      </Button>
    </Form>
  );
}
