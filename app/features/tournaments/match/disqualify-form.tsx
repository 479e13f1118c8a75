import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MAX_REASON_LENGTH } from "../hosting/options";

interface Props {
  reply: FormReply | undefined;
  /** The team's name. */
  team: string;
  closeTo: string;
}

/** The confirming step of disqualifying a team, with the reason that it will read. */
export function DisqualifyForm({ reply, team, closeTo }: Props) {
  const { formProps, props, summary, busy } = useServerForm<{ reason: string }>({
    id: "disqualify",
    reply,
    labels: { reason: "Reason" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <p className="wrap-anywhere">
        <bdi className="font-semibold">{team}</bdi> forfeits the match it is in and every later one, and finishes behind
        all who are still in. Results that count already stay. You can take this back until a later match is played.
      </p>
      <TextAreaField
        {...props("reason")}
        limit={MAX_REASON_LENGTH}
        required
        hint="The team and the organisers read it; everyone else sees only that it is disqualified."
      />
      <DialogFooter closeTo={closeTo}>
        <Button name="intent" value="disqualify" variant="danger-filled" busy={busy} busyLabel="Disqualifying">
          Disqualify
        </Button>
      </DialogFooter>
    </Form>
  );
}

/** The confirming step of taking a disqualification back. */
export function ReinstateForm({ reply, team, reason, closeTo }: Props & { reason: string | null }) {
  const { formProps, summary, busy } = useServerForm<{ intent: string }>({ id: "reinstate", reply, labels: {} });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <p className="wrap-anywhere">
        <bdi className="font-semibold">{team}</bdi> was disqualified{reason && `: “${reason}”`}. Back in, it plays the
        matches that it has forfeited since. That is possible as long as nothing after them was played.
      </p>
      <DialogFooter closeTo={closeTo}>
        <Button name="intent" value="reinstate" variant="primary" busy={busy} busyLabel="Taking it back">
          Take It Back
        </Button>
      </DialogFooter>
    </Form>
  );
}
