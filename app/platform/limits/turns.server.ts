/** Too many wait for the same costly work already, or it did not come to this one in time. */
class BusyError extends Error {
  constructor() {
    super("Too much of this work is under way");
    this.name = "BusyError";
  }
}

/** Whether an error, or what caused it, is that too many wait. */
export const isBusy = (error: unknown): boolean =>
  error instanceof BusyError || (error instanceof Error && isBusy(error.cause));

interface TurnRules {
  /** How many work at the same time. */
  atOnce: number;
  /** How many may wait for that. */
  waiting: number;
  /** How long one waits, in milliseconds. */
  patience: number;
}

/** How often one who waits looks whether it is their turn, in milliseconds. */
const LOOK = 10;
/** Drop a waiter that has missed this many polls in a row. */
const LOOKS_MISSED = 5;
/**
 * How long a turn waits before its work begins, in milliseconds. Work that holds the isolate up would else begin as soon
 * as its turn comes, one after the other, with everything else behind them.
 */
const BREATH = 10;
/** When a turn that was not given back has lapsed, in milliseconds. */
const LAPSE = 1_000;

interface Place {
  /** How often the others have looked since this one did. */
  passedBy: number;
}

/**
 * Work of one isolate that is done in turns, first come, first served. Each request waits on timers of its own and none
 * is called by another: whose client has gone never continues, so neither its turn nor its place in the queue may be
 * needed for the next one to go on.
 */
export function createTurns({ atOnce, waiting, patience }: TurnRules) {
  const queue: Place[] = [];
  /** When each turn began. */
  const turns = new Map<Place, number>();

  function isTurnOf(place: Place): boolean {
    place.passedBy = 0;
    const first = queue[0];
    if (first && first !== place) {
      first.passedBy += 1;
      if (first.passedBy > LOOKS_MISSED * queue.length) queue.shift();
    }
    for (const [one, began] of turns) if (Date.now() - began > LAPSE) turns.delete(one);
    return queue[0] === place && turns.size < atOnce;
  }

  async function waitForTurn(): Promise<Place> {
    if (queue.length >= waiting) throw new BusyError();
    const place: Place = { passedBy: 0 };
    queue.push(place);
    const givesUpAt = Date.now() + patience;
    while (!isTurnOf(place)) {
      if (Date.now() > givesUpAt || !queue.includes(place)) {
        if (queue.includes(place)) queue.splice(queue.indexOf(place), 1);
        throw new BusyError();
      }
      await sleep(LOOK);
    }
    queue.shift();
    turns.set(place, Date.now());
    await sleep(BREATH);
    return place;
  }

  /**
   * Does the work when it is its turn.
   * @throws BusyError when there are too many before it
   */
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const place = await waitForTurn();
    try {
      return await work();
    } finally {
      turns.delete(place);
    }
  };
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
