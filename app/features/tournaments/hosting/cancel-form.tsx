import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MAX_REASON_LENGTH } from "./options";

/** The confirming step of cancelling a tournament, with the reason that everyone will read. */
export function CancelForm({
  reply,
  title,
  teams,
  closeTo,
}: {
  reply: FormReply | undefined;
  title: string;
  /** How many have registered. */
  teams: number;
  closeTo: string;
}) {
  const { formProps, props, summary, busy } = useServerForm<{ reason: string }>({
    id: "cancel-tournament",
    reply,
    labels: { reason: "Reason" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <p className="wrap-anywhere">
        “{title}” will not take place, and that can't be taken back. Its page stays, and says why.{" "}
        {teams > 0 && "Everyone who has registered is told."}
      </p>
      <TextAreaField {...props("reason")} limit={MAX_REASON_LENGTH} required />
      <DialogFooter closeTo={closeTo} leave="Keep Tournament">
        <Button variant="danger-filled" busy={busy} busyLabel="Cancelling">
          Cancel Tournament
        </Button>
      </DialogFooter>
    </Form>
  );
}
