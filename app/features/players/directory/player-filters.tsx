import type { Rank } from "~/game/ranks";
import { ButtonLink } from "~/ui/button";
import { ApplyFilters, FilterFields, FilterForm, Tick } from "~/ui/forms/filter-form";
import { Ruler } from "~/ui/game/ruler";
import { RankGlyph } from "~/ui/icons";
import { Link } from "~/ui/link";
import { PLAYSTYLES } from "../profile/playstyles";
import { type PlayerFilters as Filters, PLAYER_LIST } from "./filters";

const { name, sort, minRank, maxRank, canQueue, verified, ...others } = PLAYER_LIST;

/** The filters set from the viewer's profile, in words. */
interface Defaults {
  /** Whether the list uses them now. */
  areSet: boolean;
  /** The filters that are set. */
  said: string;
  /** The filters that were dropped because no player passed all of them. */
  leftOut: string;
}

const glyphOf = (rank: Rank | null) => rank && <RankGlyph rank={rank} className="size-[18px] noscript:hidden" />;

/** The form of the directory's filters. */
export function PlayerFilters({
  filters,
  filterCount,
  own,
  defaults,
  unfilteredPath,
}: {
  filters: Filters;
  /** The number of active filters. */
  filterCount: number;
  /** The viewer's rank and hours, from their profile. The ruler marks the rank with a long bar. */
  own: { rank: Rank | null; hours: unknown };
  /** Null if the profile sets no filters. */
  defaults: Defaults | null;
  /** The path of the list without filters. */
  unfilteredPath: string;
}) {
  return (
    <>
      <FromProfile defaults={defaults} />
      <FilterForm
        list="/dashboard/players"
        label="Filter players"
        count={filterCount}
        values={filters}
        className="player-filters"
        formClassName="player-filters-form"
        preventScrollReset
      >
        <FilterFields params={{ name, sort }} values={filters} />
        {/* Beside the list, there is no room for two fields in a row: "Ascendant 3" would be cut off. */}
        <div className="grid gap-x-2.5 gap-y-3.5 max-lg:grid-cols-2">
          <FilterFields
            params={{ minRank, maxRank }}
            values={filters}
            glyphs={{ minRank: glyphOf(filters.minRank), maxRank: glyphOf(filters.maxRank) }}
          />
        </div>
        {own.rank && (
          <div>
            <Ruler from={filters.minRank ?? "Iron 1"} to={filters.maxRank ?? "Radiant"} you={own.rank} />
            <p className="mt-1.5 text-meta text-muted">The long bar is you, {own.rank}.</p>
          </div>
        )}
        <div className="grid gap-1">
          <FilterFields
            params={{ canQueue, verified }}
            values={filters}
            Flag={Tick}
            hints={{
              canQueue:
                filters.canQueue && !own.rank && "Set your rank on the Profile tab. Until then, this is anyone.",
            }}
          />
        </div>
        <FilterFields
          params={others}
          values={filters}
          hints={{
            free:
              filters.free === "mine" &&
              !own.hours &&
              "Add when you play on the Profile tab. Until then, this is any time.",
          }}
        />
        <datalist id="playstyles">
          {PLAYSTYLES.map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
        <div className="flex gap-2.5">
          <ApplyFilters list="/dashboard/players" className="flex-1" />
          <ButtonLink to={unfilteredPath} variant="quiet">
            Reset
          </ButtonLink>
        </div>
      </FilterForm>
    </>
  );
}

/** Explains which filters come from the viewer's profile, or links to the page that sets them. */
function FromProfile({ defaults }: { defaults: Defaults | null }) {
  return (
    <p className="players-defaults text-meta text-muted">
      {defaults?.areSet && defaults.said && `Set from your profile: ${defaults.said}. `}
      {defaults?.areSet && defaults.leftOut && (
        <>
          Left out because nobody {defaults.said ? "would match" : "matches right now"}: {defaults.leftOut}.
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
            Complete your profile
          </Link>{" "}
          to see your best matches.
        </>
      )}
    </p>
  );
}
