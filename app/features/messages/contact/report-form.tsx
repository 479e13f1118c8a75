import { Form } from "@remix-run/react";
import { REPORT_REASONS } from "#db/words/report-reasons";
import type { FormReply } from "~/platform/forms/forms";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField, TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { MAX_CONTENT_LENGTH, REPORT_REASON_WORDS } from "../rules";
import { ReportFooter } from "../shared/report-footer";

/** The form for reporting a player or one of their messages. */
export function ReportForm({
  reply,
  id,
  name,
  messages,
  messageId,
  closeTo,
}: {
  reply: FormReply | undefined;
  /** The report's future id. */
  id: string;
  /** The reported player's name. */
  name: string;
  /** Their messages, newest first: any of them can be reported. */
  messages: readonly { id: string; words: string }[];
  /** The message selected at first; null to report the player in general. */
  messageId: string | null;
  closeTo: string;
}) {
  const { formProps, fields, props, summary, busy } = useServerForm<{
    id: string;
    message: string;
    reason: string;
    details: string;
  }>({
    id: "report",
    reply,
    defaultValue: { id, message: messageId ?? "" },
    labels: { message: "About", reason: "Reason", details: "Details" },
  });
  const formErrors = [...summary.formErrors, ...(reply?.result.error?.id ?? [])];
  return (
    <Form method="post" {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={formErrors} />
      <input type="hidden" name="id" value={fields.id.initialValue ?? id} />
      <SelectField {...props("message")}>
        <option value="">{name} as a player</option>
        {messages.length > 0 && (
          <optgroup label="A message">
            {messages.map((message) => (
              <option key={message.id} value={message.id}>
                {message.words}
              </option>
            ))}
          </optgroup>
        )}
      </SelectField>
      <SelectField {...props("reason")} required>
        <option value="" />
        {REPORT_REASONS.map((reason) => (
          <option key={reason} value={reason}>
            {REPORT_REASON_WORDS[reason]}
          </option>
        ))}
      </SelectField>
      <TextAreaField {...props("details")} limit={MAX_CONTENT_LENGTH} optional />
      <ReportFooter name={name} busy={busy} closeTo={closeTo} />
    </Form>
  );
}
