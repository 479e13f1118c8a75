import { Form } from "@remix-run/react";
import { LANGUAGES } from "#db/words/languages";
import { SHAREABLE, type Shareable } from "#db/words/sharing";
import { MAX_RIOT_ID_LENGTH } from "~/features/riot/rules";
import { REGIONS } from "~/game/regions";
import { ROLES } from "~/game/roles";
import { VOICE_COMMS, VOICE_COMMS_LABELS } from "~/game/voice";
import type { FormReply } from "~/platform/forms/forms";
import { CheckboxField } from "~/ui/forms/choice-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FieldError, SelectField, TextAreaField, TextField } from "~/ui/forms/field";
import { GlyphSelect } from "~/ui/forms/glyph-select";
import { NextStep } from "~/ui/forms/next-step";
import { useServerForm } from "~/ui/forms/use-server-form";
import { CheckIcon, RoleGlyph } from "~/ui/icons";
import { AgentPicker } from "./agent-picker";
import { AvailabilityTable } from "./availability-table";
import { MAX_DESCRIPTION_LENGTH, MAX_DISCORD_TAG_LENGTH, MAX_PLAY_TIMES_LENGTH } from "./profile-rules";
import type { ProfileValues } from "./profile-values";
import { RankPicker } from "./rank-picker";
import { TagsField } from "./tags-field";
import { TimeZoneOptions, type TimeZones } from "./time-zone-options";

/** The form's id, for the save button beside the page's title. */
export const PROFILE_FORM = "profile";

const LABELS = {
  currentRank: "Current Rank",
  mainAgents: "Main Agents",
  riotId: "Riot ID",
  discordTag: "Discord Tag",
  preferredRole: "Preferred Role",
  region: "Region",
  playTimes: "Play Times",
  voiceCommsPreference: "Voice Comms",
  personalityTags: "Personality Tags",
  description: "Description",
  timeZone: "Time Zone",
  availability: "Weekly Availability",
  languages: "Languages",
  shares: "What Others See",
} as const;

const SHARED_WORDS: Record<Shareable, { label: string; hint?: string }> = {
  discordTag: { label: "My Discord tag", hint: "Teammates always see it." },
  description: { label: "My description" },
  availability: { label: "When I play" },
  languages: { label: "My languages" },
  feedback: { label: "My reviews" },
};

/**
 * The form of a player's whole profile. `Save Profile` is outside the form element, and belongs to it by its `form`
 * attribute.
 */
