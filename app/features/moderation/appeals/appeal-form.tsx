import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MAX_APPEAL_LENGTH } from "./rules";

/**
 * The player's form for appealing a decision. Once it is sent, the list of decisions takes the form's place in the
 * browser's history, so Back doesn't open the form again.
 */
export function AppealForm({ reply, closeTo }: { reply: FormReply | undefined; closeTo: string }) {
  const { formProps, props, summary, busy } = useServerForm<{ words: string }>({
    id: "appeal",
    reply,
    labels: { words: "Why is this wrong?" },
  });
  return (
    <Form method="post" replace {...formProps} className="mt-6 grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <TextAreaField
        {...props("words")}
        limit={MAX_APPEAL_LENGTH}
        rows={6}
        required
        hint="You can appeal each decision once, so say everything that matters."
      />
      <DialogFooter closeTo={closeTo}>
        <Button variant="primary" busy={busy} busyLabel="Sending">
          Send Appeal
        </Button>
      </DialogFooter>
    </Form>
  );
}
