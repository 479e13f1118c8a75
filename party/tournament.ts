import * as z from "zod/mini";
import { countUnread, tellInboxes } from "~/features/notifications/shared/unread.server";
import { nextDue } from "~/features/tournaments/play/decide";
import { type Asked, type Played, play } from "~/features/tournaments/play/play.server";
import type { PlayState } from "~/features/tournaments/play/state";
import { loadPlay } from "~/features/tournaments/play/store.server";
import { Room } from "./room";
import type { TournamentCalls, TournamentVisitor, Visitor } from "./wire/calls";
import type { Command, Outcome } from "./wire/tournament-commands";
import type { TournamentServerMessage } from "./wire/tournament-frames";

/** Players whose open tabs hear of their news at once; others see it on their next page. */
const TOLD_AT_ONCE = 100;
/** When what is due is tried again after it failed, in milliseconds. */
const RETRY = 15_000;

interface Waiting extends Asked {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * The room of one tournament. All that changes a running tournament passes through here, one after the other: what comes in
 * while something is being stored is decided together and stored at once. It tells those who look at the tournament, and
 * does by itself what is due. Its name is the tournament's id.
 */
export class Tournament extends Room<TournamentVisitor, Visitor, never> implements TournamentCalls {
  protected readonly incoming = z.never();

  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  /** The tournament as it was last seen; the database knows whether it still is. */
  #known: PlayState | null = null;
  #loading: Promise<unknown> | undefined;

  /** Reads the tournament ahead of a command: while the Worker looks who asks. */
  async prepare(): Promise<void> {
    // Before the start registrations change it without our hearing of it.
    if (this.#running || (this.#known && this.#known.state !== "open")) return;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }

  async play(actorId: string, command: Command): Promise<Outcome> {
    return this.#ask({ actorId, command });
  }

  async settle(): Promise<void> {
    await this.#ask({ actorId: null, command: { type: "settle" } });
  }

  async changed(): Promise<void> {
    this.#known = null;
    this.tellAll({ type: "changed" } satisfies TournamentServerMessage);
  }

  override async onAlarm(): Promise<void> {
    try {
      await this.settle();
    } catch (error) {
      this.log.error("What was due could not be done", error);
      await this.ctx.storage.setAlarm(Date.now() + RETRY);
    }
  }

  protected keep({ userId, sessionId, expiresAt }: TournamentVisitor): Visitor {
    return { userId, sessionId, expiresAt };
  }

  protected entered(): void {
    // What there is to know, the page knows.
  }

  protected left(): void {
    // Nobody waits for anybody here.
  }

  protected received(): void {
    // Browsers have nothing to say here: what they do, they post.
  }

  #ask(asked: Asked): Promise<Outcome> {
    return new Promise<Outcome>((resolve, reject) => {
      this.#waiting.push({ ...asked, resolve, reject });
      this.#running ??= this.#work().finally(() => {
        this.#running = undefined;
      });
    });
  }

  /** Carries out what waits, until nothing does. */
  async #work(): Promise<void> {
    await this.#loading?.catch(() => undefined);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const played = await play(this.openDatabase(), this.name, batch, this.#known, Date.now());
        for (const failure of played.failures) this.log.error("A command failed", failure);
        this.#known = played.state;
        for (const [index, { resolve }] of batch.entries()) resolve(played.outcomes[index] as Outcome);
        await this.#follow(played);
      } catch (error) {
        this.#known = null;
        for (const { reject } of batch) reject(error);
      }
    }
  }

  /** What follows from a change: nobody waits for it. */
  async #follow({ state, hasChanged, told }: Played): Promise<void> {
    if (!state) return;
    const due = nextDue(state);
    if (due !== null) await this.ctx.storage.setAlarm(Math.max(due, Date.now()));
    if (!hasChanged) return;
    this.tellAll({ type: "changed" } satisfies TournamentServerMessage);
    this.later("Telling inboxes", this.#tell(told));
  }

  async #tell(told: readonly { userId: string }[]): Promise<void> {
    const players = [...new Set(told.map(({ userId }) => userId))].slice(0, TOLD_AT_ONCE);
    const db = this.openDatabase();
    const totals = await Promise.all(players.map((userId) => countUnread(db, userId)));
    tellInboxes({ env: this.settings, defer: (work) => this.later("Telling an inbox", work()) }, totals);
  }

  async #load(): Promise<void> {
    this.#known = await loadPlay(this.openDatabase(), this.name);
  }
}
