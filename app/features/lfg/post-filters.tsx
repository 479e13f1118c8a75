import { Form, useNavigation } from "@remix-run/react";
import { RANKS } from "~/features/game/ranks";
import { REGIONS } from "~/features/game/regions";
import { ROLES } from "~/features/game/roles";
import { VOICE_COMMS, VOICE_COMMS_LABELS } from "~/features/game/voice";
import { Button, ButtonLink } from "~/ui/button";
import { SelectField, TextField } from "~/ui/field";
import { foldAway } from "~/ui/fold-away";
import { FilterIcon } from "~/ui/icons";
import { countFilters, type PostFilters as Filters } from "./filters";
import { PLAYERS_NEEDED } from "./rules";

/** The filters of the list: a GET form, so that the address holds them and a reload or a friend sees the same. */
export function PostFilters({ filters }: { filters: Filters }) {
  const set = countFilters(filters);
  const { location, state } = useNavigation();
  const busy = state === "loading" && location.pathname === "/dashboard";
  return (
    <details className="filters">
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
        action="/dashboard"
        aria-label="Filter posts"
        preventScrollReset
        onSubmit={foldAway}
        className="filters-form"
      >
        <SelectField id="filter-rank" name="rank" label="Rank" defaultValue={filters.rank ?? ""}>
          <option value="">All ranks</option>
          {RANKS.map((rank) => (
            <option key={rank}>{rank}</option>
          ))}
        </SelectField>
        <SelectField id="filter-role" name="role" label="Role" defaultValue={filters.role ?? ""}>
          <option value="">All roles</option>
          {ROLES.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </SelectField>
        <SelectField id="filter-region" name="region" label="Region" defaultValue={filters.region ?? ""}>
          <option value="">All regions</option>
          {REGIONS.map((region) => (
            <option key={region}>{region}</option>
          ))}
        </SelectField>
        <SelectField id="filter-voice" name="voice" label="Voice Comms" defaultValue={filters.voice ?? ""}>
          <option value="">Any</option>
          {VOICE_COMMS.map((voice) => (
            <option key={voice} value={voice}>
              {VOICE_COMMS_LABELS[voice]}
            </option>
          ))}
        </SelectField>
        <SelectField id="filter-players" name="players" label="Players Needed" defaultValue={filters.players ?? ""}>
          <option value="">1 to 4</option>
          {PLAYERS_NEEDED.map((count) => (
            <option key={count}>{count}</option>
          ))}
        </SelectField>
        <TextField
          id="filter-text"
          name="q"
          label="Search"
          type="search"
          defaultValue={filters.text}
          maxLength={80}
          className="filters-text"
        />
        <Button id="apply-filters" busy={busy} busyLabel="Applying" className="filters-apply self-end">
          Apply
        </Button>
        {set > 0 && (
          <ButtonLink to="/dashboard" variant="quiet" preventScrollReset className="filters-reset self-end">
            Reset
          </ButtonLink>
        )}
      </Form>
    </details>
  );
}