export function ProfileForm({
  reply,
  values,
  version,
  onDiscard,
  isRiotIdFixed,
  hour12,
  timeZones,
  onInput,
}: {
  reply: FormReply | undefined;
  values: ProfileValues;
  /** The version of the profile that `values` come from. */
  version: string;
  /** Drops the entries, and shows what is saved. */
  onDiscard: () => void;
  /** Whether the Riot ID is verified. If so, the field shows Riot's spelling and can't be edited. */
  isRiotIdFixed: boolean;
  /** Whether the reader uses the 12-hour clock. */
  hour12: boolean;
  timeZones: TimeZones;
  /** Called when anything in the form changes. */
  onInput: () => void;
}) {
  const { formProps, fields, props, summary } = useServerForm<ProfileValues>({
    id: PROFILE_FORM,
    reply,
    defaultValue: values,
    labels: LABELS,
    onInput,
  });
  /** Returns the checked values of a group of checkboxes or radios: those of a refused form, else the stored ones. */
  const currentValues = (name: keyof ProfileValues): string[] => {
    const value = (reply?.result.initialValue ?? values)[name];
    return [value ?? []].flat().map(String);
  };
  const group = (name: "currentRank" | "mainAgents" | "availability" | "languages" | "shares") => ({
    id: fields[name].id,
    name,
    errors: props(name).errors,
  });
  return (
    <Form method="post" {...formProps} className="grid">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} className="mt-5" />
      <div className="mt-3 empty:hidden">
        <NextStep next={reply?.next} onFollow={onDiscard} />
      </div>
      <input type="hidden" name="version" value={String(reply?.result.initialValue?.version ?? version)} />
      <RankPicker
        {...group("currentRank")}
        chosen={currentValues("currentRank")[0]}
        autoFocus={props("currentRank").autoFocus}
      />
      <AgentPicker
        {...group("mainAgents")}
        chosen={currentValues("mainAgents")}
        autoFocus={props("mainAgents").autoFocus}
      />
      <section aria-labelledby="basic-information" className="profile-section">
        <h2 id="basic-information" className="profile-legend">
          Basic Information
        </h2>
        <div className="grid gap-4 md:grid-cols-2">
          <TextField
            // The new key remounts the field: an input that has had a value ignores a new default.
            key={isRiotIdFixed ? values.riotId : undefined}
            {...props("riotId")}
            {...(isRiotIdFixed && { defaultValue: values.riotId })}
            limit={MAX_RIOT_ID_LENGTH}
            readOnly={isRiotIdFixed}
            placeholder={isRiotIdFixed ? undefined : "Name#TAG"}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            {...props("discordTag")}
            limit={MAX_DISCORD_TAG_LENGTH}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <GlyphSelect
            {...props("preferredRole")}
            optional={false}
            options={ROLES}
            glyph={(role) => <RoleGlyph role={role} className="size-[18px] noscript:hidden" />}
          />
          <SelectField {...props("region")}>
            <option value="" />
            {REGIONS.map((region) => (
              <option key={region}>{region}</option>
            ))}
          </SelectField>
          <TextField {...props("playTimes")} limit={MAX_PLAY_TIMES_LENGTH} autoComplete="off" />
          <SelectField {...props("voiceCommsPreference")}>
            <option value="" />
            {VOICE_COMMS.map((voice) => (
              <option key={voice} value={voice}>
                {VOICE_COMMS_LABELS[voice]}
              </option>
            ))}
          </SelectField>
          <div className="md:col-span-2">
            <TagsField {...props("personalityTags")} />
          </div>
          <TextAreaField {...props("description")} limit={MAX_DESCRIPTION_LENGTH} className="md:col-span-2" />
        </div>
      </section>
      <section aria-labelledby="when-you-play" className="profile-section">
        <h2 id="when-you-play" className="profile-legend">
          When You Play
        </h2>
        <div className="grid gap-5">
          <SelectField
            {...props("timeZone")}
            hint="Others see your hours only if you choose one."
            className="md:max-w-[50%]"
          >
            <option value="" />
            <TimeZoneOptions zones={timeZones} />
          </SelectField>
          <AvailabilityTable {...group("availability")} chosen={currentValues("availability")} hour12={hour12} />
        </div>
      </section>
      <fieldset id={fields.languages.id} className="profile-section">
        <legend className="profile-legend">Languages</legend>
        <div className="flex flex-wrap gap-2">
          {Object.entries(LANGUAGES).map(([code, language]) => (
            <label key={code} className="choice">
              <input
                type="checkbox"
                name="languages"
                value={code}
                defaultChecked={currentValues("languages").includes(code)}
              />
              <CheckIcon className="choice-tick size-3.5" />
              {language}
            </label>
          ))}
        </div>
        <FieldError {...group("languages")} />
      </fieldset>
      <fieldset id={fields.shares.id} className="profile-section">
        <legend className="profile-legend">What Others See</legend>
        <p className="text-meta text-muted">
          Your name, rank, role, agents, region, voice and tags always show. Choose what else does.
        </p>
        <div className="mt-2 border-t-2 border-edge">
          {SHAREABLE.map((what) => (
            <CheckboxField
              key={what}
              id={`share-${what}`}
              name="shares"
              value={what}
              {...SHARED_WORDS[what]}
              defaultChecked={currentValues("shares").includes(what)}
            />
          ))}
          <CheckboxField
            id="is-listed"
            name="isListed"
            label="List me in the directory"
            hint="If off, players only find you through your posts."
            defaultChecked={currentValues("isListed").includes("on")}
          />
        </div>
        <FieldError {...group("shares")} />
      </fieldset>
    </Form>
  );
}
