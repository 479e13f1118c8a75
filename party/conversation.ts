import { markRead } from "~/features/messages/commands.server";
import { hideMessage } from "~/features/messages/rules";
import { coalesce, pause } from "./coalesce";
import { InOrder } from "./in-order";
import { Room, type Socket } from "./room";
import type { Audience, ConversationCalls, ConversationVisitor, Visitor } from "./wire/calls";
import type { ConversationServerMessage } from "./wire/conversation-frames";
import { CLOSE } from "./wire/frames";
import type { SeenPresence } from "./wire/presence";
import { type ConversationClientMessage, conversationClientMessage } from "./wire/protocol";

/** The shortest interval at which a player's typing is passed on, in milliseconds. */
const TYPING_INTERVAL = 1_000;
/** Read marks wait `delay` for later ones and are stored at most once per `interval`, in milliseconds. */
const READ_PACE = { delay: 100, interval: 500 };
/** Delays before a failed write of a read mark is retried, in milliseconds. */
const READ_RETRY_DELAYS = [1_000, 5_000];
/** The delay before failed registrations with inboxes are retried, in milliseconds. */
const REGISTER_RETRY = 5_000;

interface ConversationState extends Visitor {
  others: string[];
  isPair: boolean;
}

/** A message to be delivered to the players who were members when it was stored. */
interface Delivery {
  seq: number;
  message: Extract<ConversationServerMessage, { type: "message" }>["message"];
  audience: Audience | undefined;
}

/** The registrations of this room at players' inboxes; stored, because the room hibernates. */
interface Registration {
  /** `[user id, session id]` of each visitor with a socket. */
  entered: [string, string][];
  /** Members whose presence is visible to someone in this room. */
  watched: string[];
}

/**
 * The room of one conversation. It delivers stored messages to its members, stores and announces their read marks, and
 * passes on typing and presence. Its name is the conversation's id.
 */
