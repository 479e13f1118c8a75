import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import type { Command, Outcome } from "#party/wire/tournament-commands";
import { decide } from "./decide";
import type { Chance, Decision, PlayEvent } from "./decision";
import { loadPlay } from "./load.server";
import { Outdated, savePlay } from "./save.server";
import type { PlayState } from "./state";

/** Somebody's command, as the room has taken it. */
export interface Asked {
  /** Null for what happens by itself. */
  actorId: string | null;
  command: Command;
}

/** What has become of some commands, one after the other. */
export interface Played {
  outcomes: Outcome[];
  /** The tournament as it is now; null when there is none. */
  state: PlayState | null;
  /** Something has changed. */
  hasChanged: boolean;
  /** Who was told of it. */
  told: { userId: string }[];
  /** What went wrong with single commands, which were refused: for the log. */
  failures: unknown[];
}

/** How often a decision is made anew because somebody else was faster. */
const TRIES = 4;

/**
 * Carries out commands in their order, and stores all that they change in one transaction: each decides on what those before
 * it have left. Two round trips at most, one where the state is at hand, unless somebody else changes the tournament
 * meanwhile.
 * @param known the tournament as it was last seen; it may be out of date
 */
export async function play(
  db: Database,
  tournamentId: string,
  asked: readonly Asked[],
  known: PlayState | null,
  now: number,
): Promise<Played> {
  let state = known;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const isFresh = state === null;
    state ??= await loadPlay(db, tournamentId);
    if (!state) return { outcomes: asked.map(() => MISSING), state: null, ...NOTHING };
    const { outcomes, after, events, joins, failures } = await decideAll(state, asked, now);
    if (events.length === 0 && joins.length === 0) {
      if (isFresh || outcomes.every(({ outcome }) => outcome === "done")) {
        return { outcomes, state, hasChanged: false, told: [], failures };
      }
      // What an old state forbids, the new one may allow. Where something is stored, its version tells whether it is old.
      state = null;
      continue;
    }
    try {
      const { told } = await savePlay(db, state, after, { events, joins }, now);
      return { outcomes, state: { ...after, version: state.version + 1 }, hasChanged: true, told, failures };
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      state = null;
    }
  }
  return { outcomes: asked.map(() => BUSY), state: null, ...NOTHING };
}

const NOTHING = { hasChanged: false, told: [], failures: [] };

const MISSING: Outcome = { outcome: "refused", reason: "missing" };
const BUSY: Outcome = { outcome: "refused", reason: "busy" };

async function decideAll(before: PlayState, asked: readonly Asked[], now: number) {
  const outcomes: Outcome[] = [];
  const events: PlayEvent[] = [];
  const joins: { match: number; userId: string }[] = [];
  const failures: unknown[] = [];
  let after = before;
  for (const { actorId, command } of asked) {
    const situation = { state: after, actorId, now, chance: chanceAt(now) };
    const decision = await decide({ ...situation, command }).catch((error: unknown): Decision => {
      // One command that can't be carried out must not take those of others along.
      failures.push(error);
      return { ok: false, reason: "busy" };
    });
    if (!decision.ok) {
      outcomes.push({ outcome: "refused", reason: decision.reason });
      continue;
    }
    after = decision.state;
    events.push(...decision.events);
    if (decision.joins) joins.push(decision.joins);
    const isConfirmed = command.type === "report" && decision.events.some(({ action }) => action === "confirmed");
    outcomes.push({ outcome: "done", ...(isConfirmed && { isConfirmed }) });
  }
  return { outcomes, after, events, joins, failures };
}

const chanceAt = (now: number): Chance => ({
  newId: () => uuidv7(now),
  shuffle: (list) => {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = below(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other] as never, shuffled[last] as never];
    }
    return shuffled;
  },
});

/** A number from 0 to below `limit`, each as likely: what would favour the small ones is drawn again. */
function below(limit: number): number {
  const ceiling = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const [drawn] = crypto.getRandomValues(new Uint32Array(1)) as unknown as [number];
    if (drawn < ceiling) return drawn % limit;
  }
}
