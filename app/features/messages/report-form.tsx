import { Form } from "@remix-run/react";
import { REPORT_REASONS } from "#db/report-reasons";
import type { FormReply } from "~/platform/forms";
import { Button, ButtonLink } from "~/ui/button";
import { ErrorSummary, SelectField, TextAreaField } from "~/ui/field";
import { useServerForm } from "~/ui/use-server-form";
import { MAX_CONTENT_LENGTH, REPORT_REASON_WORDS } from "./rules";

/** The form of a report: of a player, or (`quote`) of one of their messages. */
export function ReportForm({
  reply,
  id,
  name,
  quote,
  closeTo,
}: {
  reply: FormReply | undefined;
  /** The id that the report will have. */
  id: string;
  /** Who is reported. */
  name: string;
  quote: string | null;
  closeTo: string;
}) {
  const { formProps, fields, props, summary, busy } = useServerForm<{ id: string; reason: string; details: string }>({
    id: "report",
    reply,
    defaultValue: { id },
    labels: { reason: "Reason", details: "Details" },
  });
  const formErrors = [...summary.formErrors, ...(reply?.result.error?.id ?? [])];
  return (
    <Form method="post" {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={formErrors} />
      <input type="hidden" name="id" value={fields.id.initialValue ?? id} />
      {quote !== null && (
        <figure>
          <figcaption className="mb-1.5 text-meta font-semibold wrap-anywhere">{name} wrote</figcaption>
          {/* Long ones scroll: within reach of the keyboard. */}
          <blockquote
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard (axe: scrollable-region-focusable)
            tabIndex={0}
            className="max-h-40 overflow-y-auto rounded-bubble bg-raised px-3.5 py-[9px] wrap-anywhere whitespace-pre-wrap forced-colors:border"
          >
            {quote}
          </blockquote>
        </figure>
      )}
      <SelectField {...props("reason")} required>
        <option value="" />
        {REPORT_REASONS.map((reason) => (
          <option key={reason} value={reason}>
            {REPORT_REASON_WORDS[reason]}
          </option>
        ))}
      </SelectField>
      <TextAreaField {...props("details")} maxLength={MAX_CONTENT_LENGTH} optional />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="min-w-0 flex-1 basis-48 text-meta wrap-anywhere text-muted">
          Our moderators read it. {name} isn't told.
        </p>
        <div className="flex items-center justify-end gap-2 max-md:flex-auto">
          <ButtonLink to={closeTo} variant="quiet" preventScrollReset viewTransition>
            Cancel
          </ButtonLink>
          <Button variant="primary" busy={busy} busyLabel="Sending" className="max-md:flex-1">
            Send Report
          </Button>
        </div>
      </div>
    </Form>
  );
}
