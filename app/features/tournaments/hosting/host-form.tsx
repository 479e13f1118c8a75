import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { TIE_BREAKS } from "#db/words/tie-breaks";
import { FORMATS } from "#db/words/tournament-formats";
import { RANKS } from "~/game/ranks";
import { REGIONS } from "~/game/regions";
import { zoneWords } from "~/platform/dates/time-zone";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField, TextAreaField, TextField } from "~/ui/forms/field";
import { GlyphSelect } from "~/ui/forms/glyph-select";
import { useServerForm } from "~/ui/forms/use-server-form";
import { ChevronIcon, RankGlyph } from "~/ui/icons";
import { FORMAT_NAMES, TEAMS_FOR_THIRD_PLACE } from "../formats";
import type { EditScope } from "../rules";
import { sayOrder } from "../tie-breaks";
import {
  BEST_OF,
  CHECK_IN_WINDOWS,
  FIELD_LABELS,
  GROUP_SIZE,
  LAST_TIE_BREAK_NAMES,
  MAX_DESCRIPTION_LENGTH,
  MAX_RULES_LENGTH,
  MAX_TITLE_LENGTH,
  PARTICIPANTS,
  SEEDING_NAMES,
  TEAM_SIZES,
  THIRD_PLACE_NAMES,
  type TournamentField,
} from "./options";

/** The fields of the form, as text. */
export type HostFormValues = Record<TournamentField | "timeZone", string> & {
  /** The id a new tournament will have; absent when one is edited. */
  id?: string;
};

/** Fields that stay folded away until they are asked for, or one of them is wrong. */
const MORE: readonly TournamentField[] = [
  "format",
  "bestOf",
  "finalBestOf",
  "groupSize",
  "thirdPlace",
  "tieBreaks",
  "lastTieBreak",
  "checkInMinutes",
  "region",
  "seeding",
  "rules",
];

/** The form of a tournament, new or edited; of one that some have registered for, only what `scope` leaves. */
export function HostForm({
  reply,
  values,
  scope,
  submit,
  closeTo,
  children,
}: {
  reply: FormReply | undefined;
  values: HostFormValues;
  scope: Exclude<EditScope, "nothing">;
  submit: string;
  closeTo: string;
  /** Above the fields. */
  children?: ReactNode;
}) {
  const { formProps, fields, props, summary, busy } = useServerForm<Required<HostFormValues>>({
    id: "tournament",
    reply,
    defaultValue: values,
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
      hint="Lobby, maps, pauses, what happens to who is late."
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
      hint="Teams; players, where everyone plays alone."
    />
  );
  const prizePool = (
    <Money
      {...props("prizePool")}
      hint="With an entry fee, Riot asks that at least 70% of all fees go here, and that at least 20 players can take part."
    />
  );
  const teamSize = (
    <Choice
      {...props("teamSize")}
      options={TEAM_SIZES.map((size) => [String(size), size === 1 ? "1, everyone alone" : String(size)])}
    />
  );
  const deadline = (
    <TextField {...props("registrationDeadline")} type="datetime-local" required hint={zoneWords(values.timeZone)} />
  );
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={formErrors} className="mb-0.5" />
      {values.id && <input type="hidden" name="id" value={fields.id.initialValue ?? values.id} />}
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
            <Money {...props("entryFee")} hint="Per player. You collect it: no money moves through Lineup." />
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
          <details className="group border-t border-line" open={MORE.some(isWrong)}>
            <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold">
              <ChevronIcon className="size-4 group-open:rotate-180" />
              Format, check-in and rules
            </summary>
            <div className="mt-2 grid items-start gap-[18px] md:grid-cols-2 md:gap-x-4">
              <Choice {...props("format")} options={FORMATS.map((format) => [format, FORMAT_NAMES[format]])} />
              <Choice {...props("bestOf")} options={BEST_OF.map(mapCount)} />
              <Choice {...props("finalBestOf")} options={BEST_OF.map(mapCount)} />
              <Choice
                {...props("thirdPlace")}
                options={Object.entries(THIRD_PLACE_NAMES)}
                hint={`Single elimination. Automatic: from ${TEAMS_FOR_THIRD_PLACE} teams on. Without it, third place is shared.`}
              />
              <TextField
                {...props("groupSize")}
                type="number"
                inputMode="numeric"
                min={GROUP_SIZE.min}
                max={GROUP_SIZE.max}
                optional
                hint="The most teams in one group of a round robin. Groups of 3 or 4 hold up to 5 where two would be left."
              />
              <Choice
                {...props("tieBreaks")}
                options={TIE_BREAKS.map((order) => [order, sayOrder(order)])}
                hint="Which of a group's teams comes first when both have won as many matches. Maps and rounds won follow."
              />
              <Choice
                {...props("lastTieBreak")}
                options={Object.entries(LAST_TIE_BREAK_NAMES)}
                hint="Where the title, or a place in the play-offs, depends on it. The draw is the seeding."
              />
              <Choice
                {...props("checkInMinutes")}
                options={CHECK_IN_WINDOWS.map((minutes) => [
                  String(minutes),
                  minutes === 0 ? "None" : `${minutes} minutes before`,
                ])}
              />
              <SelectField {...props("region")} optional>
                <option value="">Any</option>
                {REGIONS.map((region) => (
                  <option key={region}>{region}</option>
                ))}
              </SelectField>
              <Choice {...props("seeding")} options={Object.entries(SEEDING_NAMES)} />
            </div>
            <div className="mt-[18px]">{rules}</div>
          </details>
        </>
      )}
      <DialogFooter
        closeTo={closeTo}
        note="No money moves through Lineup. The organiser collects entry fees and pays prizes."
      >
        <Button variant="primary" busy={busy} busyLabel="Saving" className="max-md:flex-1">
          {submit}
        </Button>
      </DialogFooter>
    </Form>
  );
}

type FieldProps = Omit<Parameters<typeof TextField>[0], "type">;

/** An amount in dollars. */
const Money = (props: FieldProps) => (
  <TextField {...props} type="number" inputMode="decimal" min={0} max={100_000} step={0.01} required prefix="$" />
);

/** One of a list, where one holds already. */
const Choice = ({ options, ...props }: Parameters<typeof SelectField>[0] & { options: [string, string][] }) => (
  <SelectField {...props} optional>
    {options.map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </SelectField>
);

const mapCount = (maps: number): [string, string] => [String(maps), maps === 1 ? "1 map" : `${maps} maps`];
