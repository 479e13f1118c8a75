import { ROLES, type Role } from "~/game/roles";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField, TextField } from "~/ui/forms/field";
import { NextStep } from "~/ui/forms/next-step";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MAX_NOTE_LENGTH } from "../rules";

/** The form for joining a tournament's list of players looking for a team. */
export function SeekForm({
  reply,
  own,
  closeTo,
}: {
  reply: FormReply | undefined;
  /** The viewer's current entry; null if they aren't on the list. */
  own: { role: Role | null; note: string | null } | null;
  closeTo: string;
}) {
  const { formProps, props, summary, busy } = useServerForm<{ role: string; note: string }>({
    id: "seek",
    reply,
    defaultValue: { role: own?.role ?? "", note: own?.note ?? "" },
    labels: { role: "Role", note: "Note" },
  });
  return (
    <DialogForm {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <NextStep next={reply?.next} />
      <p className="text-muted">
        Captains can find you below the teams and message you. Joining a team takes you off the list.
      </p>
      <SelectField {...props("role")} optional>
        <option value="" />
        {ROLES.map((role) => (
          <option key={role}>{role}</option>
        ))}
      </SelectField>
      <TextField {...props("note")} limit={MAX_NOTE_LENGTH} autoComplete="off" optional />
      <DialogFooter closeTo={closeTo}>
        <Button variant="primary" busy={busy} busyLabel="Saving" className="max-md:flex-1">
          {own ? "Save" : "Put Me on the List"}
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}
