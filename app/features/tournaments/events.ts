/** What an event's words need. */
export type EventDetails = Record<string, string | number | boolean | null>;

type Words = (details: EventDetails) => string;

type Detail = EventDetails[string] | undefined;

/** "2 to 1": the more before the less. */
const inOrder = (one: Detail, two: Detail) =>
  `${Math.max(Number(one), Number(two))} to ${Math.min(Number(one), Number(two))}`;

/** How a match ended: "Second Site won 2 to 1". */
const endOf = ({ winner, loser, one, two, forfeit }: EventDetails) =>
  forfeit ? `${winner} won, ${loser} forfeited` : `${winner} won ${inOrder(one, two)}`;

/**
 * What is written down of a tournament (`tournament_events.action`), and how its log says it: after the name of who did it.
 * Whoever adds an action adds its words here.
 */
export const EVENTS = {
  hosted: () => "announced the tournament",
  edited: ({ fields }) => `changed ${fields}`,
  cancelled: ({ reason }) => `cancelled the tournament: “${reason}”`,
  "organiser-added": ({ name }) => `made ${name} an organiser`,
  "organiser-removed": ({ name }) => `took ${name} off the organisers`,
  started: ({ teams }) => `started the tournament with ${teams} teams`,
  "checked-in": ({ team }) => `checked in for ${team}`,
  reported: ({ one, two }) => `reported ${inOrder(one, two)}`,
  confirmed: (details) => `confirmed: ${endOf(details)}`,
  disputed: ({ team }) => `disputed the match for ${team}`,
  forfeited: ({ loser }) => `forfeited the match for ${loser}`,
  claimed: ({ winner, loser }) => `claimed the win for ${winner}: ${loser} was not there`,
  ruled: (details) => `decided: ${endOf(details)}`,
  reopened: ({ others }) =>
    others === 0 || others === undefined
      ? "reopened the match"
      : `reopened the match, and ${others} later ${others === 1 ? "one" : "ones"}`,
  // What happens by itself stands after nobody's name.
  counted: (details) => `nobody answered, so the report counts: ${endOf(details)}`,
  overdue: () => "the match's time was over",
  won: ({ team }) => `${team} won the tournament`,
} as const satisfies Record<string, Words>;

export type EventAction = keyof typeof EVENTS;

/** The words of an event, to stand after who did it. An action of another version of the code is told by its name. */
export function eventWords(action: string, details: EventDetails | null): string {
  const words: Words = Object.hasOwn(EVENTS, action)
    ? EVENTS[action as EventAction]
    : () => action.replaceAll("-", " ");
  return words(details ?? {});
}
