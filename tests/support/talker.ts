import { lastWithoutGap, mergeMessages, type ThreadMessage } from "../../app/features/messages/rules";
import { createCatchUp } from "../../app/features/messages/thread/catch-up";
import { uuidv7 } from "../../db/ids";
import type { Client } from "./client";
import { type Frame, type RoomSocket, requestSocket } from "./socket";

/** Pause before a retry, in milliseconds. */
const RETRY = 50;
/** The longest time that loading missed messages may take, in milliseconds. */
const LOAD_TIMEOUT = 10_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY));

/**
 * A player with an open conversation who acts like the thread's script, except that delays are shorter and nothing is
 * polled: retries a message until it is acknowledged, reconnects when the connection is lost, and loads missed messages
 * as the script does.
 */
export class Talker {
  /** The messages that the player's page shows. */
  messages: ThreadMessage[] = [];
  /** The player's own messages that the server has acknowledged, by id. */
  readonly acknowledged = new Map<string, ThreadMessage>();
  /** When the player first tried to send each of these messages, by id, in milliseconds. */
  readonly sentAt = new Map<string, number>();
  /** All sockets that the player has had, the latest last. */
  readonly sockets: RoomSocket[] = [];
  readonly #client: Client;
  readonly #conversationId: string;
  #isOpen = true;
  #isConnecting = false;
  /** The `seq` after which messages are being loaded. */
  #loadsAfter: number | null = null;
  readonly #catchUp = createCatchUp(
    {
      load: (after) => this.#loadAfter(after),
      add: (messages) => this.#add(messages),
    },
    [RETRY],
  );

  constructor(client: Client, conversationId: string) {
    this.#client = client;
    this.#conversationId = conversationId;
  }

  /** Opens the conversation and keeps a socket open from now on. */
  async open(): Promise<this> {
    await this.#connect();
    return this;
  }

  get socket(): RoomSocket {
    return this.sockets.at(-1) as RoomSocket;
  }

  /** Describes what the page waits for and the connection's last frames, for reports of faults. */
  get report(): string {
    const { socket } = this;
    const awaited = [
      ...(this.#isConnecting ? ["a connection"] : []),
      ...(this.#loadsAfter === null ? [] : [`messages after ${this.#loadsAfter}`]),
    ];
    const last = socket.frames.slice(-3).map(({ type }) => type);
    const end = socket.end ? `closed with ${socket.end.code}` : "open";
    return `waits for ${awaited.join(" and ") || "nothing"}; connection ${this.sockets.length} ${end} after ${last.join()}`;
  }

  leave(): void {
    this.#isOpen = false;
    this.#catchUp.stop();
    for (const socket of this.sockets) socket.close();
  }

  /** Sends one message, again and again until it is acknowledged. */
  async send(message: string, id = uuidv7()): Promise<ThreadMessage> {
    this.sentAt.set(id, Date.now());
    while (this.#isOpen) {
      const answer = await this.#client.post(this.#address, { id, message }).catch(() => null);
      if (answer?.status === 200) {
        const stored = JSON.parse(answer.text).message as ThreadMessage;
        this.acknowledged.set(id, stored);
        this.#add([stored]);
        return stored;
      }
      if (answer && answer.status < 500)
        throw new Error(`A message was answered with ${answer.status}: ${answer.text}`);
      await pause();
    }
    throw new Error("The player has left the conversation.");
  }

  /** Sends several messages, one after the other. */
  async sendAll(messages: readonly string[]): Promise<void> {
    for (const message of messages) await this.send(message);
  }

  get #address() {
    return `/conversations/${this.#conversationId}/messages`;
  }

  async #connect(): Promise<void> {
    while (this.#isOpen) {
      const path = `/parties/conversation/${this.#conversationId}`;
      this.#isConnecting = true;
      const answer = await requestSocket(this.#client, path, {}, (frame) => this.#handleFrame(frame)).catch(() => null);
      this.#isConnecting = false;
      if (answer?.socket) {
        this.sockets.push(answer.socket);
        void this.#reconnectAfter(answer.socket);
        return;
      }
      await pause();
    }
  }

  async #reconnectAfter(socket: RoomSocket): Promise<void> {
    await socket.ended;
    if (this.#isOpen) await this.#connect();
  }

  #handleFrame(frame: Frame): void {
    if (frame.type === "hello") this.#catchUp.catchUpTo(frame.lastSeq);
    if (frame.type !== "message") return;
    this.#add([frame.message]);
  }

  async #loadAfter(after: number): Promise<ThreadMessage[] | null> {
    this.#loadsAfter = after;
    try {
      const signal = AbortSignal.timeout(LOAD_TIMEOUT);
      const answer = await this.#client.request(`${this.#address}?after=${after}`, { signal });
      if ([401, 403, 404].includes(answer.status)) return null;
      if (answer.status !== 200) throw new Error(`Answered with ${answer.status}`);
      return (JSON.parse(answer.text) as { messages: ThreadMessage[] }).messages;
    } finally {
      this.#loadsAfter = null;
    }
  }

  #add(messages: readonly ThreadMessage[]): void {
    this.messages = mergeMessages(this.messages, messages);
    // The page has been open since before the conversation's first message.
    const completeSeq = lastWithoutGap(this.messages, false);
    this.#catchUp.look({ lastSeq: this.messages.at(-1)?.seq ?? 0, completeSeq });
  }
}
