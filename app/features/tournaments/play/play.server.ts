import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import type { Command, Outcome } from "#party/wire/tournament-commands";
import { limitEnd } from "~/features/moderation/shared/limits.server";
import { isEvidenceHidden } from "../shared/evidence.server";
import { decide } from "./decide";
import type { Chance, Decision, PlayEvent } from "./decision";
import { loadPlay } from "./load.server";
import { Outdated, type Saved, savePlay } from "./save.server";
import type { PlayState } from "./state";

/** A command as the room received it. */
export interface ReceivedCommand {
  /** The player who sent it; null for automatic commands. */
  actorId: string | null;
  command: Command;
}

/** A command and its outcome. */
interface Answer<A extends ReceivedCommand> {
  received: A;
  outcome: Outcome;
}

/** The results of carrying out some commands in order. */
export interface PlayResult<A extends ReceivedCommand = ReceivedCommand> extends Saved {
  /** One for each command, in the same order. */
  answers: Answer<A>[];
  /** The tournament as it is now; null if there is none, it is hidden, or the commands were given up as `busy`. */
  state: PlayState | null;
  /** Whether anything has changed. */
  hasChanged: boolean;
  /** Errors that single commands threw, for the log. Those commands were refused. */
  failures: unknown[];
}

/** Number of times to decide the commands before giving up, if others keep changing the tournament. */
const TRIES = 4;

/**
 * Carries out commands in order, each on the state that the ones before it left, and stores all their changes in one
 * transaction. Takes one round trip if `known` is up to date, and two if it is null. If someone else has changed the
 * tournament since it was read, each failed attempt to save adds two: reading it and saving again.
 * @param known the last known state, which may be out of date
 * @param origin the site's origin, if it is known
 * @throws Unconfirmed if the database fails while the changes are stored
 */
export async function play<A extends ReceivedCommand>(
  db: Database,
  tournamentId: string,
  received: readonly A[],
  known: PlayState | null,
  now: number,
  origin?: string,
): Promise<PlayResult<A>> {
  let state = known;
  let rulings: Awaited<ReturnType<typeof readRulings>> = [];
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const isFresh = state === null;
    if (isFresh) [state, rulings] = await Promise.all([loadPlay(db, tournamentId), readRulings(db, received, now)]);
    if (!state) return answerAll(received, MISSING);
    const { answers, after, events, joins, failures } = await decideAll(state, received, rulings, now);
    // Matches that are called again change without an event.
    if (after === state && events.length === 0 && joins.length === 0) {
      if (isFresh || answers.every(({ outcome }) => outcome.outcome === "done")) {
        return { answers, state, hasChanged: false, notified: [], isFlagged: false, chats: [], failures };
      }
      // An outdated state may forbid what the current one allows, so read it and decide again. A change needs no such
      // check: saving it compares the versions.
      state = null;
      continue;
    }
    try {
      const stored = await savePlay(db, state, after, { events, joins }, now, origin);
      const saved = { ...after, version: state.version + 1 };
      return { answers, state: saved, hasChanged: true, ...stored, failures };
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      state = null;
    }
  }
  return answerAll(received, BUSY);
}

const MISSING: Outcome = { outcome: "refused", reason: "missing" };
const BUSY: Outcome = { outcome: "refused", reason: "busy" };

/** The result when no command was carried out: all have the same outcome. */
const answerAll = <A extends ReceivedCommand>(commands: readonly A[], outcome: Outcome): PlayResult<A> => ({
  answers: commands.map((received) => ({ received, outcome })),
  state: null,
  hasChanged: false,
  notified: [],
  isFlagged: false,
  chats: [],
  failures: [],
});

const withoutEvidence = (command: Command): Command =>
  command.type === "dispute" ? { ...command, evidence: "" } : command;

/** How moderators' decisions affect the evidence in a command. */
interface Ruling {
  /** The end of a limit on messages, which forbids evidence; null if there is none. */
  until: number | null;
  /** Whether moderators have hidden these words, which are then left out. */
  isHidden: number;
}

/**
 * Reads the rulings on the evidence in some commands: a list for each command. The forms have already checked the
 * limits, but moderators may have set one since then. If that went unnoticed, saving would fail every time, for all
 * commands.
 */
const readRulings = (db: Database, commands: readonly ReceivedCommand[], now: number) =>
  Promise.all(
    commands.map(({ actorId, command }) =>
      actorId && command.type === "dispute" && command.evidence
        ? db.all<Ruling>(sql`SELECT ${limitEnd(actorId, "messaging", now)} AS until,
            ${isEvidenceHidden(actorId, command.evidence)} AS isHidden`)
        : [],
    ),
  );

/** @param rulings as `readRulings` returns them; empty if they weren't read */
async function decideAll<A extends ReceivedCommand>(
  before: PlayState,
  commands: readonly A[],
  rulings: Awaited<ReturnType<typeof readRulings>>,
  now: number,
) {
  const answers: Answer<A>[] = [];
  const events: PlayEvent[] = [];
  const joins: { match: number; userId: string }[] = [];
  const failures: unknown[] = [];
  let after = before;
  for (const [index, received] of commands.entries()) {
    const { actorId } = received;
    const [ruling] = rulings[index] ?? [];
    if (ruling?.until) {
      answers.push({ received, outcome: { outcome: "refused", reason: "limited", until: ruling.until } });
      continue;
    }
    const command = ruling?.isHidden ? withoutEvidence(received.command) : received.command;
    const situation = { state: after, actorId, now, chance: createChance(now) };
    const decision = await decide({ ...situation, command }).catch((error: unknown): Decision => {
      // A failing command must not affect the others.
      failures.push(error);
      return { ok: false, reason: "busy" };
    });
    if (!decision.ok) {
      answers.push({ received, outcome: { outcome: "refused", reason: decision.reason } });
      continue;
    }
    after = decision.state;
    events.push(...decision.events);
    if (decision.joins) joins.push(decision.joins);
    const isConfirmed = command.type === "report" && decision.events.some(({ action }) => action === "confirmed");
    answers.push({ received, outcome: { outcome: "done", ...(isConfirmed && { isConfirmed }) } });
  }
  return { answers, after, events, joins, failures };
}

const createChance = (now: number): Chance => ({
  newId: () => uuidv7(now),
  shuffle: (list) => {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = randomBelow(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other] as never, shuffled[last] as never];
    }
    return shuffled;
  },
});

/**
 * Returns a random whole number from 0 to `limit` − 1, each equally likely: values that would favour small numbers are
 * drawn again.
 */
function randomBelow(limit: number): number {
  const ceiling = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1)) as unknown as [number];
    if (drawn < ceiling) return drawn % limit;
  }
}
