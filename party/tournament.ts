import * as z from "zod/mini";
import { tellConversation } from "~/features/messages/shared/tell-conversation.server";
import { tellModerators, tellNotified } from "~/features/notifications/shared/unread.server";
import { nextDue } from "~/features/tournaments/play/decide";
import { loadPlay } from "~/features/tournaments/play/load.server";
import { type PlayResult, play, type ReceivedCommand } from "~/features/tournaments/play/play.server";
import { type Saved, Unconfirmed } from "~/features/tournaments/play/save.server";
import type { PlayState } from "~/features/tournaments/play/state";
import { isDatabaseUnavailable } from "~/platform/database";
import { Room } from "./room";
import type { TournamentCalls, TournamentVisitor, Visitor } from "./wire/calls";
import type { Command, Outcome } from "./wire/tournament-commands";
import type { TournamentServerMessage } from "./wire/tournament-frames";

/** The most sockets of guests with one IP address, who may be a whole school or a mobile network. */
const MAX_GUESTS = 200;
/** The delay before a failed alarm is retried, in milliseconds. */
const RETRY = 15_000;
/** The key of the changes that the database hasn't confirmed: they are announced again with the next command. */
const UNCONFIRMED = "unconfirmed";

interface Waiting extends ReceivedCommand {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * The room of one tournament. All changes to a running tournament pass through here, one after another: commands that
 * arrive while others are being stored are decided and stored together. It notifies the browsers that show the
 * tournament, and applies deadlines by itself. Its name is the tournament's id.
 */
export class Tournament
  extends Room<TournamentVisitor, Visitor, never, TournamentServerMessage>
  implements TournamentCalls
{
  protected readonly incoming = z.never();

  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  /** The tournament as last loaded; the database decides whether it is still current. */
  #known: PlayState | null = null;
  #loading: Promise<unknown> | undefined;

  /** Loads the tournament ahead of a command, while the Worker checks who sent it. */
  async prepare(): Promise<void> {
    // Before the start, registrations change the tournament without a call to this room.
    if (this.#running || (this.#known && this.#known.state !== "open")) return;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }

  async play(actorId: string, command: Command): Promise<Outcome | "unavailable"> {
    try {
      return await this.#enqueue({ actorId, command });
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      this.log.error("The database is unavailable", error);
      return "unavailable";
    }
  }

  async settle(): Promise<void> {
    const settled = await this.#enqueue({ actorId: null, command: { type: "settle" } });
    if (settled.outcome === "refused" && settled.reason === "busy") throw new Error("The deadlines weren't applied.");
  }

  async changed(): Promise<void> {
    this.#known = null;
    this.sendNews({ type: "changed" });
  }

  override async onAlarm(): Promise<void> {
    try {
      await this.settle();
    } catch (error) {
      this.log.error("Settling failed", error);
      await this.ctx.storage.setAlarm(Date.now() + RETRY);
    }
  }

  protected pickState({ userId, sessionId, expiresAt }: TournamentVisitor): Visitor {
    return { userId, sessionId, expiresAt };
  }

  /**
   * Turns away a guest whose IP address has `MAX_GUESTS` sockets already. The other sockets stay open, because they may
   * belong to strangers.
   */
  protected override admit(visitor: TournamentVisitor): boolean {
    return visitor.isGuest ? this.sockets(visitor.userId).length < MAX_GUESTS : super.admit(visitor);
  }

  protected onEnter(): void {
    // The page has loaded everything, except news that `Room` repeats.
  }

  protected onLeave(): void {
    // No state depends on visitors leaving.
  }

  protected onFrame(): void {
    // Browsers send nothing here: their commands are posted as forms.
  }

  #enqueue(received: ReceivedCommand): Promise<Outcome> {
    return new Promise<Outcome>((resolve, reject) => {
      this.#waiting.push({ ...received, resolve, reject });
      this.#running ??= this.#runQueue().finally(() => {
        this.#running = undefined;
      });
    });
  }

  /** Carries out waiting commands until there are none. */
  async #runQueue(): Promise<void> {
    await this.#loading?.catch(() => undefined);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const { APP_ORIGIN } = this.settings;
        const played = await play(this.openDatabase(), this.name, batch, this.#known, Date.now(), APP_ORIGIN);
        for (const failure of played.failures) this.log.error("A command failed", failure);
        this.#known = played.state;
        for (const { received, outcome } of played.answers) received.resolve(outcome);
        // The commands are stored and answered, so an error here mustn't refuse them. The cron applies deadlines whose
        // alarm is missing.
        await this.#followUp(played).catch((error: unknown) => this.log.error("Following up a change failed", error));
      } catch (error) {
        this.#known = null;
        const isUnconfirmed = error instanceof Unconfirmed;
        for (const { reject } of batch) reject(isUnconfirmed ? error.cause : error);
        if (isUnconfirmed) this.#announceUnconfirmed(error.change);
      }
    }
  }

  /** Handles the consequences of a change. No command waits for it. */
  async #followUp(played: PlayResult): Promise<void> {
    const { state, hasChanged } = played;
    if (!state) return;
    const { kv } = this.ctx.storage;
    const unconfirmed = kv.get<Saved>(UNCONFIRMED);
    if (unconfirmed) {
      this.#announce(unconfirmed);
      kv.delete(UNCONFIRMED);
    }
    if (hasChanged) this.#announce(played);
    const due = nextDue(state);
    if (due !== null) await this.ctx.storage.setAlarm(Math.max(due, Date.now()));
  }

  /**
   * Announces a change that may be stored even though the database's response was lost. If the change is stored only
   * after this, the next command announces it: a player whose command has failed sends it again, and this time the
   * command changes nothing.
   */
  #announceUnconfirmed(change: Saved): void {
    try {
      const { kv } = this.ctx.storage;
      kv.put<Saved>(UNCONFIRMED, join(kv.get<Saved>(UNCONFIRMED), change));
      this.#announce(change);
    } catch (error) {
      this.log.error("Announcing an unconfirmed change failed", error);
    }
  }

  /** Makes open pages reload, counts and pushes the notifications, and tells moderators of a new case. */
  #announce({ notified, isFlagged, chats, joined = [] }: Saved): void {
    this.sendNews({ type: "changed" });
    const caller = {
      db: this.openDatabase(),
      env: this.settings,
      defer: (work: () => Promise<unknown>) => this.runInBackground("Telling other rooms", work()),
    };
    for (const id of chats) tellConversation(caller, id, { type: "match" });
    for (const id of joined) tellConversation(caller, id, { type: "changed" });
    tellNotified(caller, notified);
    if (isFlagged) tellModerators(caller);
  }

  async #load(): Promise<void> {
    this.#known = await loadPlay(this.openDatabase(), this.name);
  }
}

/** Joins two changes that are announced together. */
function join(one: Saved | undefined, other: Saved): Saved {
  if (!one) return other;
  const userIds = new Set([...one.notified, ...other.notified].map(({ userId }) => userId));
  return {
    notified: [...userIds].map((userId) => ({ userId })),
    isFlagged: one.isFlagged || other.isFlagged,
    chats: [...new Set([...one.chats, ...other.chats])],
    joined: [...new Set([...(one.joined ?? []), ...(other.joined ?? [])])],
  };
}
