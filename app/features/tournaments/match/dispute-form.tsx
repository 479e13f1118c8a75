import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MAX_EVIDENCE_LENGTH, shownIn } from "../play/schema";

/** The captain's form for disputing a match, which the organisers then decide. */
export function DisputeForm({
  reply,
  host,
  other,
  shown,
  report,
  limitedUntil,
  closeTo,
}: {
  reply: FormReply | undefined;
  host: string | null;
  /** The name of the other team. */
  other: string;
  /** The value of the hidden field `shown` (see `writeShown`). */
  shown: string;
  /** The report that the captain disputes, in words; null if there is none. */
  report: string | null;
  /** When a limit on the captain's messages ends, in words; null if there is none. */
  limitedUntil: string | null;
  closeTo: string;
}) {
  const { formProps, props, summary, busy } = useServerForm<{ evidence: string }>({
    id: "dispute",
    reply,
    labels: { evidence: "Evidence" },
  });
  return (
    <DialogForm {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      <input type="hidden" name="shown" value={shownIn(reply, shown)} />
      {/* On a phone, the dialog covers the page that shows the names. */}
      <p className="wrap-anywhere">
        Against {other}. {report}
      </p>
      <p className="wrap-anywhere text-muted">
        No score counts until {host ? `${host}, the organiser,` : "an organiser"} has decided.
        {limitedUntil === null && " Both teams will see what you write."}
      </p>
      {limitedUntil !== null && (
        <p>
          You can't send messages until {limitedUntil}, so you can't write any evidence. Your dispute counts all the
          same.
        </p>
      )}
      {limitedUntil === null || reply ? (
        <TextAreaField
          {...props("evidence")}
          rows={5}
          required={limitedUntil === null}
          limit={MAX_EVIDENCE_LENGTH}
          hint={limitedUntil === null && "Links to screenshots or a recording help."}
        />
      ) : (
        <input type="hidden" name="evidence" value="" />
      )}
      <DialogFooter closeTo={closeTo}>
        <Button variant="primary" busy={busy} busyLabel="Sending">
          Send Dispute
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}
