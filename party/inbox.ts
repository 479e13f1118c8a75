import { postListRoomOf } from "~/features/lfg/shared/post-rooms.server";
import { storePresence } from "~/features/messages/presence.server";
import { deliverPushes } from "~/features/notifications/push/deliver.server";
import { countForHeader, countsOf, countUnread } from "~/features/notifications/shared/unread.server";
import { MINUTE } from "~/platform/dates/durations";
import { callRoom } from "~/platform/rooms/rooms.server";
import { findOpenSessions } from "~/platform/session/store.server";
import { coalesce } from "./coalesce";
import { Room, type Socket } from "./room";
import { Wakes } from "./wakes";
import type { InboxCalls, InboxChange, InboxVisitor, Visitor } from "./wire/calls";
import { CLOSE, HEARTBEAT } from "./wire/frames";
import type { InboxServerMessage } from "./wire/inbox-frames";
import type { PresenceState, SeenPresence } from "./wire/presence";
import { type InboxClientMessage, inboxClientMessage } from "./wire/protocol";

/**
 * The time for which a player still counts as online after their last tab has closed, and as looking at the site after
 * their last tab has gone out of view, in milliseconds. It hides reloads, short network failures, and the change from
 * one tab to another.
 */
const GRACE = 5_000;
/**
 * The interval at which an unchanged presence is republished, in milliseconds. It is shorter than the 5 minutes after
 * which open posts stop counting their author as online (`SEEN_SLOT`).
 */
const REFRESH = 4 * MINUTE;
/** The delay before a failed write or call is retried, in milliseconds. */
const RETRY = 15_000;
/** The delay before a failed count is retried, in milliseconds. */
const RECOUNT_RETRY = 5_000;
/** Changes are published at most once per `interval`, in milliseconds. */
const PUBLISH_PACE = { delay: 0, interval: 1_000 };
/**
 * A tab in view that sends no heartbeat for this long, in milliseconds, counts as gone: browsers don't slow its timers.
 */
const IN_VIEW_SILENCE = HEARTBEAT + 10_000;
/** The time after which pushes held back by a tab in view are looked at again, in milliseconds. */
const IN_VIEW_WAIT = 4 * MINUTE;
/** The first notification of a burst is pushed immediately, later ones at most once per `interval`, in milliseconds. */
const PUSH_PACE = { delay: 0, interval: 2_000 };
/** The delay before pushes are tried again after the database has failed, in milliseconds. */
const PUSH_RETRY = MINUTE;
/**
 * A tab without a heartbeat for this long, in milliseconds, counts as gone. Browsers slow a hidden tab's timers to one
 * tick a minute.
 */
const SILENCE = 2 * MINUTE + HEARTBEAT;
/**
 * How long an ended session or a change is remembered, in milliseconds: longer than the Worker takes between its
 * queries and the opening of the socket.
 */
const JUST_NOW = MINUTE;

interface InboxState extends Visitor {
  presence: "online" | "away";
  /** Whether the player sees this tab. */
  inView: boolean;
}

/**
 * The room of one player, shared by all their tabs: their unread counts and their presence. Its name is the player's
 * id. It knows the conversations in which each session has sockets, so that these close when the session ends. It also
 * sends the player's pushes, because it alone knows whether a tab is in view, and two runs never overlap in it.
 *
 * In storage: `said`, the presence as last published; `leftAt`, when the last tab closed; `watch:<conversation>`, the
 * rooms that subscribe to the presence; `visit:<session>:<conversation>`; `closing:<session>`, if the session has ended
 * but a room hasn't closed its sockets yet; `hidden`, if the player hides their presence; `presenceAt`, `pushAt` and
 * `closeAt`, when to look at the presence, at the pushes and at the ended sessions again; `heldUntil`, if pushes wait
 * because a tab is in view: their `push_due_at`. All of it is deleted when the player's account is erased.
 */
