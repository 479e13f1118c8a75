import { Form } from "@remix-run/react";
import { ROLES } from "~/features/game/roles";
import type { FormReply } from "~/platform/forms";
import { Button, ButtonLink } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { SelectField, TextField } from "~/ui/field";
import { useServerForm } from "~/ui/use-server-form";
import { MAX_NOTE_LENGTH } from "./rules";

/** The form of a request to join a post. */
export function JoinForm({
  reply,
  id,
  title,
  author,
  closeTo,
}: {
  reply: FormReply | undefined;
  /** The id that the request will have. */
  id: string;
  /** The post's. */
  title: string;
  author: string;
  closeTo: string;
}) {
  const { formProps, fields, props, summary, busy } = useServerForm<{ id: string; role: string; note: string }>({
    id: "join",
    reply,
    defaultValue: { id },
    labels: { role: "Role", note: "Note" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={[...summary.formErrors, ...(reply?.result.error?.id ?? [])]} />
      <input type="hidden" name="id" value={fields.id.initialValue ?? id} />
      <p className="wrap-anywhere text-muted">
        <bdi>{author}</bdi> reads this and decides who joins <bdi>“{title}”</bdi>.
      </p>
      <SelectField {...props("role")} optional>
        <option value="" />
        {ROLES.map((role) => (
          <option key={role}>{role}</option>
        ))}
      </SelectField>
      <TextField {...props("note")} maxLength={MAX_NOTE_LENGTH} autoComplete="off" optional />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="min-w-0 flex-1 basis-56 text-meta text-balance text-muted">
          Once you are in, your team sees your Riot ID and Discord tag.
        </p>
        <div className="flex items-center justify-end gap-2 max-md:flex-auto">
          <ButtonLink to={closeTo} variant="quiet" preventScrollReset viewTransition>
            Cancel
          </ButtonLink>
          <Button variant="primary" busy={busy} busyLabel="Sending" className="max-md:flex-1">
            Send Request
          </Button>
        </div>
      </div>
    </Form>
  );
}
