import { setPresence } from "~/features/messages/commands.server";
import { MINUTE } from "~/platform/dates/durations";
import { findOpenSessions } from "~/platform/session/session.server";
import { coalesce } from "./coalesce";
import { Room, type Socket } from "./room";
import type { InboxCalls, InboxVisitor, Visitor } from "./wire/calls";
import { CLOSE, HEARTBEAT } from "./wire/frames";
import type { InboxServerMessage } from "./wire/inbox-frames";
import type { PresenceState, SeenPresence } from "./wire/presence";
import { PRESENCE_LAPSES } from "./wire/presence";
import { type InboxClientMessage, inboxClientMessage } from "./wire/protocol";

/** Who leaves and is back within this time was never away: a reload, a moment without network. Milliseconds. */
const GRACE = 5_000;
/** Presence is said again this often while it lasts, in milliseconds. */
const REFRESH = PRESENCE_LAPSES / 2;
/** When what could not be stored is tried again, in milliseconds. */
const RETRY = 15_000;
/** Changes are passed on this often at most. Milliseconds. */
const PUBLISH_PACE = { delay: 0, interval: 1_000 };
/** A tab that has shown no sign of life for so long is gone. Browsers slow hidden tabs' clocks to one tick a minute. */
const SILENCE = 2 * MINUTE + HEARTBEAT;
/** Longer than the Worker takes to let a socket in after it has looked at the session. Milliseconds. */
const JUST_ENDED = MINUTE;

interface InboxState extends Visitor {
  presence: "online" | "away";
}

/**
 * The room of one player, shared by all their tabs: what they have not read, and whether they are there. Its name is the
 * player's id. It knows in which conversations their sessions have sockets, so that those end with the session.
 *
 * In storage: `said`, the presence as others know it; `leftAt`, since when no tab is open; `watch:<conversation>`, the
 * rooms that want to hear of it; `visit:<session>:<conversation>`.
 */
export class Inbox extends Room<InboxVisitor, InboxState, InboxClientMessage> implements InboxCalls {
  protected readonly incoming = inboxClientMessage;

  readonly #publish = coalesce(() => this.#publishOnce(), PUBLISH_PACE);
  /** Sessions that have ended while this room was awake, and when. */
  readonly #ended = new Map<string, number>();

  async tell(message: InboxServerMessage): Promise<void> {
    this.tellAll(message);
  }

  async enter(conversationId: string, sessionId: string): Promise<boolean> {
    if (this.#hasEnded(sessionId)) return false;
    this.ctx.storage.kv.put(visitKey(sessionId, conversationId), true);
    return true;
  }

  async leave(conversationId: string, sessionId: string): Promise<void> {
    this.ctx.storage.kv.delete(visitKey(sessionId, conversationId));
  }

  async watch(conversationId: string): Promise<SeenPresence | null> {
    // A mark of its own, so that a failed watch before this one doesn't take it away.
    this.ctx.storage.kv.put(watchKey(conversationId), crypto.randomUUID());
    return this.#said() ?? null;
  }

  async unwatch(conversationId: string): Promise<void> {
    this.ctx.storage.kv.delete(watchKey(conversationId));
  }

  async closeSessions(sessionIds: string[]): Promise<void> {
    for (const sessionId of sessionIds) await this.closeSession(sessionId);
  }

  override async closeSession(sessionId: string): Promise<void> {
    this.#ended.set(sessionId, Date.now());
    await super.closeSession(sessionId);
    const visits = this.#list(`visit:${sessionId}:`);
    await Promise.all(
      visits.map(async ([conversationId]) => {
        await this.#conversation(conversationId).closeSession(sessionId);
        await this.leave(conversationId, sessionId);
      }),
    );
  }

  override async onAlarm(): Promise<void> {
    try {
      this.#dismissSilent();
      const presence = this.#present();
      if (presence === null) this.#sayOffline();
      else {
        await this.#checkSessions();
        this.#say({ state: presence, seenAt: Date.now() });
      }
      await this.#publish();
    } catch (error) {
      this.log.error("The alarm could not be dealt with", error);
      await this.ctx.storage.setAlarm(Date.now() + RETRY);
    }
  }

  protected keep({ userId, sessionId, expiresAt }: InboxVisitor): InboxState {
    return { userId, sessionId, expiresAt, presence: "online" };
  }

  protected entered(socket: Socket<InboxState>, { sessionId, unread }: InboxVisitor): void {
    if (this.#hasEnded(sessionId)) {
      this.dismiss(socket, CLOSE.sessionEnded, "The session has ended");
      return;
    }
    // What this tab shows may be older than its connection.
    this.tellOne(socket, { type: "unread", ...unread } satisfies InboxServerMessage);
    this.#update();
  }

  protected received(socket: Socket<InboxState>, message: InboxClientMessage): void {
    switch (message.type) {
      case "presence":
        socket.setState({ ...this.visitor(socket), presence: message.state });
        this.#update();
        break;
      default:
        message.type satisfies never;
    }
  }

  protected left(): void {
    this.#update();
  }

  /** Finds out whether the player is there, and says so where it has changed. */
  #update(): void {
    const { kv } = this.ctx.storage;
    const presence = this.#present();
    if (presence === null) {
      if (kv.get("leftAt") === undefined) {
        kv.put("leftAt", Date.now());
        this.#wakeAt(Date.now() + GRACE);
      }
      return;
    }
    const isBack = kv.delete("leftAt");
    const said = this.#said();
    if (said?.state !== presence) {
      this.#say({ state: presence, seenAt: Date.now() });
      this.later("Telling of a player's presence", this.#publish());
    } else if (isBack) this.#wakeAt(said.seenAt + REFRESH);
  }

  /** Online if one tab is in use, away if none is, null when none is open. */
  #present(): "online" | "away" | null {
    const states = this.sockets().map((socket) => this.visitor(socket).presence);
    if (states.length === 0) return null;
    return states.includes("online") ? "online" : "away";
  }

