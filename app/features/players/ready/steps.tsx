import { type ReactNode, useState } from "react";
import type { ReadyStep } from "#db/words/ready-steps";
import { AGENTS_BY_ROLE, type Agent } from "~/game/agents";
import { REGIONS, type Region } from "~/game/regions";
import { ROLES } from "~/game/roles";
import { hourRange } from "~/platform/dates/dates";
import { Button } from "~/ui/button";
import { FieldError, SelectField } from "~/ui/forms/field";
import { CheckIcon, RankGlyph, RoleGlyph } from "~/ui/icons";
import { StepList } from "~/ui/step-list";
import { DAY_PARTS } from "../availability";
import { TIERS } from "../profile/rank-tiers";
import { TimeZoneOptions, type TimeZones } from "../profile/time-zone-options";
import { type StepState, USUAL_SLOTS, WEEK_PARTS } from "./rules";

/** The id of the heading of the strip `Get ready`. Without JavaScript, saving or skipping a step leads back to it. */
export const READY_ID = "get-ready";
/** The forms post answers to this address. Without JavaScript its page shows an answer that was refused. */
const READY_ADDRESS = "/dashboard/ready";
/** The value of the button that skips a step. */
export const SKIP = "skip";

/** Everything that the strip shows. */
export interface ReadyView {
  steps: readonly { step: ReadyStep; state: StepState; answer: string | null }[];
  /** The address of the list below the strip. The forms lead back to it. */
  list: string;
  /** The version of the profile that the strip shows (`profileVersion`). */
  version: string;
  /** The Riot ID that the player signed up with, if another player holds it. */
  held: string | null;
  mainAgents: readonly Agent[];
  region: Region | "";
  languages: readonly { code: string; name: string; isSpoken: boolean }[];
  /** All the other languages. */
  otherLanguages: readonly (readonly [code: string, name: string])[];
  /** The profile's time zone, or else the browser's, or the IP address's; empty if all are unknown. */
  timeZone: string;
  /** The time zones to choose from if only a guess is known, as without JavaScript; null if the step needn't ask. */
  timeZones: TimeZones | null;
  /** Whether the reader uses the 12-hour clock. */
  hour12: boolean;
}

/** The values and errors of a refused form, by field. */
interface RefusedAnswer {
  values: Record<string, unknown>;
  errors: Record<string, string[] | null>;
}

const NAMES: Record<ReadyStep, string> = { rank: "Rank", role: "Role", hours: "Hours" };
const NOTES = { skipped: "Skipped", now: "Now", next: "Next" } as const;

/** The steps of the strip `Get ready`, the current one with its form. */
export function ReadySteps({ view, refused }: { view: ReadyView; refused?: RefusedAnswer | undefined }) {
  const now = view.steps.find(({ state }) => state === "now");
  return (
    <>
      <h2 id={READY_ID} className="ready-title">
        Get ready
      </h2>
      <div className="ready-sheet">
        <StepList
          className="ready-list"
          steps={view.steps.map(({ step, state, answer }) => ({
            name: NAMES[step],
            note: state === "answered" ? (answer ?? "Done") : NOTES[state],
            isCurrent: state === "now",
            isDone: state === "answered",
          }))}
        />
        {now?.step === "rank" && <RankStep view={view} refused={refused} />}
        {now?.step === "role" && <RoleStep view={view} refused={refused} />}
        {now?.step === "hours" && <HoursStep view={view} refused={refused} />}
        {view.held && (
          <p className="ready-held">
            Another player holds <bdi>{view.held}</bdi>, so you don't have the Verified mark.{" "}
            <a href="/dashboard/profile#account-verification" className="link">
              Verify your account
            </a>
          </p>
        )}
      </div>
    </>
  );
}

interface StepProps {
  view: ReadyView;
  refused: RefusedAnswer | undefined;
}

const errorsOf = (refused: RefusedAnswer | undefined, name: string) => refused?.errors[name] ?? [];
const valuesOf = (refused: RefusedAnswer | undefined, name: string, otherwise: readonly string[]) =>
  refused ? [refused.values[name]].flat().filter((value) => typeof value === "string") : otherwise;

/** A step: its question with one sentence, `Skip`, and its form. */
function Step({
  step,
  view,
  refused,
  question,
  sentence,
  children,
}: StepProps & {
  step: ReadyStep;
  question: string;
  sentence: string;
  children: ReactNode;
}) {
  // The fields keep the values that they were mounted with when the page loads newer ones.
  const [opened] = useState(view.version);
  const hidden = (
    <>
      <input type="hidden" name="step" value={step} />
      <input type="hidden" name="returnTo" value={view.list} />
      <input type="hidden" name="version" value={valuesOf(refused, "version", [opened])[0] ?? opened} />
    </>
  );
  return (
    <>
      <div className="ready-question">
        <h3 id="ready-question" tabIndex={-1}>
          {question}
        </h3>
        <p id="ready-sentence">{sentence}</p>
        <form method="post" action={READY_ADDRESS} data-discover="true">
          {hidden}
          <Button name="intent" value={SKIP} variant="quiet" aria-describedby="ready-question">
            Skip
          </Button>
        </form>
      </div>
      <form
        method="post"
        action={READY_ADDRESS}
        aria-labelledby="ready-question"
        aria-describedby="ready-sentence"
        className={`ready-form ready-${step}`}
      >
        {hidden}
        {children}
      </form>
    </>
  );
}

