/** Thrown if too many requests already wait for the same costly work, or a request's turn does not come in time. */
class BusyError extends Error {
  constructor() {
    super("Too much of this work is under way");
    this.name = "BusyError";
  }
}

/** Whether an error, or one of its causes, is a `BusyError`. */
export const isBusy = (error: unknown): boolean =>
  error instanceof BusyError || (error instanceof Error && isBusy(error.cause));

interface TurnRules {
  /** The number of requests that run at the same time. */
  concurrency: number;
  /** The number of requests that may wait. */
  maxWaiting: number;
  /** The longest wait of a request, in milliseconds. */
  maxWait: number;
}

/** The interval at which a waiter checks whether its turn has come, in milliseconds. */
const POLL_INTERVAL = 10;
/**
 * The first request in the queue is dropped if it stops polling: once the others have polled more than this many times
 * per request in the queue since its own last poll.
 */
const MAX_MISSED_POLLS = 5;
/**
 * The pause before a turn's work begins, in milliseconds. Without it, blocking work would run back to back and leave no
 * time for other requests.
 */
const START_DELAY = 10;
/** After this many milliseconds a turn counts as over, even if its request never ended it. */
const TURN_TIMEOUT = 1_000;

interface Place {
  /** The number of polls by other waiters since this one's last poll; counted only for the first in the queue. */
  missedPolls: number;
}

/**
 * Creates a queue for costly work in one isolate, first come, first served. Each request waits on its own timers, and
 * none wakes another. A request whose client has disconnected never continues, so no other request may wait for it to
 * finish or to leave the queue.
 */
export function createWorkQueue({ concurrency, maxWaiting, maxWait }: TurnRules) {
  const queue: Place[] = [];
  /** The start times of the current turns. */
  const turns = new Map<Place, number>();

  function isTurnOf(place: Place): boolean {
    place.missedPolls = 0;
    const first = queue[0];
    if (first && first !== place) {
      first.missedPolls += 1;
      if (first.missedPolls > MAX_MISSED_POLLS * queue.length) queue.shift();
    }
    for (const [one, began] of turns) if (Date.now() - began > TURN_TIMEOUT) turns.delete(one);
    return queue[0] === place && turns.size < concurrency;
  }

  async function waitForTurn(): Promise<Place> {
    if (queue.length >= maxWaiting) throw new BusyError();
    const place: Place = { missedPolls: 0 };
    queue.push(place);
    const givesUpAt = Date.now() + maxWait;
    while (!isTurnOf(place)) {
      if (Date.now() > givesUpAt || !queue.includes(place)) {
        if (queue.includes(place)) queue.splice(queue.indexOf(place), 1);
        throw new BusyError();
      }
      await sleep(POLL_INTERVAL);
    }
    queue.shift();
    turns.set(place, Date.now());
    await sleep(START_DELAY);
    return place;
  }

  /**
   * Runs work when its turn comes.
   * @throws BusyError if too many are waiting, or its turn did not come in time
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
