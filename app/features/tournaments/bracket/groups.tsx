import { useState } from "react";
import { ChevronIcon } from "~/ui/icons";
import { Link } from "~/ui/link";
import { QUALIFIED } from "../format/formats";
import { STEP_NAMES, sayTieBreaks, type TieBreakRules } from "../format/tie-breaks";
import { groupName, roundName } from "../shared/match-names";
import type { ListedMatch } from "./listed-match";
import { DisqualifiedMark } from "./match-box";
import type { MatchesOnPage } from "./match-line";
import type { TableLine } from "./present.server";

/**
 * The groups of a round robin: the table of each, the steps that separate its level teams, and its matches round by
 * round.
 */
export function Groups({
  tables,
  rules,
  page,
}: {
  tables: readonly (readonly TableLine[])[];
  rules: TieBreakRules;
  page: MatchesOnPage;
}) {
  const matches = [...page.matches.values()];
  const rounds = byRound(matches.filter(({ part }) => part === "group"));
  const tieBreaks = byRound(matches.filter(({ part }) => part === "tie-break"));
  const hasPlayoffsAhead = tables.length > 1 && !matches.some(({ part }) => part === "playoffs");
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-10 lg:grid-cols-2 print:grid-cols-2 print:gap-x-10 print:gap-y-6">
      <div className="grid max-w-[46em] gap-2 pt-3 text-muted lg:col-span-2 print:col-span-2">
        {hasPlayoffsAhead && <p>The top two of each group advance to the play-offs.</p>}
        <p>Teams level on wins are separated by {sayTieBreaks(rules)}.</p>
      </div>
      {tables.map((table, index) => (
        <section
          key={groupName(index + 1)}
          aria-labelledby={`group-${index + 1}`}
          className="min-w-0 break-inside-avoid"
        >
          <h2 id={`group-${index + 1}`} className="pb-3 font-display text-rail">
            {groupName(index + 1)}
          </h2>
          <Table
            name={groupName(index + 1)}
            table={table}
            qualifiers={tables.length > 1 ? QUALIFIED : 0}
            hasRounds={rules.tieBreaks !== "legacy"}
            page={page}
          />
          <LevelTeams
            table={table}
            isPlayed={!rounds.get(index + 1)?.some(hasUnplayed)}
            tieBreak={
              tieBreaks
                .get(index + 1)
                ?.flat()
                .filter(isUnplayed) ?? []
            }
            page={page}
          />
          <div className="mt-3 grid gap-1">
            {[...(rounds.get(index + 1) ?? []), ...(tieBreaks.get(index + 1) ?? [])].map((round, _, all) => (
              <Round key={round[0]?.id} matches={round} isCurrent={round === all.find(hasUnplayed)} page={page} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

/** Hides a column on phones. "Played" is hidden there because it is only the sum of won and lost. */
const ON_WIDE = "max-md:hidden";

function Table({
  name,
  table,
  qualifiers,
  hasRounds,
  page,
}: {
  name: string;
  table: readonly TableLine[];
  /** Number of teams that advance to the play-offs, with a stronger line below them; 0 if there are no play-offs. */
  qualifiers: number;
  hasRounds: boolean;
  page: MatchesOnPage;
}) {
  return (
    <table className="w-full table-fixed text-meta tabular-nums" aria-label={name}>
      <thead>
        <tr className="border-b border-edge text-right text-muted">
          <th scope="col" className="w-8 py-1.5 text-left font-normal">
            <span className="sr-only">Place</span>
          </th>
          <th scope="col" className="text-left font-normal">
            Team
          </th>
          <th scope="col" className={`w-12 font-normal ${ON_WIDE}`}>
            Played
          </th>
          {["Won", "Lost", "Maps", ...(hasRounds ? ["Rounds"] : [])].map((head) => (
            <th key={head} scope="col" className="w-9 font-normal nth-last-[-n+2]:w-14 md:w-12">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.map(({ team, played, won, lost, mapDifference, roundDifference }, index) => (
          <tr
            key={team}
            className={`border-b text-right ${index + 1 === qualifiers ? "border-edge" : "border-line"} ${team === page.own ? "shadow-[inset_4px_0_var(--spot-edge)]" : ""}`}
          >
            <td className="py-2 pl-2.5 text-left text-faint">{index + 1}</td>
            <th scope="row" className="py-1 text-left text-body font-semibold">
              <span className="flex items-baseline">
                <span
                  title={page.teams[team]?.[0]}
                  className={`min-w-0 wrap-anywhere md:truncate ${team === page.own ? "text-spot-text" : ""}`}
                >
                  {page.teams[team]?.[0]}
                  {team === page.own && <span className="sr-only">, your team</span>}
                </span>
                {page.teams[team]?.[2] && <DisqualifiedMark />}
              </span>
            </th>
            <td className={ON_WIDE}>{played}</td>
            <td>{won}</td>
            <td>{lost}</td>
            <td>{signed(mapDifference)}</td>
            {hasRounds && <td>{signed(roundDifference)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const signed = (difference: number) => (difference > 0 ? `+${difference}` : difference < 0 ? `−${-difference}` : "0");

/** Explains, for each pair of neighbours that are level on wins, which step ranks one above the other. */
function LevelTeams({
  table,
  isPlayed,
  tieBreak,
  page,
}: {
  table: readonly TableLine[];
  /** Whether all matches of the group are finished; tie-break matches may still be open. */
  isPlayed: boolean;
  /** The tie-break matches that are still open. */
  tieBreak: readonly ListedMatch[];
  page: MatchesOnPage;
}) {
  const pairs = table.flatMap((lower, index) => {
    const upper = table[index - 1];
    return upper && lower.separatedBy && upper.played > 0 && lower.played > 0 ? [{ upper, lower }] : [];
  });
  if (pairs.length === 0) return null;
  const playsTieBreak = ({ team }: TableLine) => tieBreak.some(({ teams }) => teams.includes(team));
  const pendingMatches = (upper: TableLine, lower: TableLine) =>
    playsTieBreak(upper) && playsTieBreak(lower) ? "tie-break" : isPlayed ? null : "matches";
  const name = ({ team }: TableLine) => <bdi className="text-text">{page.teams[team]?.[0]}</bdi>;
  return (
    <div className="mt-2 text-meta text-muted">
      <p>Level on wins:</p>
      <ul className="list-disc pl-5 wrap-anywhere">
        {pairs.map(({ upper, lower }) => (
          <li key={lower.team}>
            {name(upper)} ahead of {name(lower)}
            {saySeparation(upper, lower, pendingMatches(upper, lower))}
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Puts into words the step that separates two teams that are level on wins. The text continues "Second Site ahead of
 * Nine Lives", for example with " by round difference, +4 to +2".
 * @param pending the open matches that may still separate the teams, if so far only the draw separates them; null if
 *   there are none
 */
function saySeparation(upper: TableLine, lower: TableLine, pending: "tie-break" | "matches" | null): string {
  const { separatedBy } = lower;
  const both = (value: (line: TableLine) => number | string) => `${value(upper)} to ${value(lower)}`;
  switch (separatedBy) {
    case "forfeit":
      return ", which forfeited a match";
    case "map-difference":
      return ` by map difference, ${both(({ mapDifference }) => signed(mapDifference))}`;
    case "round-difference":
      return ` by round difference, ${both(({ roundDifference }) => signed(roundDifference))}`;
    case "maps-won":
      return ` by maps won, ${both(({ mapsWon }) => mapsWon)}`;
    case "rounds-won":
      return ` by rounds won, ${both(({ roundsWon }) => roundsWon)}`;
    case "draw":
      return pending === "tie-break"
        ? " by the draw, until the tie-break is played"
        : ` by the draw${pending === "matches" ? " so far" : ""}: all else is equal`;
    default:
      return ` by ${separatedBy === null ? "wins" : STEP_NAMES[separatedBy]}`;
  }
}

const isUnplayed = ({ state }: ListedMatch) => state !== "finished";

/** Whether a round has unplayed matches. */
const hasUnplayed = (matches: readonly ListedMatch[]) => matches.some(isUnplayed);

/**
 * A round of a group, folded until it is the current one: the table sums up the earlier ones. It doesn't fold by itself
 * when it ends, because someone may be reading it.
 */
function Round({
  matches,
  isCurrent,
  page,
}: {
  matches: readonly ListedMatch[];
  isCurrent: boolean;
  page: MatchesOnPage;
}) {
  const [first] = matches;
  const [isOpen, setIsOpen] = useState(isCurrent);
  if (isCurrent && !isOpen) setIsOpen(true);
  if (!first) return null;
  const left = matches.filter(isUnplayed).length;
  return (
    <details open={isOpen} className="print-open group break-inside-avoid border-b border-line">
      <summary className="flex min-h-11 print:min-h-7 cursor-pointer items-center gap-2 text-meta">
        <ChevronIcon className="size-4 flex-none group-open:rotate-180 print:hidden" />
        <span className="flex-1 font-semibold">{roundInGroup(first)}</span>
        <span className="text-muted">
          {left === 0 ? "Finished" : `${left} of ${matches.length} ${left === 1 ? "match" : "matches"} to play`}
        </span>
      </summary>
      <ul className="pb-3">
        {matches.map((match) => (
          <li key={match.id}>
            <GroupMatch match={match} page={page} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A round's name without its group, which the heading above names: "Round 2", "Tie-break". */
function roundInGroup(match: ListedMatch): string {
  const name = roundName(match).replace(/^[^,]*, /, "");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A match of a group on one line: a page may hold two thousand. */
function GroupMatch({ match, page: { tournamentId, teams, own } }: { match: ListedMatch; page: MatchesOnPage }) {
  const [one, two] = match.teams;
  const isOwn = own !== null && (one === own || two === own);
  return (
    <Link
      to={`/tournaments/${tournamentId}/matches/${match.id}`}
      className={`group-match ${isOwn ? "text-spot-text" : ""}`}
    >
      <span data-won={match.winner === 1 || undefined}>{one === null ? "" : teams[one]?.[0]} </span>
      <span className="tabular-nums">{scoreOf(match)} </span>
      <span data-won={match.winner === 2 || undefined}>{two === null ? "" : teams[two]?.[0]}</span>
    </Link>
  );
}

/**
 * The words between the two teams: "2 to 1"; "forfeited to", as in "Second Site forfeited to Nine Lives"; or the state
 * of a match that isn't finished.
 */
function scoreOf({ state, scores: [one, two], forfeit }: ListedMatch): string {
  if (state === "finished" && forfeit) return forfeit === 1 ? "forfeited to" : "won by forfeit over";
  if (state === "finished") return `${one} to ${two}`;
  return state === "playing" ? "playing" : state === "disputed" ? "disputed" : "against";
}

function byRound(matches: readonly ListedMatch[]): Map<number, ListedMatch[][]> {
  const groups = new Map<number, ListedMatch[][]>();
  for (const match of matches) {
    const rounds = groups.get(match.group) ?? [];
    groups.set(match.group, rounds);
    const round = rounds[match.round - 1] ?? [];
    rounds[match.round - 1] = round;
    round.push(match);
  }
  return groups;
}
