import type { GrandFinal, ThirdPlace } from "#db/words/tournament-formats";
import { sayGroupSize, TEAMS_FOR_THIRD_PLACE } from "../format/formats";
import { DOUBLE_ELIMINATION_STAGES, sayLengths } from "../format/stages";
import { sayTieBreaks } from "../format/tie-breaks";
import type { TournamentView } from "../present.server";

/** The rules tab: the format, and the organisers' own rules. */
export function HowItIsPlayed({ tournament }: { tournament: TournamentView }) {
  const { rules } = tournament;
  return (
    <div className="max-w-[46em]">
      <h2 className="pt-3 font-display text-rail">How it is played</h2>
      <dl className="mt-3 grid gap-x-6 md:gap-y-2 md:grid-cols-[max-content_minmax(0,1fr)]">
        {facts(tournament).map(([name, text]) => (
          <div key={name} className="contents">
            <dt className="text-muted max-md:text-meta">{name}</dt>
            <dd className="max-md:mb-2">{text}</dd>
          </div>
        ))}
      </dl>
      <h2 className="pt-8 font-display text-rail">Rules</h2>
      <p dir="auto" className={`mt-3 wrap-anywhere whitespace-pre-line ${rules ? "" : "text-muted"}`}>
        {rules ?? "The organisers haven't added any rules."}
      </p>
    </div>
  );
}

const SHARED = "Shared by the losing semi-finalists";
const PLAYED = "A match between the losing semi-finalists";

const THIRD_PLACE_WORDS: Record<ThirdPlace, string> = {
  automatic: `${PLAYED}, if ${TEAMS_FOR_THIRD_PLACE} or more start; else both share it`,
  yes: PLAYED,
  no: SHARED,
};

function facts(tournament: TournamentView): [string, string][] {
  const { phase, quarterBestOf, semiBestOf } = tournament;
  const { format, formatName, groupSize, thirdPlace, grandFinal, teamSize, region } = tournament;
  const isInGroups = format === "round_robin";
  return [
    ["Format", isInGroups ? `${formatName}, groups of ${sayGroupSize(groupSize)}` : formatName],
    ["Teams", teamSize === 1 ? "Solo" : `${teamSize} players and up to 2 substitutes`],
    ["Matches", sayLengths(format, tournament)],
    ...(format === "double_elimination"
      ? ([
          ...(quarterBestOf || semiBestOf ? [["Stages", DOUBLE_ELIMINATION_STAGES] satisfies [string, string]] : []),
          ["Grand final", GRAND_FINAL_WORDS[grandFinal]],
        ] satisfies [string, string][])
      : []),
    ...(format === "single_elimination"
      ? [["Third place", THIRD_PLACE_WORDS[thirdPlace]] satisfies [string, string]]
      : []),
    ...(isInGroups ? tieBreakFacts(tournament) : []),
    ["Region", region ?? "Any"],
    ["Registration", sayRegistration(tournament)],
    ...(phase === "cancelled" ? [] : [["Check-in", sayCheckIn(tournament)] satisfies [string, string]]),
  ];
}

function sayCheckIn({ phase, checkIn, teamSize }: TournamentView): string {
  if (!checkIn)
    return `None. Every ${teamSize > 1 ? "complete team of verified players" : "verified player"} with a spot plays`;
  if (phase === "running" || phase === "finished") return "Over. Anyone who missed it lost their spot";
  const opens = checkIn.isOpen ? "Open since" : "Opens";
  return `${opens} ${checkIn.opens.text}. Miss check-in and your spot goes to the waiting list.`;
}

function sayRegistration({ phase, deadline }: TournamentView): string {
  if (phase === "registration") return `Open until ${deadline.text}`;
  // A tournament may be cancelled before its deadline.
  return phase === "cancelled" ? "Closed" : `Closed ${deadline.text}`;
}

const GRAND_FINAL_WORDS: Record<GrandFinal, string> = {
  single: "One match",
  advantage: "One match. The winners' side starts one map up",
  reset: "If the losers' side wins, a second match decides",
};

/** Explains how ties are broken, and how a forfeit counts. */
function tieBreakFacts(rules: TournamentView): [string, string][] {
  return [
    ["Level on wins", `Separated by ${sayTieBreaks(rules)}`],
    [
      "Forfeits",
      rules.tieBreaks === "legacy"
        ? "No maps count in a forfeited match"
        : "Count as 13 to 0 on every map needed. A team that forfeits a match ranks behind those it's level with",
    ],
  ];
}
