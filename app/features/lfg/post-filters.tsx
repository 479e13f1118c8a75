import { RANKS } from "~/game/ranks";
import { ROLES } from "~/game/roles";
import { VOICE_COMMS, VOICE_COMMS_LABELS } from "~/game/voice";
import { ButtonLink } from "~/ui/button";
import { SelectField, TextField } from "~/ui/forms/field";
import { ApplyFilters, FilterForm, RegionFilter } from "~/ui/forms/filter-form";
import { countFilters, type PostFilters as Filters } from "./filters";
import { PLAYERS_NEEDED } from "./rules";

/** The filters of the list of posts. */
export function PostFilters({ filters }: { filters: Filters }) {
  const set = countFilters(filters);
  return (
    <FilterForm
      list="/dashboard"
      label="Filter posts"
      count={set}
      values={filters}
      formClassName="filters-form"
      preventScrollReset
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
      <RegionFilter region={filters.region} />
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
        className="filters-text"
      />
      <ApplyFilters list="/dashboard" className="filters-apply self-end" />
      {set > 0 && (
        <ButtonLink to="/dashboard" variant="quiet" preventScrollReset className="filters-reset self-end">
          Reset
        </ButtonLink>
      )}
    </FilterForm>
  );
}