export class Conversation
  extends Room<ConversationVisitor, ConversationState, ConversationClientMessage, ConversationServerMessage>
  implements ConversationCalls
{
  protected readonly incoming = conversationClientMessage;

  readonly #messages = new InOrder<Delivery>((delivery) => this.#deliver(delivery));
  readonly #typedAt = new Map<string, number>();
  readonly #readers = new Map<string, { seq: number; store: () => Promise<void> }>();
  readonly #register = coalesce(() => this.#registerOnce(), { delay: 0, interval: 0 });
  readonly #registerAgain = coalesce(() => this.#register(), { delay: REGISTER_RETRY, interval: 0 });

  async tell(message: ConversationServerMessage, audience?: Audience): Promise<void> {
    if (message.type === "message") {
      const delivery = { seq: message.message.seq, message: message.message, audience };
      if (message.message.isChanged) {
        // The message has been delivered before, in its turn.
        this.#deliver(delivery);
        const { seq } = message.message;
        this.keepNews({ type: "edited", seq }, `edited:${seq}`);
      } else this.#messages.add(delivery);
    } else if (message.type === "read") this.sendToAll(message, mayNotice(message.userId));
    else this.sendNews(message);
    // The blocks between members have changed: all of them reconnect, and the Worker checks again.
    if (message.type === "changed") for (const socket of this.sockets()) this.dismiss(socket, CLOSE.restart, "Changed");
  }

  async tellPresence(userId: string, presence: SeenPresence): Promise<boolean> {
    const isWatched = this.sockets().some((socket) => seesPresenceOf(userId)(this.visitor(socket)));
    if (isWatched) this.#learnPresence(userId, presence);
    else this.#forgetPresence(userId);
    return isWatched;
  }

  async forgetMember(userId: string): Promise<void> {
    for (const socket of this.sockets()) {
      const visitor = this.visitor(socket);
      if (!visitor.others.includes(userId)) continue;
      this.sendTo(socket, { type: "presence", userId, state: "offline", seenAt: Date.now() });
      socket.setState({ ...visitor, others: visitor.others.filter((other) => other !== userId) });
    }
    this.#forgetPresence(userId);
  }

  protected pickState({ userId, sessionId, expiresAt, others, isPair }: ConversationVisitor): ConversationState {
    return { userId, sessionId, expiresAt, others, isPair };
  }

  protected onEnter(socket: Socket<ConversationState>, { lastSeq }: ConversationVisitor): void {
    this.#messages.beginAfter(lastSeq);
    // A message may have been delivered since the Worker read `lastSeq` from the database.
    this.sendTo(socket, { type: "hello", lastSeq: Math.max(lastSeq, this.#messages.highest) });
    const { watched } = this.#registration();
    for (const userId of watched) {
      if (!seesPresenceOf(userId)(this.visitor(socket))) continue;
      const presence = this.ctx.storage.kv.get<SeenPresence>(presenceKey(userId));
      if (presence) this.sendTo(socket, { type: "presence", userId, ...presence });
    }
    this.runInBackground("Registering with inboxes", this.#register());
  }

  protected onLeave(): void {
    this.runInBackground("Registering with inboxes", this.#register());
  }

  protected onFrame(socket: Socket<ConversationState>, message: ConversationClientMessage): void {
    const { userId } = this.visitor(socket);
    switch (message.type) {
      case "typing": {
        const now = Date.now();
        if (now - (this.#typedAt.get(userId) ?? 0) < TYPING_INTERVAL) return;
        this.#typedAt.set(userId, now);
        this.sendToAll({ type: "typing", userId }, ({ others }) => others.includes(userId));
        break;
      }
      case "read":
        this.#read(userId, message.seq);
        break;
      default:
        message satisfies never;
    }
  }

  #deliver({ message, audience }: Delivery): void {
    this.sendToAll({ type: "message", message }, audience && (({ userId }) => audience.to.includes(userId)));
    if (audience?.firstAnswer && message.senderId) {
      const { senderId } = message;
      this.#showActivity(senderId, audience.to);
      // Until now, the members haven't been told how far the sender has read.
      this.sendToAll({ type: "read", userId: senderId, seq: audience.firstAnswer.readSeq }, mayNotice(senderId));
    }
    if (!audience?.hiddenFrom.length) return;
    const hidden = { type: "message", message: hideMessage(message) } as const;
    this.sendToAll(hidden, ({ userId }) => audience.hiddenFrom.includes(userId));
  }

  /** Lets members see a player's typing, read marks and presence from now on. */
  #showActivity(ofId: string, to: readonly string[]): void {
    for (const socket of this.sockets()) {
      const visitor = this.visitor(socket);
      if (visitor.userId === ofId || visitor.others.includes(ofId) || !to.includes(visitor.userId)) continue;
      socket.setState({ ...visitor, others: [...visitor.others, ofId] });
    }
    this.runInBackground("Registering with inboxes", this.#register());
  }

  /** Records a player's read mark, and stores it soon, together with later marks. */
  #read(userId: string, seq: number): void {
    const reader = this.#readers.get(userId) ?? { seq, store: coalesce(() => this.#storeRead(userId), READ_PACE) };
    reader.seq = Math.max(reader.seq, seq);
    this.#readers.set(userId, reader);
    this.runInBackground("Storing a read mark", reader.store());
  }

  async #storeRead(userId: string): Promise<void> {
    const seq = this.#readers.get(userId)?.seq ?? 0;
    const delays = [...READ_RETRY_DELAYS];
    for (;;) {
      try {
        const readSeq = await markRead(this.openDatabase(), this.name, userId, seq, Date.now());
        if (readSeq !== undefined) this.#announceRead(userId, readSeq);
        return;
      } catch (error) {
        const delay = delays.shift();
        if (delay === undefined) {
          // The mark isn't lost: the next one includes it, and pages send unconfirmed marks again.
          this.log.error("A read mark could not be stored", error);
          return;
        }
        await pause(delay);
      }
    }
  }

  #announceRead(userId: string, seq: number): void {
    this.sendToAll({ type: "read", userId, seq }, mayNotice(userId));
    this.runInBackground("Updating an inbox", this.#inbox(userId).recount({ conversationId: this.name }));
  }

  #learnPresence(userId: string, presence: SeenPresence): void {
    const { kv } = this.ctx.storage;
    const known = kv.get<SeenPresence>(presenceKey(userId));
    if (known && known.seenAt > presence.seenAt) return;
    kv.put(presenceKey(userId), presence);
    this.sendToAll({ type: "presence", userId, ...presence }, seesPresenceOf(userId));
  }

  /** Drops a presence that its inbox no longer updates. */
  #forgetPresence(userId: string): void {
    this.#setRegistration(({ watched }) => ({ watched: watched.filter((other) => other !== userId) }));
    this.ctx.storage.kv.delete(presenceKey(userId));
  }

  /**
   * Updates the inboxes' registrations of this room to match its open sockets. Failed steps are retried soon: a session
   * whose inbox doesn't know of its sockets here could end without closing them.
   */
  async #registerOnce(): Promise<void> {
    const here = this.sockets().map((socket) => this.visitor(socket));
    const sessions = new Map(here.map(({ userId, sessionId }) => [sessionId, userId]));
    const watching = new Set(here.flatMap(({ isPair, others }) => (isPair ? others : [])));
    const known = this.#registration();
    const retry = (error: unknown) => {
      this.log.warn("Registering with an inbox failed", { error: String(error) });
      this.runInBackground("Registering with inboxes", this.#registerAgain());
    };

    for (const [sessionId, userId] of sessions) {
      if (known.entered.some(([, entered]) => entered === sessionId)) continue;
      await this.#inbox(userId)
        .enter(this.name, sessionId)
        .then(async (isOpen) => {
          if (isOpen) this.#setRegistration(({ entered }) => ({ entered: [...entered, [userId, sessionId]] }));
          else await this.closeSession(sessionId);
        }, retry);
    }
    for (const [userId, sessionId] of known.entered) {
      if (sessions.has(sessionId)) continue;
      await this.#inbox(userId)
        .leave(this.name, sessionId)
        .then(() => {
          this.#setRegistration(({ entered }) => ({ entered: entered.filter(([, left]) => left !== sessionId) }));
        }, retry);
    }
    for (const userId of watching) {
      if (known.watched.includes(userId)) continue;
      await this.#inbox(userId)
        .watch(this.name)
        .then((presence) => {
          this.#setRegistration(({ watched }) => ({ watched: [...watched, userId] }));
          if (presence) this.#learnPresence(userId, presence);
        }, retry);
    }
    for (const userId of known.watched) {
      if (watching.has(userId)) continue;
      await this.#inbox(userId)
        .unwatch(this.name)
        .then(() => {
          this.#forgetPresence(userId);
        }, retry);
    }
  }

  #registration(): Registration {
    return this.ctx.storage.kv.get<Registration>("registration") ?? { entered: [], watched: [] };
  }

  #setRegistration(change: (registration: Registration) => Partial<Registration>): void {
    const registration = this.#registration();
    this.ctx.storage.kv.put("registration", { ...registration, ...change(registration) });
  }

  #inbox(userId: string) {
    return this.settings.INBOX_ROOMS.getByName(userId);
  }
}

/**
 * Returns whether a visitor may see a player's read marks: true for the player's own tabs, and for members to whom the
 * player's activity is visible.
 */
const mayNotice =
  (userId: string) =>
  (visitor: ConversationState): boolean =>
    visitor.userId === userId || visitor.others.includes(userId);

/** Returns whether a visitor may see a player's presence. */
const seesPresenceOf =
  (userId: string) =>
  ({ isPair, others }: ConversationState): boolean =>
    isPair && others.includes(userId);

const presenceKey = (userId: string) => `presence:${userId}`;
