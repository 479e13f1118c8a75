/** What an event's words need. */
export type EventDetails = Record<string, string | number | boolean | null>;

type Words = (details: EventDetails) => string;

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
} as const satisfies Record<string, Words>;

export type EventAction = keyof typeof EVENTS;

/** The words of an event, to stand after who did it. An action of another version of the code is told by its name. */
export function eventWords(action: string, details: EventDetails | null): string {
  const words: Words = Object.hasOwn(EVENTS, action)
    ? EVENTS[action as EventAction]
    : () => action.replaceAll("-", " ");
  return words(details ?? {});
}
