/*
 * What browsers and rooms say to each other. Whoever receives a frame checks it: browsers here, rooms with the schemas of
 * `protocol.ts`, which browsers are spared. What one doesn't know is dropped, so that an old page and a new room get
 * along. Messages themselves are never sent this way: a form stores them, and the room tells of what is stored.
 */

/** The browser's sign of life and the room's answer, which costs no waking. */
export const PING = "ping";
export const PONG = "pong";
/** Milliseconds between two signs of life (specification, section 9). */
export const HEARTBEAT = 25_000;

/** Why a room closed a socket; in the range that applications have to themselves. */
export const CLOSE = {
  /** The session has ended: coming back leads nowhere. */
  sessionEnded: 4401,
  /** IANA: come again. */
  restart: 1012,
  /** RFC 6455: what was sent breaks the rules. */
  policy: 1008,
  /** RFC 6455: too big. */
  tooBig: 1009,
} as const;

/** Whether a value is what it should be. */
export type Check = (value: unknown) => boolean;
/** What each kind of message must hold; what else it holds is a newer room's and does no harm. */
export type Checks<Message extends { type: string }> = {
  [Type in Message["type"]]: { [Key in Exclude<keyof Extract<Message, { type: Type }>, "type">]-?: Check };
};

export const text: Check = (value) => typeof value === "string";
export const number: Check = (value) => typeof value === "number";

/** Whether a value is an object that passes all checks. */
export const holds = (checks: Record<string, Check>, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(checks).every(([key, check]) => check((value as Record<string, unknown>)[key]));

/** Makes what reads the frames of one kind of room. */
export const readerOf =
  <Message extends { type: string }>(checks: Checks<Message>) =>
  /** Reads one frame; undefined when it is not JSON or says nothing that is known here. */
  (frame: string): Message | undefined => {
    try {
      const message = JSON.parse(frame) as Message;
      const check = Object.entries(checks).find(([type]) => type === message?.type)?.[1];
      return check && holds(check as Record<string, Check>, message) ? message : undefined;
    } catch {
      return undefined;
    }
  };
