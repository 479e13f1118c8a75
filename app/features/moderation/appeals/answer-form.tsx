import { Form, useNavigation } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MAX_ANSWER_LENGTH } from "./rules";

/**
 * The moderator's form for answering an appeal.
 * @param isUndone whether the decision no longer stands
 * @param hasAccount whether the player still has an account, where they will see the answer
 */
export function AnswerForm({
  reply,
  closeTo,
  isUndone,
  hasAccount,
}: {
  reply: FormReply | undefined;
  closeTo: string;
  isUndone: boolean;
  hasAccount: boolean;
}) {
  const { formProps, props, summary } = useServerForm<{ reason: string; outcome: string }>({
    id: "answer-appeal",
    reply,
    labels: { reason: "Reason" },
  });
  const pressed = useNavigation().formData?.get("outcome");
  return (
    <Form method="post" {...formProps} className="mt-8 grid gap-5 border-t-2 border-text pt-5">
      <ErrorSummary
        errors={summary.errors}
        formErrors={[...summary.formErrors, ...(reply?.result.error?.outcome ?? [])]}
      />
      <TextAreaField
        {...props("reason")}
        limit={MAX_ANSWER_LENGTH}
        rows={5}
        required
        hint={hasAccount ? "The player will see it." : "The account is gone, so only moderators see it."}
      />
      <DialogFooter closeTo={closeTo} note={!isUndone && "Granting undoes the decision and its effects."}>
        {!isUndone && (
          <Button name="outcome" value="rejected" busy={pressed === "rejected"} busyLabel="Rejecting">
            Reject
          </Button>
        )}
        <Button variant="primary" name="outcome" value="granted" busy={pressed === "granted"} busyLabel="Granting">
          Grant
        </Button>
      </DialogFooter>
    </Form>
  );
}
