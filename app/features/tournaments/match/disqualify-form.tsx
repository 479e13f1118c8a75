import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { useServerForm } from "~/ui/forms/use-server-form";
import { ReasonForm } from "../reason-form";
import { HiddenReason } from "../registration/team/hidden-reason";

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
      hint="Only the team and the organisers see it. Everyone else just sees that the team is disqualified."
      button="Disqualify"
      busyLabel="Disqualifying"
    >
      <bdi className="font-semibold">{team}</bdi> forfeits its current match and every later one, and finishes behind
      every team still in. Earlier results stand. You can undo this until a later match is played.
    </ReasonForm>
  );
}

/** The confirmation step for undoing a disqualification. */
export function ReinstateForm({
  reply,
  team,
  reason,
  isHidden,
  expects,
  closeTo,
}: Props & {
  /** Null if it is hidden. */
  reason: string | null;
  /** Whether the viewer has blocked the organiser who gave the reason, and hasn't asked for it. */
  isHidden: boolean;
  /** When the team was disqualified, in milliseconds since 1970. */
  expects: number | null;
}) {
  const { formProps, summary, busy } = useServerForm<{ intent: string }>({ id: "reinstate", reply, labels: {} });
  return (
    <DialogForm {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <input type="hidden" name="expects" value={expects ?? ""} />
      <div className="grid gap-2 wrap-anywhere">
        <p>
          <bdi className="font-semibold">{team}</bdi> was disqualified{reason ? ":" : "."}
        </p>
        {reason && (
          <blockquote dir="auto" className="border-l-2 border-edge pl-3 whitespace-pre-line text-muted">
            {reason}
          </blockquote>
        )}
        {isHidden && <HiddenReason />}
        <p>
          If you undo this, it plays the matches it has forfeited since. You can do that until a later match is played.
        </p>
      </div>
      <DialogFooter closeTo={closeTo}>
        <Button name="intent" value="reinstate" variant="primary" busy={busy} busyLabel="Undoing">
          Undo
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}
