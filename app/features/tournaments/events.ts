import type { EventAction, EventDetails } from "#db/words/event-actions";

type Words = (details: EventDetails) => string;

/** "Second Site won 2 to 1" */
const outcome: Words = ({ winner, loser, one, two, forfeit }) =>
  forfeit
    ? `${winner} won, ${loser} forfeited`
    : `${winner} won ${Math.max(Number(one), Number(two))} to ${Math.min(Number(one), Number(two))}`;

/**
 * The words for each event of a tournament's log (`tournament_events.action`). Most continue a sentence that begins
 * with the name of the player who acted; those for automatic events stand alone.
 */
const EVENT_WORDS: Record<EventAction, Words> = {
  hosted: () => "announced the tournament",
  edited: ({ fields }) => `changed ${fields}`,
  cancelled: ({ reason }) => `cancelled the tournament: “${reason}”`,
  "was-cancelled": ({ reason }) => `The tournament was cancelled: “${reason}”`,
  "organiser-added": ({ name }) => `made ${name} an organiser`,
  "organiser-removed": ({ name }) => `removed ${name} as an organiser`,
  "organiser-left": () => "is no longer an organiser",
  registered: ({ team }) => `registered ${team}`,
  withdrew: ({ team }) => `withdrew ${team}`,
  "removed-team": ({ team }) => `removed ${team}`,
  "moved-up": ({ team }) => `${team} moved up from the waiting list`,
  "joined-team": ({ team }) => `joined ${team}`,
  "left-team": ({ team }) => `left ${team}`,
  "removed-player": ({ team }) => `removed a player from ${team}`,
  "handed-over": ({ team }) => `made another player the captain of ${team}`,
  "swapped-players": ({ team }) => `changed who plays for ${team}`,
  "team-checked-in": ({ team }) => `checked in for ${team}`,
  started: ({ teams }) => `started the tournament with ${teams} teams`,
  "checked-in": ({ team }) => `checked in for ${team}`,
  reported: (result) => `reported: ${outcome(result)}`,
  confirmed: (result) => `confirmed: ${outcome(result)}`,
  counted: (result) => `the report counted because nobody answered it: ${outcome(result)}`,
  disputed: ({ team }) => `disputed the match for ${team}`,
  forfeited: (result) => `gave up: ${outcome(result)}`,
  claimed: (result) => `claimed the win because the other team wasn't there: ${outcome(result)}`,
  ruled: (result) => `decided: ${outcome(result)}`,
  // Older events, stored before matches had names, contain only the number of later matches that were reopened.
  reopened: ({ others, names }) =>
    others === 0 ? "reopened the match" : `reopened the match and ${others} after it${names ? `: ${names}` : ""}`,
  undone: ({ name, before, team, drawn }) =>
    before
      ? `${name} is undone because ${before} is ${team ? "open" : "played"} again`
      : `${name} is ${drawn ? "drawn" : "open"} again because ${team} is back in`,
  // The reason is null for an organiser who has blocked its author.
  disqualified: ({ team, reason }) =>
    reason === null
      ? `disqualified ${team}. You blocked this organiser, so the reason is hidden.`
      : `disqualified ${team}: “${reason}”`,
  defaulted: ({ winner, loser }) => `${loser} was disqualified: ${winner} won`,
  reinstated: ({ team }) => `lifted the disqualification of ${team}`,
  overdue: () => "the match ran out of time",
  won: ({ team }) => `${team} won the tournament`,
};

/**
 * Describes an event in words that follow the name of the player who acted, if any. An action that this release doesn't
 * know is shown by its own name.
 */
export function eventWords(action: string, details: EventDetails | null): string {
  const words: Words = Object.hasOwn(EVENT_WORDS, action)
    ? EVENT_WORDS[action as EventAction]
    : () => action.replaceAll("-", " ");
  return words(details ?? {});
}
