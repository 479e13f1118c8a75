import { type Connection, type ConnectionContext, Server, type WSMessage } from "partyserver";
import * as z from "zod/mini";
import { openDatabase } from "#db/client";
import { type Env, parseEnv } from "~/platform/env";
import { createLogger, type Logger } from "~/platform/log";
import { VISITOR_HEADER, type Visitor } from "./wire/calls";
import { CLOSE, PING, PONG } from "./wire/frames";
import { MAX_FRAME, parseFrame } from "./wire/protocol";

/** The most sockets that one player may have in one room. Each tab opens one. */
const MAX_SOCKETS = 20;
/** Frames per second that a browser may send on average, and in one burst. */
const FRAME_RATE = 30;
const FRAME_BURST = 60;

/** The prefix of the keys under which the room stores its last news. */
const NEWS = "news:";

/** The shape of every frame, including frames for other versions of this room. */
const envelope = z.object({ type: z.string() });

/** A socket of the room, with the state that survives hibernation. */
export type Socket<State extends Visitor> = Connection<State & { openedAt: number }>;

interface News<Outgoing> {
  message: Outgoing;
  at: number;
}

interface Bucket {
  frames: number;
  at: number;
}

/**
 * The base of all rooms: it knows each socket's visitor as checked by the Worker, limits browser frames, ends sessions,
 * and lets no error escape (partyserver would send a stack trace to the browser).
 *
 * `Handover` is the data that the Worker passes with a socket, `State` the part of it that the socket keeps, `Incoming`
 * the messages of browsers, and `Outgoing` the messages to them.
 */
export abstract class Room<
  Handover extends Visitor,
  State extends Visitor,
  Incoming,
  Outgoing extends { type: string },
