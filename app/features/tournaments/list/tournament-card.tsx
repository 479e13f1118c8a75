import type { Rank } from "~/game/ranks";
import type { ShownTime } from "~/platform/dates/dates";
import { Badge } from "~/ui/badge";
import { RankGlyph } from "~/ui/icons";
import { Link } from "~/ui/link";
import { money } from "../money";

/** A tournament's state, in the words of its badge. */
type TournamentState = "Coming Soon" | "Live" | "Finished" | "Cancelled";

/** The viewer's part in a tournament, in the words of its badge. */
export type OwnPart = "Registered" | "Check-in open" | "On the waiting list";

const OWN_BADGES = { Registered: "you", "Check-in open": "warn", "On the waiting list": "you" } as const;

const BADGES = { "Coming Soon": "dashed", Live: "good", Finished: "outline", Cancelled: "outline" } as const;

/**
 * A tournament in a list: a panel under a rail, with its name as the link. It has no action, because players join on
 * the tournament's own page. Amounts are in cents; `entered` and `places` count teams, or players in solo tournaments.
 */
export function TournamentCard({
  to,
  name,
  state,
  host,
  date,
  deadline,
  feeCents,
  prizeCents,
  entered,
  places,
  solo = false,
  minRank,
  maxRank,
  winner,
  own,
}: {
  to: string;
  name: string;
  state: TournamentState;
  host: string;
  date: ShownTime;
  /** The registration deadline; null once it has passed. */
  deadline: ShownTime | null;
  feeCents: number;
  prizeCents: number;
  entered: number;
  places: number;
  solo?: boolean;
  minRank?: Rank | null;
  maxRank?: Rank | null;
  /** Set for finished tournaments. */
  winner?: string;
  /** The viewer's part in it; null or left out if they have none. */
  own?: OwnPart | null;
}) {
  const left = places - entered;
  const isUpcoming = state === "Coming Soon";
  return (
    <article className="min-w-0 rounded-b-panel border-t-2 border-edge bg-sheet px-5 pt-[15px] pb-5 text-meta text-muted">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0 wrap-anywhere">
          <h3
            className={`tournament-name text-post font-semibold ${state === "Cancelled" ? "line-through" : "text-text"}`}
          >
            <Link
              to={to}
              prefetch="intent"
              viewTransition
              className="rounded-badge hover:underline hover:underline-offset-3"
            >
              {name}
            </Link>
          </h3>
          <p>
            Hosted by <span className="font-medium text-text">{host}</span>
          </p>
        </div>
        <span className="mt-px flex max-w-[9.5rem] flex-none flex-wrap justify-end gap-1.5">
          <Badge variant={BADGES[state]}>{state}</Badge> {isUpcoming && left <= 0 && <Badge>Full</Badge>}
          {own && <Badge variant={OWN_BADGES[own]}>{own}</Badge>}
        </span>
      </div>
      <p className="mt-2.5 flex flex-wrap gap-x-3.5 gap-y-1">
        <time dateTime={date.iso} title={date.exact}>
          {date.text}
        </time>
        <span>{feeCents > 0 ? `${money(feeCents)} entry` : "Free entry"}</span>
        {prizeCents > 0 && <span>{money(prizeCents)} prize pool</span>}
      </p>
      <RankRange min={minRank} max={maxRank} />
      {winner && (
        <p className="mt-1.5 wrap-anywhere">
          Won by <span className="font-semibold text-text">{winner}</span>
        </p>
      )}
      {state !== "Cancelled" && (
        <>
          <PlacesBar entered={entered} places={places} />
          <p className="mt-2 flex flex-wrap justify-between gap-x-3.5 gap-y-1">
            <span>
              <span className="font-medium text-text">
                {entered}/{places}
              </span>{" "}
              {solo ? "players" : "teams"}
              {isUpcoming && left > 0 && `, ${left} ${left === 1 ? "spot" : "spots"} left`}
            </span>
            {isUpcoming && deadline && (
              <span>
                {left > 0 ? "Register until" : "Waiting list until"}{" "}
                <time dateTime={deadline.iso} title={deadline.exact}>
                  {deadline.text}
                </time>
              </span>
            )}
            {isUpcoming && !deadline && <span>Registration closed</span>}
          </p>
        </>
      )}
    </article>
  );
}

/** The eligible ranks: "Silver 1 to Diamond 3", "Gold 1 only", "Gold 1 and up", "Up to Gold 3" or "Any rank". */
function RankRange({ min, max }: { min?: Rank | null; max?: Rank | null }) {
  return (
    <p className="mt-1.5 flex min-h-[18px] flex-wrap items-center gap-x-1.5 gap-y-1">
      {!min && !max && "Any rank"}
      {!min && max && "Up to"}
      {min && (
        <>
          <RankGlyph rank={min} />
          {min}
          {max ? (max === min ? " only" : " to") : " and up"}
        </>
      )}
      {max && max !== min && (
        <>
          <RankGlyph rank={max} />
          {max}
        </>
      )}
    </p>
  );
}

/**
 * Shows how full a tournament is, as a bar hanging from a line, in the colour of players' banners. Decorative: the text
 * below says the same.
 */
function PlacesBar({ entered, places }: { entered: number; places: number }) {
  const share = places > 0 ? Math.min(1, entered / places) : 0;
  return (
    <div aria-hidden="true" className="mt-3.5 border-t-2 border-edge">
      <div className="h-[7px] rounded-b-[4px] bg-line forced-colors:border forced-colors:border-t-0 forced-colors:bg-[Canvas]">
        <div
          className={`h-full rounded-bl-[4px] bg-banner forced-colors:bg-[CanvasText] ${share === 1 ? "rounded-br-[4px]" : ""}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}