  #said(): SeenPresence | undefined {
    return this.ctx.storage.kv.get<SeenPresence>("said");
  }

  /** Later than what was said before, whatever the clock does: others keep what is latest. */
  #say({ state, seenAt }: { state: PresenceState; seenAt: number }): void {
    this.ctx.storage.kv.put("said", { state, seenAt: Math.max(seenAt, (this.#said()?.seenAt ?? 0) + 1) });
  }

  #sayOffline(): void {
    const { kv } = this.ctx.storage;
    const said = this.#said();
    // Without `leftAt` the room was not there when the last tab closed: the Worker was restarted.
    this.#say({ state: "offline", seenAt: kv.get<number>("leftAt") ?? said?.seenAt ?? Date.now() });
    kv.delete("leftAt");
  }

  /** Stores the presence and tells whoever watches; afterwards sets the alarm for saying it again. */
  async #publishOnce(): Promise<void> {
    const said = this.#said();
    if (!said) return;
    const telling = this.#list<string>("watch:").map(async ([conversationId, mark]) => {
      const isWatched = await this.#conversation(conversationId).tellPresence(this.name, said);
      const { kv } = this.ctx.storage;
      if (!isWatched && kv.get(watchKey(conversationId)) === mark) kv.delete(watchKey(conversationId));
    });
    const storing = setPresence(this.openDatabase(), this.name, said);
    const [stored, ...told] = await Promise.allSettled([storing, ...telling]);
    for (const outcome of told) {
      if (outcome.status === "rejected") this.log.error("A conversation could not be told", outcome.reason);
    }
    if (stored.status === "rejected") {
      this.log.error("A player's presence could not be stored", stored.reason);
      this.#wakeAt(Date.now() + RETRY);
    } else if (said.state !== "offline" && this.ctx.storage.kv.get("leftAt") === undefined) {
      this.#wakeAt(said.seenAt + REFRESH);
    }
  }

  /** Closes the tabs whose session has ended without our hearing of it, and notes which sessions were renewed. */
  async #checkSessions(): Promise<void> {
    const sessionIds = new Set(this.sockets().map((socket) => this.visitor(socket).sessionId));
    const open = await findOpenSessions(this.openDatabase(), this.name, [...sessionIds], new Date());
    for (const sessionId of sessionIds) {
      const expiresAt = open.get(sessionId)?.getTime();
      if (expiresAt === undefined) await this.closeSession(sessionId);
      else
        for (const socket of this.sockets()) {
          const visitor = this.visitor(socket);
          if (visitor.sessionId === sessionId) socket.setState({ ...visitor, expiresAt });
        }
    }
  }

  #dismissSilent(): void {
    for (const socket of this.sockets()) {
      const heardAt = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? this.visitor(socket).openedAt;
      if (Date.now() - heardAt > SILENCE) this.dismiss(socket, 1001, "No sign of life");
    }
  }

  #hasEnded(sessionId: string): boolean {
    for (const [ended, at] of this.#ended) if (Date.now() - at > JUST_ENDED) this.#ended.delete(ended);
    return this.#ended.has(sessionId);
  }

  /** The keys under a prefix, without it, and their values. */
  #list<Value>(prefix: string): [string, Value][] {
    return [...this.ctx.storage.kv.list<Value>({ prefix })].map(([key, value]) => [key.slice(prefix.length), value]);
  }

  #wakeAt(moment: number): void {
    this.later("Setting the alarm", this.ctx.storage.setAlarm(Math.max(moment, Date.now())));
  }

  #conversation(conversationId: string) {
    return this.settings.CONVERSATION_ROOMS.getByName(conversationId);
  }
}

const watchKey = (conversationId: string) => `watch:${conversationId}`;
const visitKey = (sessionId: string, conversationId: string) => `visit:${sessionId}:${conversationId}`;
