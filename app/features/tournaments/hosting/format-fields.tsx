import { type ReactNode, useEffect, useRef, useState } from "react";
import { TIE_BREAKS } from "#db/words/tie-breaks";
import { FORMATS, type Format } from "#db/words/tournament-formats";
import { REGIONS } from "~/game/regions";
import { SelectField, TextField } from "~/ui/forms/field";
import type { useServerForm } from "~/ui/forms/use-server-form";
import { ChevronIcon } from "~/ui/icons";
import { FORMAT_NAMES, TEAMS_FOR_THIRD_PLACE } from "../format/formats";
import { DOUBLE_ELIMINATION_STAGES } from "../format/stages";
import { sayOrder } from "../format/tie-breaks";
import { Choice } from "./choice";
import {
  BEST_OF,
  CHECK_IN_WINDOWS,
  fitsFormat,
  GRAND_FINAL_NAMES,
  GROUP_SIZE,
  LAST_TIE_BREAK_NAMES,
  MATCH_LENGTH,
  MATCH_LENGTH_FIELDS,
  SEEDING_NAMES,
  THIRD_PLACE_NAMES,
  type TournamentField,
} from "./options";

/** Returns the attributes of one of the form's fields. */
type FieldProps = (name: TournamentField) => ReturnType<ReturnType<typeof useServerForm>["props"]>;

/** Fields that stay collapsed until the host expands them or one of them has an error. */
const MORE: readonly TournamentField[] = [
  "format",
  "grandFinal",
  "thirdPlace",
  "groupSize",
  "tieBreaks",
  "lastTieBreak",
  ...MATCH_LENGTH_FIELDS,
  "checkInMinutes",
  "region",
  "seeding",
  "rules",
];

/** The collapsible fields about how the tournament is played. */
export function FormatFields({
  props,
  isWrong,
  children,
}: {
  props: FieldProps;
  isWrong: (name: TournamentField) => boolean;
  /** Rendered below the fields. */
  children: ReactNode;
}) {
  const more = useRef<HTMLDetailsElement>(null);
  // Null without JavaScript: all fields are shown, and each names the format it applies to.
  const [format, setFormat] = useState<Format | null>(null);
  const readFormat = () => {
    // The section's first select is the one for the format.
    const select = more.current?.querySelector("select");
    if (select) setFormat(select.value as Format);
  };
  useEffect(readFormat, []);
  /** Returns the attributes of a field that applies to one format only. */
  const only = (name: TournamentField, of: Format, hint: string) => ({
    ...props(name),
    hint: format ? hint : `${FORMAT_NAMES[of]}. ${hint}`.trim(),
    className: format && !fitsFormat(name, format) ? "hidden" : "",
  });
  return (
    <details ref={more} className="group border-t border-line" open={MORE.some(isWrong)}>
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold">
        <ChevronIcon className="size-4 group-open:rotate-180" />
        Format, check-in and rules
      </summary>
      <div className="mt-2 grid items-start gap-[18px] md:grid-cols-2 md:gap-x-4">
        <Choice
          {...props("format")}
          onChange={readFormat}
          options={FORMATS.map((name) => [name, FORMAT_NAMES[name]])}
        />
        <Choice
          {...only(
            "grandFinal",
            "double_elimination",
            "Advantage: the winners' side starts one map up. Reset: a second match if the losers' side wins the first.",
          )}
          options={Object.entries(GRAND_FINAL_NAMES)}
        />
        <Choice
          {...only(
            "thirdPlace",
            "single_elimination",
            `Automatic: with ${TEAMS_FOR_THIRD_PLACE} teams or more. Without it, third place is shared.`,
          )}
          options={Object.entries(THIRD_PLACE_NAMES)}
        />
        <TextField
          {...only(
            "groupSize",
            "round_robin",
            "The most teams in a group. Groups of 3 or 4 can have 5 if two teams would be left over.",
          )}
          type="number"
          inputMode="numeric"
          min={GROUP_SIZE.min}
          max={GROUP_SIZE.max}
          optional
        />
        <Choice
          {...only("tieBreaks", "round_robin", "Separates teams with equal wins. Maps and rounds count by difference.")}
          options={TIE_BREAKS.map((order) => [order, sayOrder(order)])}
        />
        <Choice
          {...only(
            "lastTieBreak",
            "round_robin",
            "Used if all else is equal and the title or a play-off spot is at stake. The draw follows the seeding.",
          )}
          options={Object.entries(LAST_TIE_BREAK_NAMES)}
        />
        <fieldset aria-describedby="match-length-hint" className="md:col-span-2">
          <legend className="text-meta font-semibold">{MATCH_LENGTH}</legend>
          <div id="match-length-hint" className="mt-1 mb-3 grid gap-1 text-meta text-muted">
            {FORMATS.filter((name) => format === null || format === name).map((name) => (
              <p key={name}>{`${format ? "" : `${FORMAT_NAMES[name]}. `}${STAGE_HINTS[name]}`}</p>
            ))}
          </div>
          <div className="grid items-start gap-[18px] gap-x-4 min-[390px]:grid-cols-2 md:grid-cols-3">
            <Choice {...props("bestOf")} options={BEST_OF.map(bestOfOption)} />
            <Choice {...props("quarterBestOf")} optional={false} options={STAGE_OPTIONS} />
            <Choice {...props("semiBestOf")} optional={false} options={STAGE_OPTIONS} />
            <Choice {...only("lowerFinalBestOf", "double_elimination", "")} optional={false} options={STAGE_OPTIONS} />
            <Choice {...props("finalBestOf")} options={BEST_OF.map(bestOfOption)} />
          </div>
        </fieldset>
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
      <div className="mt-[18px]">{children}</div>
    </details>
  );
}

const bestOfOption = (maps: number): [string, string] => [String(maps), `Best of ${maps}`];

const STAGE_OPTIONS: [string, string][] = [["", "Same as early rounds"], ...BEST_OF.map(bestOfOption)];

/** Hints about which stage a match belongs to, where the stage's name doesn't make it clear (see `stageOf`). */
const STAGE_HINTS: Record<Format, string> = {
  single_elimination: "A third-place match is as long as the semi-finals.",
  double_elimination: `The final is the grand final. ${DOUBLE_ELIMINATION_STAGES}`,
  round_robin:
    "Group matches count as early rounds. The other stages apply to the play-offs, if there are several groups.",
};
