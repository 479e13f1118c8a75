/*
 * The frames between browsers and rooms. The receiver checks each frame: browsers with the checks below, rooms with the
 * schemas of `protocol.ts`, which browsers don't load. Unknown frames are dropped, so that an old page and a new room
 * work together. Browsers never send chat messages in frames: a form stores a message, and the room then delivers it.
 */

/** The browser's heartbeat, and the reply to it, which doesn't wake the room. */
export const PING = "ping";
export const PONG = "pong";
/** Milliseconds between two heartbeats (specification, section 9). */
export const HEARTBEAT = 25_000;

/** The codes with which a room closes a socket; codes of our own are in the range reserved for applications. */
export const CLOSE = {
  /** The session has ended: reload the page's data, and reconnect if the page stays. */
  sessionEnded: 4401,
  /** IANA's registry, "Service Restart": reconnect. */
  restart: 1012,
  /** RFC 6455: the client broke the rules, or has too many sockets: don't reconnect. */
  policy: 1008,
  /** RFC 6455: the frame is too big. */
  tooBig: 1009,
} as const;

/** Whether a value has the right type. */
export type Check = (value: unknown) => boolean;
/** The required fields of each type of message. Further fields come from a newer room and are ignored. */
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

/** Creates the function that reads the frames of one kind of room. */
export const createReader =
  <Message extends { type: string }>(checks: Checks<Message>) =>
  /** Reads one frame; undefined if it is not JSON or not a known message. */
  (frame: string): Message | undefined => {
    try {
      const message = JSON.parse(frame) as Message;
      const check = Object.entries(checks).find(([type]) => type === message?.type)?.[1];
      return check && holds(check as Record<string, Check>, message) ? message : undefined;
    } catch {
      return undefined;
    }
  };
