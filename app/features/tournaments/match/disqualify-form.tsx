import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { useServerForm } from "~/ui/forms/use-server-form";
import { ReasonForm } from "../reason-form";

interface Props {
  reply: FormReply | undefined;
  /** The team's name. */
  team: string;
  closeTo: string;
}

/** The confirmation step for disqualifying a team, with a reason that the team will read. */
export function DisqualifyForm({ reply, team, closeTo }: Props) {
  return (
    <ReasonForm
      id="disqualify"
      reply={reply}
      closeTo={closeTo}
      intent="disqualify"
      hint="The team and the organisers read it; everyone else sees only that it is disqualified."
      button="Disqualify"
      busyLabel="Disqualifying"
    >
      <bdi className="font-semibold">{team}</bdi> forfeits the match it is in and every later one, and finishes behind
      all who are still in. Results that count already stay. You can take this back until a later match is played.
    </ReasonForm>
  );
}

/** The confirmation step for taking a disqualification back. */
export function ReinstateForm({ reply, team, reason, closeTo }: Props & { reason: string | null }) {
  const { formProps, summary, busy } = useServerForm<{ intent: string }>({ id: "reinstate", reply, labels: {} });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <div className="grid gap-2 wrap-anywhere">
        <p>
          <bdi className="font-semibold">{team}</bdi> was disqualified{reason ? ":" : "."}
        </p>
        {reason && (
          <blockquote dir="auto" className="border-l-2 border-edge pl-3 whitespace-pre-line text-muted">
            {reason}
          </blockquote>
        )}
        <p>Back in, it plays the matches that it has forfeited since. You can do this until a later match is played.</p>
      </div>
      <DialogFooter closeTo={closeTo}>
        <Button name="intent" value="reinstate" variant="primary" busy={busy} busyLabel="Taking it back">
          Take It Back
        </Button>
      </DialogFooter>
    </Form>
  );
}
