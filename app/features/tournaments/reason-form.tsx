import type { ReactNode } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MAX_REASON_LENGTH } from "./hosting/options";

/** The confirmation step of an organiser's action (cancelling, disqualifying), with a reason that others will read. */
export function ReasonForm({
  id,
  reply,
  closeTo,
  cancelLabel,
  intent,
  hint,
  button,
  busyLabel,
  children,
}: {
  id: string;
  reply: FormReply | undefined;
  closeTo: string;
  /** The label of the cancel link; "Cancel" by default. */
  cancelLabel?: string;
  /** The value of the field `intent`, for actions that handle more than this form. */
  intent?: string;
  /** Text below the field that says who will read the reason. */
  hint?: string;
  button: string;
  busyLabel: string;
  /** A paragraph that explains the consequences. */
  children: ReactNode;
}) {
  const { formProps, props, summary, busy } = useServerForm<{ reason: string }>({
    id,
    reply,
    labels: { reason: "Reason" },
  });
  return (
    <DialogForm {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <p className="wrap-anywhere">{children}</p>
      <TextAreaField {...props("reason")} limit={MAX_REASON_LENGTH} required {...(hint && { hint })} />
      <DialogFooter closeTo={closeTo} {...(cancelLabel && { cancelLabel })}>
        <Button
          variant="danger-filled"
          {...(intent && { name: "intent", value: intent })}
          busy={busy}
          busyLabel={busyLabel}
        >
          {button}
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}
