import { Link } from "@remix-run/react";
import { ChevronIcon } from "~/ui/icons";
import type { ListedMatch } from "./listed-match";
import type { MatchesOnPage } from "./match-line";
import { groupName, roundName } from "./names";
import type { TableLine } from "./present.server";

/** The groups of a round robin: how their teams stand, and under it their matches, round by round. */
export function Groups({ tables, page }: { tables: readonly (readonly TableLine[])[]; page: MatchesOnPage }) {
  const rounds = byRound([...page.matches.values()].filter(({ part }) => part === "group"));
  const playOn = tables.length > 1 && ![...page.matches.values()].some(({ part }) => part === "playoffs");
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-10 lg:grid-cols-2">
      {playOn && <p className="pt-3 text-muted lg:col-span-2">The first two of each group go on to the play-offs.</p>}
      {tables.map((table, index) => (
        <section key={groupName(index + 1)} aria-labelledby={`group-${index + 1}`} className="min-w-0">
          <h2 id={`group-${index + 1}`} className="pb-3 font-display text-rail">
            {groupName(index + 1)}
          </h2>
          <Table name={groupName(index + 1)} table={table} page={page} />
          <div className="mt-3 grid gap-1">
            {(rounds.get(index + 1) ?? []).map((matches, _, all) => (
              <Round key={matches[0]?.round} matches={matches} isCurrent={matches === all.find(isLeft)} page={page} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

const HEADS = ["Played", "Won", "Lost", "Maps"] as const;

function Table({ name, table, page }: { name: string; table: readonly TableLine[]; page: MatchesOnPage }) {
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
          {HEADS.map((head) => (
            <th key={head} scope="col" className="w-12 font-normal">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.map(({ team, played, won, lost, mapDifference }, index) => (
          <tr
            key={team}
            className={`border-b border-line text-right ${team === page.own ? "shadow-[inset_4px_0_var(--spot-edge)]" : ""}`}
          >
            <td className="py-2 pl-2.5 text-left text-faint">{index + 1}</td>
            <th
              scope="row"
              className={`truncate text-left text-body font-semibold ${team === page.own ? "text-spot-text" : ""}`}
            >
              {page.teams[team]?.[0]}
              {team === page.own && <span className="sr-only">, your team</span>}
            </th>
            <td>{played}</td>
            <td>{won}</td>
            <td>{lost}</td>
            <td>{mapDifference > 0 ? `+${mapDifference}` : mapDifference < 0 ? `−${-mapDifference}` : 0}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether a round has matches that are still to be played. */
const isLeft = (matches: readonly ListedMatch[]) => matches.some(({ state }) => state !== "finished");

/** A round of a group, folded unless it is the one that is played: the table says how the others ended. */
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
  if (!first) return null;
  const left = matches.filter(({ state }) => state !== "finished").length;
  return (
    <details open={isCurrent} className="group border-b border-line">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 text-meta">
        <ChevronIcon className="size-4 flex-none group-open:rotate-180" />
        <span className="flex-1 font-semibold">{roundName(first).replace(/^.*, r/, "R")}</span>
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

/** A match of a group in one line: there may be two thousand on a page. */
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

/** "2 to 1"; what is going on where there is no score. */
function scoreOf({ state, scores: [one, two], forfeit }: ListedMatch): string {
  if (state === "finished") return forfeit ? "forfeit" : `${one} to ${two}`;
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
