import { Form } from "@remix-run/react";
import { ReportFooter } from "~/features/messages/shared/report-footer";
import type { FormReply } from "~/platform/forms/forms";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField, TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { REVIEW_REPORT_REASONS, REVIEW_REPORT_WORDS } from "./report-reasons";
import { MAX_COMMENT_LENGTH } from "./rules";
import { Stars } from "./shared/stars";

/** The form for reporting a review, which it quotes. */
export function ReportReviewForm({
  reply,
  id,
  review: { name, rating, comment },
  closeTo,
}: {
  reply: FormReply | undefined;
  /** The id of the future report. */
  id: string;
  review: { name: string; rating: number; comment: string | null };
  closeTo: string;
}) {
  const { formProps, fields, props, summary, busy } = useServerForm<{ id: string; reason: string; details: string }>({
    id: "report",
    reply,
    defaultValue: { id },
    labels: { reason: "Reason", details: "Details" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={[...summary.formErrors, ...(reply?.result.error?.id ?? [])]} />
      <input type="hidden" name="id" value={fields.id.initialValue ?? id} />
      <blockquote className="max-h-48 overflow-y-auto border-l-2 border-edge pl-4">
        <Stars rating={rating} size="small" />
        {comment && (
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {comment}
          </p>
        )}
      </blockquote>
      <SelectField {...props("reason")} required>
        <option value="" />
        {REVIEW_REPORT_REASONS.map((reason) => (
          <option key={reason} value={reason}>
            {REVIEW_REPORT_WORDS[reason]}
          </option>
        ))}
      </SelectField>
      <TextAreaField {...props("details")} limit={MAX_COMMENT_LENGTH} optional />
      <ReportFooter name={name} busy={busy} closeTo={closeTo} />
    </Form>
  );
}
