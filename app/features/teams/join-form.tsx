import { ROLES, type Role } from "~/game/roles";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField, TextField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MAX_NOTE_LENGTH } from "./rules";

/** The form for asking to join a post. */
export function JoinForm({
  reply,
  id,
  title,
  author,
  role,
  closeTo,
}: {
  reply: FormReply | undefined;
  /** The id that the request will have. */
  id: string;
  /** The post's title. */
  title: string;
  author: string;
  /** The player's usual role. */
  role: Role | null;
  closeTo: string;
}) {
  const { formProps, props, summary, busy } = useServerForm<{ id: string; role: string; note: string }>({
    id: "join",
    reply,
    defaultValue: { id, role: role ?? "" },
    labels: { role: "Role", note: "Note" },
  });
  return (
    <DialogForm {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={[...summary.formErrors, ...(reply?.result.error?.id ?? [])]} />
      <input type="hidden" name="id" value={props("id").defaultValue} />
      <p className="wrap-anywhere text-muted">
        <bdi>{author}</bdi> reads this and decides who joins <bdi>“{title}”</bdi>.
      </p>
      <SelectField {...props("role")} optional>
        <option value="" />
        {ROLES.map((role) => (
          <option key={role}>{role}</option>
        ))}
      </SelectField>
      <TextField {...props("note")} limit={MAX_NOTE_LENGTH} autoComplete="off" optional />
      <DialogFooter closeTo={closeTo} note="Once you're in, your team sees your Riot ID and Discord tag.">
        <Button variant="primary" busy={busy} busyLabel="Sending" className="max-md:flex-1">
          Send Request
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}