export class Inbox
  extends Room<InboxVisitor, InboxState, InboxClientMessage, InboxServerMessage>
  implements InboxCalls
{
  protected readonly incoming = inboxClientMessage;

  readonly #wakes = new Wakes(this.ctx.storage, ["presenceAt", "pushAt", "closeAt"], (alarm) =>
    this.runInBackground("Setting the alarm", alarm),
  );
  readonly #recount = coalesce(() => this.#recountOnce(), { delay: 0, interval: 0 });
  readonly #recountAgain = coalesce(() => this.#recount(), { delay: RECOUNT_RETRY, interval: 0 });
  readonly #publish = coalesce(() => this.#publishOnce(), PUBLISH_PACE);
  readonly #push = coalesce(() => this.#pushOnce(), PUSH_PACE);
  /** Sessions that ended while this room was awake, and when. */
  readonly #ended = new Map<string, number>();
  /** The conversations that have changed since the last count began. */
  readonly #changed = new Set<string>();
  /** Whether the next count includes the open cases. */
  #hasCases = false;
  /** Whether notifications have changed since the last count began. */
  #hasNews = false;
  #changedAt = Number.NEGATIVE_INFINITY;
  /** When the player last chose whether to hide their presence. */
  #chosenAt = Number.NEGATIVE_INFINITY;

  async recount({ conversationId, hasCases = false, hasNews = false }: InboxChange = {}): Promise<void> {
    this.#changedAt = Date.now();
    if (conversationId !== undefined) this.#changed.add(conversationId);
    this.#hasCases ||= hasCases;
    this.#hasNews ||= hasNews;
    this.runInBackground("Counting what is unread", this.#recount());
  }

  async push(): Promise<void> {
    this.runInBackground("Pushing", this.#push());
  }

  async enter(conversationId: string, sessionId: string): Promise<boolean> {
    if (this.#hasEnded(sessionId)) return false;
    this.ctx.storage.kv.put(visitKey(sessionId, conversationId), true);
    return true;
  }

  async hasEnded(sessionId: string): Promise<boolean> {
    return this.#hasEnded(sessionId);
  }

  async leave(conversationId: string, sessionId: string): Promise<void> {
    this.ctx.storage.kv.delete(visitKey(sessionId, conversationId));
  }

  async watch(conversationId: string): Promise<SeenPresence | null> {
    // A unique mark, so that the room's answer to an earlier presence (`#tellWatchers`) can't remove this subscription.
    this.ctx.storage.kv.put(watchKey(conversationId), crypto.randomUUID());
    return this.#isHidden() ? null : (this.#lastPresence() ?? null);
  }

  async setHidden(isHidden: boolean): Promise<void> {
    this.#chosenAt = Date.now();
    await this.#follow(isHidden);
  }

  async unwatch(conversationId: string): Promise<void> {
    this.ctx.storage.kv.delete(watchKey(conversationId));
  }

  async forget(): Promise<void> {
    const { storage } = this.ctx;
    await this.closeSessions(this.#listSessions());
    if (this.#list("closing:").length > 0) throw new Error("Some sockets of an erased account are still open");
    await Promise.all(
      this.#list("watch:").map(([conversationId]) =>
        callRoom(() => this.#conversation(conversationId).forgetMember(this.name)),
      ),
    );
    await storage.deleteAlarm();
    await storage.deleteAll();
  }

  async closeSessions(sessionIds: string[]): Promise<void> {
    await Promise.all(sessionIds.map((sessionId) => this.closeSession(sessionId)));
  }

  async checkSessions(): Promise<void> {
    const sessionIds = this.#listSessions();
    const open = await findOpenSessions(this.openDatabase(), this.name, sessionIds, new Date());
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

  override async closeSession(sessionId: string): Promise<void> {
    this.#ended.set(sessionId, Date.now());
    await super.closeSession(sessionId);
    const visits = this.#list(`visit:${sessionId}:`);
    const outcomes = await Promise.allSettled([
      callRoom(() => postListRoomOf(this.settings, this.name).closeSession(sessionId)),
      ...visits.map(async ([conversationId]) => {
        await callRoom(() => this.#conversation(conversationId).closeSession(sessionId));
        await this.leave(conversationId, sessionId);
      }),
    ]);
    const { kv } = this.ctx.storage;
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (!failed) {
      kv.delete(closingKey(sessionId));
      return;
    }
    this.log.error("A room could not close the sockets of an ended session", failed.reason);
    kv.put(closingKey(sessionId), true);
    this.#wakes.set("closeAt", Date.now() + RETRY);
  }

  override async onAlarm(): Promise<void> {
    const due = this.#wakes.takeDue();
    await Promise.all([
      due.includes("presenceAt") && this.#refreshPresence(),
      due.includes("pushAt") && this.#pushUnlessHeld(),
      due.includes("closeAt") && this.closeSessions(this.#list("closing:").map(([sessionId]) => sessionId)),
    ]);
  }

  async #refreshPresence(): Promise<void> {
    try {
      this.#dismissSilent();
      const presence = this.#currentPresence();
      if (presence === null) this.#recordOffline();
      else {
        await this.checkSessions();
        this.#recordPresence({ state: presence, seenAt: Date.now() });
      }
      await this.#publish();
    } catch (error) {
      this.log.error("The presence could not be refreshed", error);
      this.#wakes.set("presenceAt", Date.now() + RETRY);
    }
  }

  protected pickState({ userId, sessionId, expiresAt }: InboxVisitor): InboxState {
    return { userId, sessionId, expiresAt, presence: "online", inView: true };
  }

  protected onEnter(socket: Socket<InboxState>, { sessionId, unread, isHidden }: InboxVisitor): void {
    if (this.#hasEnded(sessionId)) {
      this.dismiss(socket, CLOSE.sessionEnded, "The session has ended");
      return;
    }
    // The page may have been rendered with older counts.
    this.sendTo(socket, { type: "unread", ...unread });
    // The Worker's counts may be older than a change that the other tabs already know about.
    if (Date.now() - this.#changedAt < JUST_NOW) {
      this.#hasCases ||= unread.cases !== undefined;
      this.runInBackground("Counting what is unread", this.#recount());
    }
    // The Worker may have read the choice before the player changed it.
    if (Date.now() - this.#chosenAt >= JUST_NOW) {
      this.runInBackground("Applying a presence setting", this.#follow(isHidden));
    }
    this.#update();
  }

  protected onFrame(socket: Socket<InboxState>, message: InboxClientMessage): void {
    switch (message.type) {
      case "presence":
        socket.setState({
          ...this.visitor(socket),
          presence: message.state,
          inView: message.inView ?? message.state === "online",
        });
        this.#update();
        break;
      default:
        message.type satisfies never;
    }
  }

  protected onLeave(): void {
    this.#update();
  }

  /**
   * Tells the page that the session has ended, so that it reloads its data. Unlike other rooms, this one learns of
   * renewals.
   */
  protected override dismissExpired(socket: Socket<InboxState>): void {
    this.dismiss(socket, CLOSE.sessionEnded, "The session has ended");
  }

  /**
   * Counts what is unread, and sends the counts to all tabs, once for each conversation that has changed. Each call of
   * `recount` is followed by a count that begins after the call, and counts don't overlap, so the tabs end up with the
   * latest one.
   */
  async #recountOnce(): Promise<void> {
    const changed = [...this.#changed];
    const [hasCases, hasNews] = [this.#hasCases, this.#hasNews];
    this.#changed.clear();
    this.#hasCases = false;
    this.#hasNews = false;
    if (this.sockets().length === 0) return;
    try {
      const db = this.openDatabase();
      const totals = await (hasCases ? countForHeader(db, this.name) : countUnread(db, this.name));
      if (!totals) return;
      const unread = { type: "unread", ...countsOf(totals), ...(hasNews && { isNews: true }) } as const;
      if (changed.length === 0) this.sendToAll(unread);
      for (const conversationId of changed) {
        this.sendToAll({ ...unread, conversationId });
      }
    } catch (error) {
      this.log.error("The unread counts could not be read", error);
      for (const conversationId of changed) this.#changed.add(conversationId);
      this.#hasCases ||= hasCases;
      this.#hasNews ||= hasNews;
      this.runInBackground("Retrying the unread counts", this.#recountAgain());
    }
  }

  /**
   * Determines the player's presence, and publishes it if it has changed. If no tab is in view any more, schedules the
   * pushes that were held back.
   */
  #update(): void {
    const { kv } = this.ctx.storage;
    if (this.#heldUntil() !== undefined && !this.#isInView()) this.#wakes.setNoLaterThan("pushAt", Date.now() + GRACE);
    const presence = this.#currentPresence();
    if (presence === null) {
      if (kv.get("leftAt") === undefined) {
        kv.put("leftAt", Date.now());
        this.#wakes.set("presenceAt", Date.now() + GRACE);
      }
      return;
    }
    const isBack = kv.delete("leftAt");
    const last = this.#lastPresence();
    if (last?.state !== presence) {
      this.#recordPresence({ state: presence, seenAt: Date.now() });
      this.runInBackground("Publishing a presence", this.#publish());
    } else if (isBack) this.#wakes.set("presenceAt", last.seenAt + REFRESH);
  }

  /** Returns online if one of the tabs is in use, away if none is, null if none is open. */
  #currentPresence(): "online" | "away" | null {
    const states = this.sockets().map((socket) => this.visitor(socket).presence);
    if (states.length === 0) return null;
    return states.includes("online") ? "online" : "away";
  }

  #lastPresence(): SeenPresence | undefined {
    return this.ctx.storage.kv.get<SeenPresence>("said");
  }

  /**
   * Records a presence with a time later than the previous one's, even if the clock goes back: receivers keep the
   * latest.
   */
  #recordPresence({ state, seenAt }: { state: PresenceState; seenAt: number }): void {
    this.ctx.storage.kv.put("said", { state, seenAt: Math.max(seenAt, (this.#lastPresence()?.seenAt ?? 0) + 1) });
  }

  #recordOffline(): void {
    const { kv } = this.ctx.storage;
    const last = this.#lastPresence();
    // Without `leftAt`, the room wasn't running when the last tab closed, because the Worker was restarted. Without an
    // earlier presence, the account is erased, and its last tab has closed after `forget`.
    if (last) this.#recordPresence({ state: "offline", seenAt: kv.get<number>("leftAt") ?? last.seenAt });
    kv.delete("leftAt");
  }

  #isHidden(): boolean {
    return this.ctx.storage.kv.get<boolean>("hidden") ?? false;
  }

  /**
   * Applies the player's choice to hide or show their presence, and tells the watching rooms at once. The choice comes
   * from `setHidden`, with a new socket, or from the database if the call was lost.
   */
  async #follow(isHidden: boolean): Promise<void> {
    if (this.#isHidden() === isHidden) return;
    this.ctx.storage.kv.put("hidden", isHidden);
    const last = this.#lastPresence();
    if (isHidden) {
      if (last) await Promise.allSettled(this.#tellWatchers({ ...last, state: "offline" }));
      return;
    }
    // The presence gets a new time: a visit since the change may have stored `offline`, which an older presence can't
    // replace.
    const presence = this.#currentPresence();
    if (presence) this.#recordPresence({ state: presence, seenAt: Date.now() });
    await this.#publish();
  }

  /** Sends a presence to the watching rooms. A room in which nobody can see it stops watching. */
  #tellWatchers(presence: SeenPresence): Promise<void>[] {
    return this.#list<string>("watch:").map(async ([conversationId, mark]) => {
      const isWatched = await this.#conversation(conversationId).tellPresence(this.name, presence);
      const { kv } = this.ctx.storage;
      if (!isWatched && kv.get(watchKey(conversationId)) === mark) kv.delete(watchKey(conversationId));
    });
  }

  /**
   * Stores the presence and sends it to the watching rooms, unless the player hides it; then sets the alarm that
   * republishes it. Whether the player hides it is read from the database, because the call to `setHidden` may have
   * failed. If the database can't be reached, the last choice that the room knows of applies.
   */
  async #publishOnce(): Promise<void> {
    const last = this.#lastPresence();
    if (!last) return;
    const askedAt = Date.now();
    const wasHidden = this.#isHidden();
    const [stored] = await Promise.allSettled([storePresence(this.openDatabase(), this.name, last)]);
    // The player may have chosen again meanwhile.
    if (stored.status === "fulfilled" && this.#chosenAt <= askedAt) {
      this.runInBackground("Applying a presence setting", this.#follow(stored.value.isHidden));
    }
    // A presence recorded while the player hid it is never sent: `#follow` records and publishes a new one.
    if (!wasHidden && !this.#isHidden()) {
      for (const outcome of await Promise.allSettled(this.#tellWatchers(last))) {
        if (outcome.status === "rejected") this.log.error("A conversation could not be notified", outcome.reason);
      }
    }
    if (stored.status === "rejected") {
      this.log.error("A player's presence could not be stored", stored.reason);
      this.#wakes.set("presenceAt", Date.now() + RETRY);
    } else if (last.state !== "offline" && this.ctx.storage.kv.get("leftAt") === undefined) {
      this.#wakes.set("presenceAt", last.seenAt + REFRESH);
    }
  }

  /** Sends the pushes that are due, or holds them back while a tab is in view. */
  async #pushOnce(): Promise<void> {
    const { settings: env, log } = this;
    const { kv } = this.ctx.storage;
    const now = new Date();
    const isInView = this.#isInView();
    // `heldUntil` is stored first, because the tab may go out of view in the meantime.
    if (isInView && (this.#heldUntil() ?? 0) <= now.getTime()) kv.put("heldUntil", now.getTime() + IN_VIEW_WAIT);
    const until = this.#heldUntil();
    this.#wakes.clear("pushAt");
    try {
      const hold = until === undefined ? null : { until, isInView };
      const nextAt = await deliverPushes({ env, log, db: this.openDatabase(), now }, this.name, hold);
      if (!isInView || nextAt === null) kv.delete("heldUntil");
      if (nextAt !== null) this.#wakes.setNoLaterThan("pushAt", nextAt);
    } catch (error) {
      log.error("The pushes could not be sent", error);
      this.#wakes.setNoLaterThan("pushAt", Date.now() + PUSH_RETRY);
    }
  }

  /** Sends the pushes that are due. Doesn't query the database while a tab in view holds them back anyway. */
  async #pushUnlessHeld(): Promise<void> {
    const until = this.#heldUntil();
    if (until !== undefined && until > Date.now() && this.#isInView()) this.#wakes.setNoLaterThan("pushAt", until);
    else await this.#push();
  }

  /** Returns the end of the time for which a tab in view holds the pushes back, in milliseconds since 1970. */
  #heldUntil(): number | undefined {
    return this.ctx.storage.kv.get<number>("heldUntil");
  }

  #isInView(): boolean {
    return this.sockets().some(
      (socket) => this.visitor(socket).inView && Date.now() - this.#heardAt(socket) < IN_VIEW_SILENCE,
    );
  }

  #dismissSilent(): void {
    for (const socket of this.sockets()) {
      if (Date.now() - this.#heardAt(socket) > SILENCE) this.dismiss(socket, 1001, "No sign of life");
    }
  }

  /** Returns when a tab last showed a sign of life, in milliseconds since 1970. */
  #heardAt(socket: Socket<InboxState>): number {
    return this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? this.visitor(socket).openedAt;
  }

  /** Lists the sessions that have a socket here or in a conversation. */
  #listSessions(): string[] {
    const here = this.sockets().map((socket) => this.visitor(socket).sessionId);
    const elsewhere = this.#list("visit:").map(([visit]) => visit.slice(0, visit.indexOf(":")));
    return [...new Set([...here, ...elsewhere])];
  }

  #hasEnded(sessionId: string): boolean {
    for (const [ended, at] of this.#ended) if (Date.now() - at > JUST_NOW) this.#ended.delete(ended);
    return this.#ended.has(sessionId);
  }

  /** Lists the keys under a prefix, without the prefix, and their values. */
  #list<Value>(prefix: string): [string, Value][] {
    return [...this.ctx.storage.kv.list<Value>({ prefix })].map(([key, value]) => [key.slice(prefix.length), value]);
  }

  #conversation(conversationId: string) {
    return this.settings.CONVERSATION_ROOMS.getByName(conversationId);
  }
}

const watchKey = (conversationId: string) => `watch:${conversationId}`;
const closingKey = (sessionId: string) => `closing:${sessionId}`;
const visitKey = (sessionId: string, conversationId: string) => `visit:${sessionId}:${conversationId}`;
