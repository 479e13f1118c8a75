import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Stars } from "~/features/feedback/shared/stars";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FieldError, SelectField, TextAreaField, TextField } from "~/ui/forms/field";
import { Honeypot } from "~/ui/forms/honeypot";
import { HumanCheck } from "~/ui/forms/human-check";
import { useReply } from "~/ui/forms/use-reply";
import { useServerForm } from "~/ui/forms/use-server-form";
import { type ReportPageData, SEND_FAILED } from "./report-page-data";

/* The `Report` dialog, shared by all kinds of subjects: each route adds its own loader and action. */

export const meta: MetaFunction = () => privatePage("Report");

export const clientAction = offlineAction(SEND_FAILED);

export function ReportPage() {
  const { title, player, ...form } = useLoaderData<ReportPageData>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title={title} {...(player !== null && { player })} closeTo={form.closeTo}>
      <ReportForm reply={reply} {...form} />
    </RouteDialog>
  );
}

function ReportForm({
  reply,
  id,
  reported,
  quote,
  reasons,
  maxDetails,
  closeTo,
  guest,
  choice,
}: Omit<ReportPageData, "title" | "player"> & { reply: FormReply | undefined }) {
  const { formProps, props, summary, busy } = useServerForm<{
    id: string;
    message: string;
    reason: string;
    details: string;
    name: string;
    email: string;
  }>({
    id: "report",
    reply,
    defaultValue: { id, message: choice?.initial ?? "" },
    labels: {
      ...(choice && { message: "About" }),
      reason: "Reason",
      details: "Details",
      ...(guest && { name: "Your Name", email: "Your Email" }),
    },
  });
  return (
    <DialogForm {...formProps} className="grid gap-5">
      {guest && <Honeypot />}
      <ErrorSummary errors={summary.errors} formErrors={[...summary.formErrors, ...(reply?.result.error?.id ?? [])]} />
      <input type="hidden" name="id" value={props("id").defaultValue} />
      <Quote {...quote} />
      {choice && (
        <SelectField {...props("message")}>
          {choice.asPlayer !== null && <option value="">{choice.asPlayer} as a player</option>}
          {choice.messages.length > 0 && (
            <optgroup label="A message">
              {choice.messages.map((message) => (
                <option key={message.id} value={message.id}>
                  {message.words}
                </option>
              ))}
            </optgroup>
          )}
        </SelectField>
      )}
      <Reasons {...props("reason")} reasons={reasons} />
      <TextAreaField
        {...props("details")}
        limit={maxDetails}
        optional
        hint="If it breaks the law, say how and in which country."
      />
      {guest && (
        <div className="grid gap-5 md:grid-cols-2">
          <TextField {...props("name")} autoComplete="name" hint="Not needed to report child abuse." />
          <TextField
            {...props("email")}
            type="email"
            autoComplete="email"
            inputMode="email"
            hint="We only use it for this report."
          />
        </div>
      )}
      <DialogFooter
        closeTo={closeTo}
        note={
          <>
            Our moderators will read it.{" "}
            {reported !== null && (
              <>
                <bdi>{reported}</bdi> won't be told.
              </>
            )}
          </>
        }
      >
        <Button variant="primary" busy={busy} busyLabel="Sending" className="max-md:flex-1">
          Send Report
        </Button>
      </DialogFooter>
      {guest && <HumanCheck key={reply?.toast.id} offer={guest.humanCheck} purpose="report" />}
    </DialogForm>
  );
}

function Quote({ stars, lines }: ReportPageData["quote"]) {
  if (stars === null && lines.length === 0) return null;
  return (
    <blockquote className="max-h-48 overflow-y-auto border-l-2 border-edge pl-4">
      {stars !== null && <Stars rating={stars} size="small" />}
      {lines.map((line) => (
        <p key={line} dir="auto" className="wrap-anywhere whitespace-pre-line">
          {line}
        </p>
      ))}
    </blockquote>
  );
}

function Reasons({
  reasons,
  id,
  name,
  label,
  errors,
  defaultValue,
  autoFocus,
}: ReturnType<ReturnType<typeof useServerForm>["props"]> & Pick<ReportPageData, "reasons">) {
  const invalid = errors.length > 0;
  return (
    <fieldset id={id} aria-describedby={invalid ? `${id}-error` : undefined} className="min-w-0">
      <legend className="mb-1.5 text-meta font-semibold">{label}</legend>
      <div className="grid gap-x-5 md:grid-cols-2">
        {reasons.map(([value, words], index) => (
          <label key={value} className="flex min-h-8 items-center gap-2.5 touch:min-h-11">
            <input
              type="radio"
              id={`${id}-${value}`}
              name={name}
              value={value}
              defaultChecked={defaultValue === value}
              aria-invalid={invalid || undefined}
              required
              autoFocus={Boolean(autoFocus) && (defaultValue ? defaultValue === value : index === 0)}
              className="checkbox rounded-full!"
            />
            {words}
          </label>
        ))}
      </div>
      <FieldError id={id} errors={errors} />
    </fieldset>
  );
}
