import { type Connection, type ConnectionContext, Server, type WSMessage } from "partyserver";
import * as z from "zod/mini";
import { openDatabase } from "#db/client";
import { type Env, parseEnv } from "~/platform/env";
import { createLogger, type Logger } from "~/platform/log";
import { VISITOR_HEADER, type Visitor } from "./wire/calls";
import { CLOSE, PING, PONG } from "./wire/frames";
import { MAX_FRAME, parseFrame } from "./wire/protocol";

/** Sockets that one player may have in one room: so many tabs. */
const MAX_SOCKETS = 20;
/** Frames a second that a browser may send in the long run, and how many at once. */
const FRAME_RATE = 30;
const FRAME_BURST = 60;

/** What may be meant for a room of another version than this one. */
const envelope = z.object({ type: z.string() });

/** A socket of the room, with what it carries through hibernation. */
export type Socket<State extends Visitor> = Connection<State & { openedAt: number }>;

interface Bucket {
  frames: number;
  at: number;
}

/**
 * What both kinds of rooms have in common: a socket's visitor as the Worker has checked it, the limits on what a browser
 * may send, the end of sessions, and that no failure leaves the room (partyserver sends a stack trace to the browser).
 *
 * Handed is what the Worker hands over with a socket, State what the socket keeps of it, Incoming what browsers say.
 */
export abstract class Room<Handed extends Visitor, State extends Visitor, Incoming> extends Server {
  static override options = { hibernate: true };

  /** What a browser may say here. */
  protected abstract readonly incoming: z.ZodMiniType<Incoming>;
  /** What the socket keeps of what the Worker has handed over. */
  protected abstract keep(handed: Handed): State;
  /** A socket was opened. */
  protected abstract entered(socket: Socket<State>, handed: Handed): void;
  /** A browser has said something that makes sense and is within the limits. */
  protected abstract received(socket: Socket<State>, message: Incoming): void;
  /** Some sockets have closed, or are about to. */
  protected abstract left(): void;

  readonly #buckets = new WeakMap<WebSocket, Bucket>();

  constructor(ctx: DurableObjectState, bindings: Cloudflare.Env) {
    super(ctx, bindings);
    // Answered by the platform: a sign of life wakes nobody.
    this.ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
  }

  /** The Worker's settings. */
  protected get settings(): Env {
    return parseEnv(this.env);
  }

  protected get log(): Logger {
    return createLogger({ room: this.constructor.name, name: this.name });
  }

  /** A database client for one event. */
  protected openDatabase() {
    const { LIBSQL_URL, LIBSQL_AUTH_TOKEN } = this.settings;
    return openDatabase({ url: LIBSQL_URL, authToken: LIBSQL_AUTH_TOKEN }).db;
  }

  /** Does something that nobody waits for; its failure is logged. */
  protected later(what: string, work: Promise<unknown>): void {
    this.ctx.waitUntil(work.catch((error: unknown) => this.log.error(`${what} failed`, error)));
  }

  /** The open sockets, of one player or of all. */
  protected sockets(userId?: string): Socket<State>[] {
    const sockets = [...this.getConnections<State & { openedAt: number }>(userId && `user:${userId}`)];
    // One that is being opened has no state yet.
    return sockets.filter(({ state }) => state !== null);
  }

  /** The visitor behind a socket. */
  protected visitor(socket: Socket<State>): State & { openedAt: number } {
    return socket.state as State & { openedAt: number };
  }

