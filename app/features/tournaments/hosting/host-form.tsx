import type { ReactNode } from "react";
import { RANKS } from "~/game/ranks";
import { zoneWords } from "~/platform/dates/time-zone";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { GlyphSelect } from "~/ui/forms/glyph-select";
import { NextStep } from "~/ui/forms/next-step";
import { useServerForm } from "~/ui/forms/use-server-form";
import { RankGlyph } from "~/ui/icons";
import type { EditScope } from "../rules";
import { Choice } from "./choice";
import { FormatFields } from "./format-fields";
import {
  FIELD_LABELS,
  MAX_DESCRIPTION_LENGTH,
  MAX_RULES_LENGTH,
  MAX_TITLE_LENGTH,
  PARTICIPANTS,
  TEAM_SIZES,
  type TournamentField,
} from "./options";

/** The form's field values, as text. */
export type HostFormValues = Record<TournamentField | "timeZone", string> & {
  /** The id that a new tournament will have; absent when editing one. */
  id?: string;
};

/** The form for a new or edited tournament. `scope` limits the fields of a tournament that already has teams. */
export function HostForm({
  reply,
  values,
  scope,
  version,
  onDiscard,
  submit,
  closeTo,
  children,
}: {
  reply: FormReply | undefined;
  values: HostFormValues;
  scope: Exclude<EditScope, "nothing">;
  /** The version that `values` come from (`editVersion`), if a tournament is edited. */
  version?: string;
  /** Drops the entries, and shows what is saved. */
  onDiscard?: () => void;
  submit: string;
  closeTo: string;
  /** Rendered above the fields. */
  children?: ReactNode;
}) {
  const { formProps, props, summary, busy } = useServerForm<Required<HostFormValues> & { version: string }>({
    id: "tournament",
    reply,
    // When the page loads newer values, the version stays as it was on mount, like the fields.
    defaultValue: { ...values, version },
    labels: FIELD_LABELS,
  });
  const formErrors = [
    ...summary.formErrors,
    ...(reply?.result.error?.id ?? []),
    ...(reply?.result.error?.timeZone ?? []),
  ];
  const isWrong = (name: TournamentField) => (reply?.result.error?.[name]?.length ?? 0) > 0;
  const everything = scope === "everything";
  const description = <TextAreaField {...props("description")} limit={MAX_DESCRIPTION_LENGTH} required rows={4} />;
  const rules = (
    <TextAreaField
      {...props("rules")}
      limit={MAX_RULES_LENGTH}
      rows={5}
      optional
      hint="Lobby, maps, pauses, late arrivals."
    />
  );
  const places = (
    <TextField
      {...props("maxParticipants")}
      type="number"
      inputMode="numeric"
      min={PARTICIPANTS.min}
      max={PARTICIPANTS.max}
      required
      hint="Number of teams (players if solo)."
    />
  );
  const prizePool = (
    <Money
      {...props("prizePool")}
      hint="With an entry fee, Riot asks for at least 70% of all fees as prizes, and room for at least 20 players."
    />
  );
  const teamSize = (
    <Choice
      {...props("teamSize")}
      options={TEAM_SIZES.map((size) => [String(size), size === 1 ? "1 (solo)" : String(size)])}
    />
  );
  const deadline = (
    <TextField {...props("registrationDeadline")} type="datetime-local" required hint={zoneWords(values.timeZone)} />
  );
  return (
    <DialogForm {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={formErrors} className="mb-0.5" />
      <NextStep next={reply?.next} {...(onDiscard && { onFollow: onDiscard })} />
      {values.id ? (
        <input type="hidden" name="id" value={props("id").defaultValue} />
      ) : (
        <>
          <input type="hidden" name="scope" value={scope} />
          <input type="hidden" name="version" value={props("version").defaultValue} />
        </>
      )}
      <input type="hidden" name="timeZone" value={values.timeZone} />
      {children}
      {everything && <TextField {...props("title")} limit={MAX_TITLE_LENGTH} required autoComplete="off" />}
      {description}
      {scope === "harmless" && (
        <div className="grid items-start gap-[18px] md:grid-cols-2 md:gap-x-4">
          {places}
          {prizePool}
          {deadline}
        </div>
      )}
      {!everything && rules}
      {everything && (
        <>
          <div className="grid items-start gap-[18px] md:grid-cols-2 md:gap-x-4">
            <Money {...props("entryFee")} hint="Per player. You collect it: Lineup doesn't handle payments." />
            {prizePool}
            {places}
            {teamSize}
            {(["minRank", "maxRank"] as const).map((name) => (
              <GlyphSelect
                key={name}
                {...props(name)}
                options={RANKS}
                glyph={(rank) => <RankGlyph rank={rank} className="size-5 noscript:hidden" />}
              />
            ))}
            <TextField {...props("tournamentDate")} type="datetime-local" required hint={zoneWords(values.timeZone)} />
            {deadline}
          </div>
          <FormatFields props={props} isWrong={isWrong}>
            {rules}
          </FormatFields>
        </>
      )}
      <DialogFooter closeTo={closeTo} note="Lineup doesn't handle payments. Organisers collect fees and pay prizes.">
        <Button variant="primary" busy={busy} busyLabel="Saving" className="max-md:flex-1">
          {submit}
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}

type FieldProps = Omit<Parameters<typeof TextField>[0], "type">;

/** An amount in dollars. */
const Money = (props: FieldProps) => (
  <TextField {...props} type="number" inputMode="decimal" min={0} max={100_000} step={0.01} required prefix="$" />
);
