import { Form, useNavigation } from "@remix-run/react";
import { AGENTS_BY_ROLE } from "~/features/game/agents";
import { queueRange } from "~/features/game/queue";
import { RANKS, type Rank } from "~/features/game/ranks";
import { REGIONS } from "~/features/game/regions";
import { ROLES } from "~/features/game/roles";
import { VOICE_COMMS, VOICE_COMMS_LABELS } from "~/features/game/voice";
import { Button, ButtonLink } from "~/ui/button";
import { SelectField, TextField } from "~/ui/field";
import { FilterIcon } from "~/ui/icons";
import { Ruler } from "~/ui/ruler";
import { countPlayerFilters, EVERYONE, type PlayerFilters as Filters, type FreeTime, type Sort } from "./filters";
import { LANGUAGES } from "./languages";
import { MAX_TAG_LENGTH } from "./profile-rules";

export const FREE_TIME_LABELS: Record<FreeTime, string> = {
  mine: "When I am free",
  "weekday-evenings": "Weekday evenings",
  "weekday-daytime": "Weekdays by day",
  weekends: "Weekends",
};

const SORT_LABELS: Record<Sort, string> = { best: "Best match", reputation: "Reputation", newest: "Newest" };

/** The directory's filters: a GET form, so that the address holds them. `ownRank` is the long bar of the ruler. */
export function PlayerFilters({
  filters,
  ownRank,
  playstyles,
}: {
  filters: Filters;
  ownRank: Rank | null;
  /** Offered while typing. */
  playstyles: readonly string[];
}) {
  const set = countPlayerFilters(filters);
  const { location, state } = useNavigation();
  const busy = state === "loading" && location.pathname === "/dashboard/players";
  const range = ownRank && queueRange(ownRank);
  return (
    <details className="filters player-filters">
      <summary className="btn" data-variant="secondary" data-size="normal">
        <span>
          <FilterIcon className="size-[18px]" />
          Filters
          {set > 0 && <span className="text-meta text-muted tabular-nums">{set}</span>}
        </span>
      </summary>
      {/* A new set of filters is a new form: its fields show the address again. */}
      <Form
        key={JSON.stringify(filters)}
        method="get"
        action="/dashboard/players"
        aria-label="Filter players"
        className="player-filters-form"
      >
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
        {ownRank && range && (
          <div>
            <Ruler from={filters.minRank ?? "Iron 1"} to={filters.maxRank ?? "Radiant"} you={ownRank} />
            <p className="mt-1.5 text-meta text-muted">The long bar is you, {ownRank}.</p>
          </div>
        )}
        <div className="grid gap-1">
          <Tick name="canQueue" label="Can queue with me" checked={filters.canQueue} />
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
        <SelectField id="filter-region" name="region" label="Region" defaultValue={filters.region ?? ""}>
          <option value="">All regions</option>
          {REGIONS.map((region) => (
            <option key={region}>{region}</option>
          ))}
        </SelectField>
        <TextField
          id="filter-playstyle"
          name="playstyle"
          label="Playstyle"
          defaultValue={filters.playstyle ?? ""}
          maxLength={MAX_TAG_LENGTH}
          placeholder="Any"
          autoComplete="off"
          list="playstyles"
        />
        <datalist id="playstyles">
          {playstyles.map((tag) => (
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
        <SelectField id="filter-free" name="free" label="Availability" defaultValue={filters.free ?? ""}>
          <option value="">Any time</option>
          {Object.entries(FREE_TIME_LABELS).map(([word, label]) => (
            <option key={word} value={word}>
              {label}
            </option>
          ))}
        </SelectField>
        <div className="flex gap-2.5">
          <Button busy={busy} busyLabel="Applying" className="flex-1">
            Apply
          </Button>
          <ButtonLink to={`/dashboard/players${EVERYONE}`} variant="quiet">
            Reset
          </ButtonLink>
        </div>
      </Form>
    </details>
  );
}

const RankOptions = () => RANKS.map((rank) => <option key={rank}>{rank}</option>);

function Tick({ name, label, checked }: { name: string; label: string; checked: boolean }) {
  const id = `filter-${name}`;
  return (
    <label htmlFor={id} className="flex min-h-8 cursor-pointer items-center gap-2.5 font-semibold touch:min-h-11">
      <input type="checkbox" id={id} name={name} defaultChecked={checked} className="checkbox" />
      {label}
    </label>
  );
}
