import { useEffect, useRef, useState } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MAX_CONTENT_LENGTH } from "../rules";

/** The first message to a player, in a dialog. */
export function ContactForm({
  values,
  reply,
  closeTo,
}: {
  /** The message's future id, and its initial text. */
  values: { id: string; message: string };
  reply: FormReply | undefined;
  closeTo: string;
}) {
  const { formProps, props, summary, busy } = useServerForm<{ id: string; message: string }>({
    id: "contact",
    reply,
    defaultValue: values,
    labels: { message: "Message" },
    onInput: () => updateIsBlank(),
  });
  const form = useRef<HTMLFormElement>(null);
  const [isBlank, setIsBlank] = useState(false);
  const updateIsBlank = () => setIsBlank(!String(form.current && new FormData(form.current).get("message")).trim());
  // The browser may have restored text, or the player may have typed before hydration.
  useEffect(updateIsBlank, []);
  useEffect(() => {
    const draft = form.current?.querySelector("textarea");
    // Players go on where the greeting ends.
    if (draft?.selectionEnd === 0) draft.setSelectionRange(draft.value.length, draft.value.length);
  }, []);
  return (
    <DialogForm {...formProps} ref={form} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={[...summary.formErrors, ...(reply?.result.error?.id ?? [])]} />
      <input type="hidden" name="id" value={props("id").defaultValue} />
      <TextAreaField {...props("message")} limit={MAX_CONTENT_LENGTH} rows={4} required />
      <DialogFooter closeTo={closeTo}>
        <Button variant="primary" disabled={isBlank} busy={busy} busyLabel="Sending" className="max-md:flex-1">
          Send Message
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}
