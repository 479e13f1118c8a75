import { fetch, type Response } from "miniflare";
import type { ConversationServerMessage } from "#party/wire/conversation-frames";
import type { InboxServerMessage } from "#party/wire/inbox-frames";
import type { PostServerMessage } from "#party/wire/post-frames";
import type { TournamentServerMessage } from "#party/wire/tournament-frames";
import type { Client } from "./client";

/** Every frame that a room may send. */
export type Frame = ConversationServerMessage | InboxServerMessage | PostServerMessage | TournamentServerMessage;
type FrameOf<Type extends Frame["type"]> = Extract<Frame, { type: Type }>;

type WebSocket = NonNullable<Response["webSocket"]>;

/** The time that a test waits for a frame or a close, in milliseconds. */
const PATIENCE = 15_000;

/** The browser's end of a room's socket. Records every frame. */
export class RoomSocket {
  /** Every frame from the room except pongs, in order. */
  readonly frames: Frame[] = [];
  /** When each of the messages came, by its id, in milliseconds. */
  readonly receivedAt = new Map<string, number>();
  /** The number of pings that the room has answered. */
  pongs = 0;
  /** The close code and reason, once the socket is closed. */
  end: { code: number; reason: string } | undefined;
  /** Resolves when the socket's close event comes. */
  readonly ended: Promise<void>;
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();
  #read = 0;

  constructor(socket: WebSocket, onFrame?: (frame: Frame) => void) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (data === "pong") this.pongs += 1;
      else {
        const frame = JSON.parse(String(data)) as Frame;
        this.frames.push(frame);
        if (frame.type === "message") this.receivedAt.set(frame.message.id, Date.now());
        onFrame?.(frame);
      }
      this.#changed();
    });
    this.ended = new Promise((resolve) => {
      socket.addEventListener("close", ({ code, reason }) => {
        this.end ??= { code, reason };
        this.#changed();
        resolve();
      });
    });
    socket.accept();
    // `useRoom` also sends a ping on opening.
    socket.send("ping");
  }

  /** Sends an object as JSON and anything else as it is. Does nothing once the socket has closed. */
  send(frame: object | string | ArrayBuffer): void {
    if (this.end) return;
    this.#socket.send(typeof frame === "string" || frame instanceof ArrayBuffer ? frame : JSON.stringify(frame));
  }

  /** Waits for the next frame of this type that fits. Frames before that one are skipped for good. */
  next<Type extends Frame["type"]>(
    type: Type,
    fits: (frame: FrameOf<Type>) => boolean = () => true,
  ): Promise<FrameOf<Type>> {
    return this.until(() => {
      const rest = this.frames.slice(this.#read);
      const index = rest.findIndex((frame) => frame.type === type && fits(frame as FrameOf<Type>));
      if (index < 0) return undefined;
      this.#read += index + 1;
      return rest[index] as FrameOf<Type>;
    }, `a “${type}” frame`);
  }

  /** Waits until `check` returns a value; runs it after every frame and on close. `patience` is in milliseconds. */
  until<T>(check: () => T | undefined, what = "the check to pass", patience = PATIENCE): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const value = check();
        if (value === undefined) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(value);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        const heard = JSON.stringify({ frames: this.frames.slice(-20), end: this.end });
        reject(new Error(`Waited ${patience} ms for ${what}. Heard so far: ${heard}`));
      }, patience);
      this.#waiting.add(look);
      look();
    });
  }

  /**
   * Waits until the room has closed the socket. If a room closes a socket before the first frame, workerd keeps the
   * connection for ten more seconds, and a busy machine adds to that.
   * @returns the code and reason
   */
  closed(): Promise<{ code: number; reason: string }> {
    return this.until(() => this.end, "the socket to close", 3 * PATIENCE);
  }

  close(): void {
    if (!this.end) this.#socket.close(1000, "Done");
    this.end ??= { code: 1000, reason: "Done" };
  }

  /** The messages received, in order of arrival. */
  get messages(): FrameOf<"message">["message"][] {
    return this.frames.flatMap((frame) => (frame.type === "message" ? [frame.message] : []));
  }

  #changed(): void {
    for (const look of [...this.#waiting]) look();
  }
}

/**
 * Asks for a socket as a browser does, with the client's cookies and the `Origin` of the site's pages.
 * @param headers override the default headers; an empty value leaves a header out
 * @returns the response: 101 with the socket, or the refusal's status and text
 */
export async function requestSocket(
  client: Client,
  path: string,
  headers: Record<string, string> = {},
  onFrame?: (frame: Frame) => void,
): Promise<{ status: number; headers: Response["headers"]; text: string; socket: RoomSocket | null }> {
  const all = { Origin: client.base, Cookie: client.cookieHeader, ...headers, Upgrade: "websocket" };
  const response = await fetch(new URL(path, client.base), {
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "")),
  });
  const socket = response.webSocket ? new RoomSocket(response.webSocket, onFrame) : null;
  return { status: response.status, headers: response.headers, text: socket ? "" : await response.text(), socket };
}

/**
 * Opens a socket to a room.
 * @param onFrame is called with each frame as soon as it arrives
 * @throws Error when the socket is refused
 */
export async function openRoom(client: Client, path: string, onFrame?: (frame: Frame) => void): Promise<RoomSocket> {
  const { socket, status } = await requestSocket(client, path, {}, onFrame);
  if (!socket) throw new Error(`The request for a socket to ${path} was answered with ${status}.`);
  return socket;
}

export const openConversation = (client: Client, id: string, onFrame?: (frame: Frame) => void) =>
  openRoom(client, `/parties/conversation/${id}`, onFrame);

export const openTournament = (client: Client, id: string) => openRoom(client, `/parties/tournament/${id}`);

export const openInbox = (client: Client) => openRoom(client, "/parties/inbox");