> extends Server {
  static override options = { hibernate: true };

  /** The schema of the messages that browsers may send. */
  protected abstract readonly incoming: z.ZodMiniType<Incoming>;
  /** Picks the part of the Worker's data that the socket keeps. */
  protected abstract pickState(handover: Handover): State;
  /** Runs when a socket has opened. */
  protected abstract onEnter(socket: Socket<State>, handover: Handover): void;
  /** Runs for each valid message within the limits. */
  protected abstract onFrame(socket: Socket<State>, message: Incoming): void;
  /** Runs when sockets have closed, or are about to. */
  protected abstract onLeave(): void;

  readonly #buckets = new WeakMap<WebSocket, Bucket>();

  constructor(ctx: DurableObjectState, bindings: Cloudflare.Env) {
    super(ctx, bindings);
    // The platform answers heartbeats itself, without waking the room.
    this.ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
  }

  /** The Worker's settings. */
  protected get settings(): Env {
    return parseEnv(this.env);
  }

  protected get log(): Logger {
    return createLogger({ room: this.constructor.name, name: this.name });
  }

  /** Opens a database client for one event. */
  protected openDatabase() {
    const { LIBSQL_URL, LIBSQL_AUTH_TOKEN } = this.settings;
    return openDatabase({ url: LIBSQL_URL, authToken: LIBSQL_AUTH_TOKEN }).db;
  }

  /** Runs work in the background, and logs its failure. */
  protected runInBackground(what: string, work: Promise<unknown>): void {
    this.ctx.waitUntil(work.catch((error: unknown) => this.log.error(`${what} failed`, error)));
  }

  /** Lists the open sockets, of one player or of all. */
  protected sockets(userId?: string): Socket<State>[] {
    const sockets = [...this.getConnections<State & { openedAt: number }>(userId && `user:${userId}`)];
    // A socket that is just opening has no state yet.
    return sockets.filter(({ state }) => state !== null);
  }

  /** Returns the visitor behind a socket. */
  protected visitor(socket: Socket<State>): State & { openedAt: number } {
    return socket.state as State & { openedAt: number };
  }

  /** Sends a message to the open sockets of its recipients. Closes sockets that have expired instead. */
  protected sendToAll(message: Outgoing, isRecipient: (visitor: State) => boolean = () => true): void {
    const frame = JSON.stringify(message);
    for (const socket of this.sockets()) {
      if (this.#endIfExpired(socket) || !isRecipient(this.visitor(socket))) continue;
      this.#send(socket, frame);
    }
  }

  /** Sends a message to one socket. */
  protected sendTo(socket: Socket<State>, message: Outgoing): void {
    this.#send(socket, JSON.stringify(message));
  }

  /** Sends a message that makes pages load their data again, and keeps it. */
  protected sendNews(message: Outgoing): void {
    this.keepNews(message);
    this.sendToAll(message);
  }

  /**
   * Stores news for pages that read their data before the change, and whose sockets open after it. Call it instead of
   * `sendNews` if the open sockets have already been sent the change.
   * @param subject what the news is about; it replaces the last news about the same
   */
  protected keepNews(message: Outgoing, subject: string = message.type): void {
    this.ctx.storage.kv.put<News<Outgoing>>(NEWS + subject, { message, at: Date.now() });
  }

  /**
   * Repeats the news that a page's data lacks. A page notes the time before it reads, and the room notes it after a
   * change has been stored, so no change is missed in between.
   * @param since when the page read its data; 0 if it doesn't say
   */
  #repeatNews(socket: Socket<State>, since: number): void {
    if (since === 0) return;
    for (const [, { message, at }] of this.ctx.storage.kv.list<News<Outgoing>>({ prefix: NEWS })) {
      if (at >= since) this.sendTo(socket, message);
    }
  }

  /**
   * Decides whether a new socket may stay. By default it always may, and the player's oldest sockets are closed to make
   * room for it.
   */
  protected admit({ userId }: Handover): boolean {
    const open = this.sockets(userId).sort((a, b) => this.visitor(a).openedAt - this.visitor(b).openedAt);
    for (const oldest of open.slice(0, Math.max(0, open.length - MAX_SOCKETS + 1))) {
      this.dismiss(oldest, CLOSE.policy, "Too many tabs");
    }
    return true;
  }

  /**
   * Closes a socket from our side. The socket immediately counts as closed, because the browser may never complete the
   * handshake.
   */
  protected dismiss(socket: Socket<State>, code: number, reason: string): void {
    try {
      socket.close(code, reason);
    } catch (error) {
      this.log.warn("A socket could not be closed", { error: String(error) });
    }
    this.onLeave();
  }

  /**
   * Closes a socket that has expired. By default its page reconnects, and the Worker checks again: the session may have
   * been renewed since the socket was opened, and a guest has none.
   */
  protected dismissExpired(socket: Socket<State>): void {
    this.dismiss(socket, CLOSE.restart, "Expired");
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
      // partyserver would do this first. Doing it here keeps it from sending a stack trace if the room's storage fails.
      await this.setName(this.name);
    } catch (error) {
      this.log.error("The room could not start", error);
      return new Response(null, { status: 503 });
    }
    return super.fetch(request);
  }

  override getConnectionTags(_connection: Connection, { request }: ConnectionContext): string[] {
    const { userId, sessionId } = readHandover<Handover>(request);
    return [`user:${userId}`, `session:${sessionId}`];
  }

  override onConnect(connection: Connection, { request }: ConnectionContext): void {
    const socket = connection as Socket<State>;
    try {
      const handover = readHandover<Handover>(request);
      if (!this.admit(handover)) {
        this.dismiss(socket, CLOSE.policy, "Too many visitors");
        return;
      }
      socket.setState({ ...this.pickState(handover), openedAt: Date.now() });
      this.onEnter(socket, handover);
      this.#repeatNews(socket, handover.since ?? 0);
    } catch (error) {
      this.log.error("A socket could not be opened", error);
      this.dismiss(socket, 1011, "Something went wrong");
    }
  }

  override onMessage(connection: Connection, frame: WSMessage): void {
    const socket = connection as Socket<State>;
    // A frame that was in flight when we closed the socket.
    if (socket.readyState !== WebSocket.OPEN) return;
    try {
      if (this.#endIfExpired(socket)) return;
      if (typeof frame !== "string") this.dismiss(socket, CLOSE.policy, "Text only");
      else if (frame.length > MAX_FRAME) this.dismiss(socket, CLOSE.tooBig, "Too big");
      else if (this.#isFlooding(socket)) this.dismiss(socket, CLOSE.policy, "Too many frames");
      else this.#handleFrame(socket, frame);
    } catch (error) {
      this.log.error("A frame could not be handled", error);
    }
  }

  /**
   * Handles a browser's frame. Drops one that this room doesn't understand, such as a later version's. Closes the
   * socket if the frame has no `type`.
   */
  #handleFrame(socket: Socket<State>, frame: string): void {
    const message = parseFrame(this.incoming, frame);
    if (message !== undefined) this.onFrame(socket, message);
    else if (!parseFrame(envelope, frame)) this.dismiss(socket, CLOSE.policy, "Not understood");
  }

  override onClose(): void {
    this.#afterClose();
  }

  override onError(): void {
    // The connection broke; there is nothing to recover.
    this.#afterClose();
  }

  #afterClose(): void {
    try {
      this.onLeave();
    } catch (error) {
      this.log.error("A closed socket could not be handled", error);
    }
  }

  /**
   * Takes a token from the socket's bucket, which refills at `FRAME_RATE`. Returns true if none was left. After
   * hibernation the bucket is full again.
   */
  #isFlooding(socket: WebSocket): boolean {
    const now = Date.now();
    const { frames, at } = this.#buckets.get(socket) ?? { frames: FRAME_BURST, at: now };
    const left = Math.min(FRAME_BURST, frames + ((now - at) / 1000) * FRAME_RATE) - 1;
    this.#buckets.set(socket, { frames: left, at: now });
    return left < 0;
  }

  #endIfExpired(socket: Socket<State>): boolean {
    if (this.visitor(socket).expiresAt > Date.now()) return false;
    this.dismissExpired(socket);
    return true;
  }

  #send(socket: WebSocket, frame: string): void {
    try {
      socket.send(frame);
    } catch {
      // Already closed; `onClose` follows.
    }
  }
}

function readHandover<Handover>(request: Request): Handover {
  return JSON.parse(request.headers.get(VISITOR_HEADER) as string) as Handover;
}