/** The step for the rank. Each rank is a button that saves it, so one press is enough. */
function RankStep({ view, refused }: StepProps) {
  return (
    <Step
      step="rank"
      view={view}
      refused={refused}
      question="What's your rank?"
      sentence="Others see it as self-reported."
    >
      <div className="rank-picker">
        {TIERS.map(({ name, ranks }) => (
          <div key={name} className="rank-picker-tier">
            <span className="rank-picker-name">{name}</span>
            {ranks.map((rank) => (
              <button
                type="submit"
                key={rank}
                name="currentRank"
                value={rank}
                aria-label={rank}
                className="choice rank-choice"
              >
                <RankGlyph rank={rank} className="size-[34px]" />
              </button>
            ))}
          </div>
        ))}
      </div>
      <FieldError id="ready-rank" errors={errorsOf(refused, "currentRank")} />
    </Step>
  );
}

/**
 * The role, and up to three agents below the roles. On phones only the chosen role's agents show, and those that are
 * already checked.
 */
function RoleStep({ view, refused }: StepProps) {
  const [role] = valuesOf(refused, "preferredRole", []);
  const agents = valuesOf(refused, "mainAgents", view.mainAgents);
  return (
    <Step
      step="role"
      view={view}
      refused={refused}
      question="What do you play?"
      sentence="One role, and up to three agents."
    >
      <div className="ready-roles">
        {ROLES.map((one) => (
          <div key={one} className="ready-role">
            <label className="choice">
              <input type="radio" name="preferredRole" value={one} required defaultChecked={one === role} />
              <RoleGlyph role={one} className="size-[22px]" />
              {one}
            </label>
            <fieldset aria-label={`${one} agents`} className="ready-agents">
              {AGENTS_BY_ROLE[one].map((agent) => (
                <label key={agent} className="choice">
                  <input type="checkbox" name="mainAgents" value={agent} defaultChecked={agents.includes(agent)} />
                  <CheckIcon className="choice-tick size-3.5" />
                  {agent}
                </label>
              ))}
            </fieldset>
          </div>
        ))}
      </div>
      <FieldError
        id="ready-role"
        errors={[...errorsOf(refused, "preferredRole"), ...errorsOf(refused, "mainAgents")]}
      />
      <Save />
    </Step>
  );
}

/** When and where the player plays, with guesses filled in. */
function HoursStep({ view, refused }: StepProps) {
  const chosen = valuesOf(refused, "week", USUAL_SLOTS);
  const spoken = valuesOf(
    refused,
    "languages",
    view.languages.filter(({ isSpoken }) => isSpoken).map(({ code }) => code),
  );
  return (
    <Step
      step="hours"
      view={view}
      refused={refused}
      question="When do you play?"
      sentence="We guessed. Fix what's off."
    >
      {view.timeZones === null && <input type="hidden" name="timeZone" value={view.timeZone} />}
      {WEEK_PARTS.map((week) => (
        <fieldset key={week.word} className="ready-week">
          <legend>{week.name}</legend>
          {DAY_PARTS.map(({ word, name, from, to }) => {
            const slot = `${week.word}-${word}`;
            return (
              <label key={word} className="choice">
                <input type="checkbox" name="week" value={slot} defaultChecked={chosen.includes(slot)} />
                <span>{name}</span>
                <small>{hourRange(from, to, view.hour12)}</small>
              </label>
            );
          })}
        </fieldset>
      ))}
      <FieldError id="ready-week" errors={errorsOf(refused, "week")} />
      <div className="ready-more">
        <SelectField
          id="ready-region"
          name="region"
          label="Region"
          defaultValue={valuesOf(refused, "region", [view.region])[0] ?? ""}
          errors={errorsOf(refused, "region")}
        >
          <option value="" />
          {REGIONS.map((region) => (
            <option key={region}>{region}</option>
          ))}
        </SelectField>
        {view.timeZones && (
          <SelectField
            id="ready-zone"
            name="timeZone"
            label="Time Zone"
            defaultValue={valuesOf(refused, "timeZone", [view.timeZone])[0] ?? ""}
            errors={errorsOf(refused, "timeZone")}
          >
            <option value="" />
            <TimeZoneOptions zones={view.timeZones} />
          </SelectField>
        )}
        <fieldset className="ready-languages">
          <legend>Languages</legend>
          {view.languages.map(({ code, name }) => (
            <label key={code} className="choice">
              <input type="checkbox" name="languages" value={code} defaultChecked={spoken.includes(code)} />
              <CheckIcon className="choice-tick size-3.5" />
              {name}
            </label>
          ))}
        </fieldset>
        <SelectField
          id="ready-language"
          name="otherLanguage"
          label="Another Language"
          defaultValue={valuesOf(refused, "otherLanguage", [""])[0] ?? ""}
          errors={errorsOf(refused, "otherLanguage")}
        >
          <option value="" />
          {view.otherLanguages.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <Save />
      </div>
    </Step>
  );
}

const Save = () => (
  <Button variant="primary" className="ready-save">
    Save
  </Button>
);
