import { Link } from "@remix-run/react";
import { LANGUAGES } from "#db/words/languages";
import { AGENTS_BY_ROLE } from "~/game/agents";
import { RANKS, type Rank } from "~/game/ranks";
import { ROLES } from "~/game/roles";
import { VOICE_COMMS, VOICE_COMMS_LABELS } from "~/game/voice";
import { ButtonLink } from "~/ui/button";
import { SelectField, TextField } from "~/ui/forms/field";
import { ApplyFilters, FilterForm, RegionFilter } from "~/ui/forms/filter-form";
import { Ruler } from "~/ui/game/ruler";
import { PLAYSTYLES } from "../profile/playstyles";
import { countPlayerFilters, EVERYONE, type PlayerFilters as Filters, type Sort } from "./filters";
import { FREE_TIME_LABELS } from "./say-filters";

const SORT_LABELS: Record<Sort, string> = { best: "Best match", reputation: "Reputation", newest: "Newest" };

/** What the viewer's profile sets, in words; null where it says nothing. */
interface Defaults {
  areSet: boolean;
  said: string;
  /** What of it was left out, because nobody fits that, too. */
  leftOut: string;
}

/** The directory's filters. */
export function PlayerFilters({
  filters,
  own,
  defaults,
}: {
  filters: Filters;
  /** Of the viewer's profile: the rank is the ruler's long bar. */
  own: { rank: Rank | null; hours: unknown };
  defaults: Defaults | null;
}) {
  return (
    <>
      <FromProfile defaults={defaults} />
      <FilterForm
        list="/dashboard/players"
        label="Filter players"
        count={countPlayerFilters(filters)}
        values={filters}
        className="player-filters"
        formClassName="player-filters-form"
      >
        <TextField id="filter-name" name="name" label="Name" defaultValue={filters.name ?? ""} autoComplete="off" />
        <SelectField id="filter-sort" name="sort" label="Sort by" defaultValue={filters.sort}>
          {(Object.keys(SORT_LABELS) as Sort[]).map((sort) => (
            <option key={sort} value={sort}>
              {SORT_LABELS[sort]}
            </option>
          ))}
        </SelectField>
        <div className="grid grid-cols-2 gap-2.5">
          <SelectField id="filter-min-rank" name="minRank" label="Minimum Rank" defaultValue={filters.minRank ?? ""}>
            <option value="">Any</option>
            <RankOptions />
          </SelectField>
          <SelectField id="filter-max-rank" name="maxRank" label="Maximum Rank" defaultValue={filters.maxRank ?? ""}>
            <option value="">Any</option>
            <RankOptions />
          </SelectField>
        </div>
        {own.rank && (
          <div>
            <Ruler from={filters.minRank ?? "Iron 1"} to={filters.maxRank ?? "Radiant"} you={own.rank} />
            <p className="mt-1.5 text-meta text-muted">The long bar is you, {own.rank}.</p>
          </div>
        )}
        <div className="grid gap-1">
          <Tick
            name="canQueue"
            label="Can queue with me"
            checked={filters.canQueue}
            hint={filters.canQueue && !own.rank && "Choose your rank on the Profile tab: until then this is anyone."}
          />
          <Tick name="verified" label="Verified only" checked={filters.verified} />
        </div>
        <SelectField id="filter-role" name="role" label="Role" defaultValue={filters.role ?? ""}>
          <option value="">All roles</option>
          {ROLES.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </SelectField>
        <SelectField id="filter-agent" name="agent" label="Agent" defaultValue={filters.agent ?? ""}>
          <option value="">All agents</option>
          {ROLES.map((role) => (
            <optgroup key={role} label={role}>
              {AGENTS_BY_ROLE[role].map((agent) => (
                <option key={agent}>{agent}</option>
              ))}
            </optgroup>
          ))}
        </SelectField>
        <RegionFilter region={filters.region} />
        <TextField
          id="filter-playstyle"
          name="playstyle"
          label="Playstyle"
          defaultValue={filters.playstyle ?? ""}
          placeholder="Any"
          autoComplete="off"
          list="playstyles"
        />
        <datalist id="playstyles">
          {PLAYSTYLES.map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
        <SelectField id="filter-voice" name="voice" label="Voice Comms" defaultValue={filters.voice ?? ""}>
          <option value="">Any</option>
          {VOICE_COMMS.map((voice) => (
            <option key={voice} value={voice}>
              {VOICE_COMMS_LABELS[voice]}
            </option>
          ))}
        </SelectField>
        <SelectField id="filter-language" name="language" label="Language" defaultValue={filters.language ?? ""}>
          <option value="">Any</option>
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          id="filter-free"
          name="free"
          label="Availability"
          defaultValue={filters.free ?? ""}
          hint={
            filters.free === "mine" &&
            !own.hours &&
            "Say on the Profile tab when you play: until then this is any time."
          }
        >
          <option value="">Any time</option>
          {Object.entries(FREE_TIME_LABELS).map(([word, label]) => (
            <option key={word} value={word}>
              {label}
            </option>
          ))}
        </SelectField>
        <div className="flex gap-2.5">
          <ApplyFilters list="/dashboard/players" className="flex-1" />
          <ButtonLink to={EVERYONE} variant="quiet">
            Reset
          </ButtonLink>
        </div>
      </FilterForm>
    </>
  );
}

/** Says which filters the viewer's profile has set, or how it can. */
function FromProfile({ defaults }: { defaults: Defaults | null }) {
  return (
    <p className="players-defaults text-meta text-pretty text-muted">
      {defaults?.areSet && defaults.said && `Set from your profile: ${defaults.said}. `}
      {defaults?.areSet && defaults.leftOut && (
        <>
          Left out, because nobody fits {defaults.said ? "it as well" : "it right now"}: {defaults.leftOut}.
        </>
      )}
      {defaults?.areSet === false && (
        <Link to="/dashboard/players" className="link">
          Set filters from my profile
        </Link>
      )}
      {!defaults && (
        <>
          <Link to="/dashboard/profile" className="link">
            Say who you are
          </Link>{" "}
          and this page begins with who fits you.
        </>
      )}
    </p>
  );
}

const RankOptions = () => RANKS.map((rank) => <option key={rank}>{rank}</option>);

function Tick({
  name,
  label,
  checked,
  hint,
}: {
  name: string;
  label: string;
  checked: boolean;
  hint?: string | false;
}) {
  const id = `filter-${name}`;
  return (
    <div>
      <label htmlFor={id} className="flex min-h-8 cursor-pointer items-center gap-2.5 font-semibold touch:min-h-11">
        <input
          type="checkbox"
          id={id}
          name={name}
          defaultChecked={checked}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="checkbox"
        />
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-meta text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