  /** Sends to every open socket whose visitor is meant; a socket whose session has run out is closed instead. */
  protected tellAll(message: object, isMeant: (visitor: State) => boolean = () => true): void {
    const frame = JSON.stringify(message);
    for (const socket of this.sockets()) {
      if (this.#endIfExpired(socket) || !isMeant(this.visitor(socket))) continue;
      this.#send(socket, frame);
    }
  }

  /** Sends to one socket. */
  protected tellOne(socket: Socket<State>, message: object): void {
    this.#send(socket, JSON.stringify(message));
  }

  /** Closes a socket from our side. The browser's answer may never come, so it counts as gone at once. */
  protected dismiss(socket: Socket<State>, code: number, reason: string): void {
    try {
      socket.close(code, reason);
    } catch (error) {
      this.log.warn("A socket could not be closed", { error: String(error) });
    }
    this.left();
  }

  async closeSession(sessionId: string): Promise<void> {
    for (const socket of this.getConnections<State & { openedAt: number }>(`session:${sessionId}`)) {
      this.dismiss(socket, CLOSE.sessionEnded, "The session has ended");
    }
  }

  override async fetch(request: Request): Promise<Response> {
    try {
      const isSocket = request.headers.get("Upgrade")?.toLowerCase() === "websocket";
      if (!isSocket || !request.headers.has(VISITOR_HEADER)) return new Response(null, { status: 404 });
      // What partyserver does first; should the room's storage fail here, no stack trace goes out.
      await this.setName(this.name);
    } catch (error) {
      this.log.error("The room could not start", error);
      return new Response(null, { status: 503 });
    }
    return super.fetch(request);
  }

  override getConnectionTags(_connection: Connection, { request }: ConnectionContext): string[] {
    const { userId, sessionId } = handedOver<Handed>(request);
    return [`user:${userId}`, `session:${sessionId}`];
  }

  override onConnect(connection: Connection, { request }: ConnectionContext): void {
    const socket = connection as Socket<State>;
    try {
      const handed = handedOver<Handed>(request);
      this.#makeRoom(handed.userId);
      socket.setState({ ...this.keep(handed), openedAt: Date.now() });
      this.entered(socket, handed);
    } catch (error) {
      this.log.error("A socket could not be opened", error);
      this.dismiss(socket, 1011, "Something went wrong");
    }
  }

  override onMessage(connection: Connection, frame: WSMessage): void {
    const socket = connection as Socket<State>;
    // What was under way when we closed it.
    if (socket.readyState !== WebSocket.OPEN) return;
    try {
      if (this.#endIfExpired(socket)) return;
      if (typeof frame !== "string") this.dismiss(socket, CLOSE.policy, "Text only");
      else if (frame.length > MAX_FRAME) this.dismiss(socket, CLOSE.tooBig, "Too big");
      else if (this.#isFlooding(socket)) this.dismiss(socket, CLOSE.policy, "Too many frames");
      else this.#take(socket, frame);
    } catch (error) {
      this.log.error("A frame could not be dealt with", error);
    }
  }

  /** What has another room's or a later version's `type` is dropped; what has none is garbage. */
  #take(socket: Socket<State>, frame: string): void {
    const message = parseFrame(this.incoming, frame);
    if (message !== undefined) this.received(socket, message);
    else if (!parseFrame(envelope, frame)) this.dismiss(socket, CLOSE.policy, "Not understood");
  }

  override onClose(): void {
    this.#afterClose();
  }

  override onError(): void {
    // A connection that broke: nothing to mend here.
    this.#afterClose();
  }

  #afterClose(): void {
    try {
      this.left();
    } catch (error) {
      this.log.error("A closed socket could not be dealt with", error);
    }
  }

  /** Closes a player's oldest sockets so that one more fits. */
  #makeRoom(userId: string): void {
    const open = this.sockets(userId).sort((a, b) => this.visitor(a).openedAt - this.visitor(b).openedAt);
    for (const oldest of open.slice(0, Math.max(0, open.length - MAX_SOCKETS + 1))) {
      this.dismiss(oldest, CLOSE.policy, "Too many tabs");
    }
  }

  /** Takes a frame out of the socket's bucket, which fills at `FRAME_RATE`. It is forgotten in hibernation, full. */
  #isFlooding(socket: WebSocket): boolean {
    const now = Date.now();
    const { frames, at } = this.#buckets.get(socket) ?? { frames: FRAME_BURST, at: now };
    const left = Math.min(FRAME_BURST, frames + ((now - at) / 1000) * FRAME_RATE) - 1;
    this.#buckets.set(socket, { frames: left, at: now });
    return left < 0;
  }

  #endIfExpired(socket: Socket<State>): boolean {
    if (this.visitor(socket).expiresAt > Date.now()) return false;
    this.dismiss(socket, CLOSE.sessionEnded, "The session has ended");
    return true;
  }

  #send(socket: WebSocket, frame: string): void {
    try {
      socket.send(frame);
    } catch {
      // It has closed meanwhile; `onClose` follows.
    }
  }
}

function handedOver<Handed>(request: Request): Handed {
  return JSON.parse(request.headers.get(VISITOR_HEADER) as string) as Handed;
}
