import { Random } from "../../scripts/worlds/random";

/** One kind of action of a player's day. */
interface Action {
  /** The number of times a player does it on an average day. These are assumptions: there is no real traffic yet. */
  perDay: number;
  /** Requests to the Worker, sockets included. */
  requests: number;
  /** Calls to Durable Objects: rooms that are opened or notified. */
  objects: number;
  /** Transactions that write. */
  writes: number;
}

/** The traffic mix: an evening of looking for a team, with two visits. */
export const MIX = {
  "open LFG": { perDay: 6, requests: 1, objects: 0, writes: 0 },
  "filter LFG": { perDay: 3, requests: 1, objects: 0, writes: 0 },
  "open Players": { perDay: 1, requests: 1, objects: 0, writes: 0 },
  "open a player": { perDay: 3, requests: 1, objects: 0, writes: 0 },
  "open Messages": { perDay: 3, requests: 1, objects: 0, writes: 0 },
  "open a thread": { perDay: 5, requests: 2, objects: 1, writes: 1 },
  // The room of the conversation, and both inboxes.
  "send a message": { perDay: 10, requests: 1, objects: 3, writes: 1 },
  // Both changes go to the eight rooms of the post list; closing also goes to the author's inbox.
  "make and close a post": { perDay: 0.3, requests: 2, objects: 17, writes: 2 },
  // Includes making and closing the post. Two inboxes are notified of the request's end, and one of the request.
  "ask to join": { perDay: 0.6, requests: 3, objects: 19, writes: 3 },
  "open Tournaments": { perDay: 0.5, requests: 1, objects: 0, writes: 0 },
  "open a bracket": { perDay: 0.5, requests: 1, objects: 0, writes: 0 },
  // Each visit opens the inbox, which stores when the player comes online and goes offline.
  "come and go": { perDay: 2, requests: 2, objects: 1, writes: 2 },
} as const satisfies Record<string, Action>;

/** The mean length of a visit, in minutes. Its tab holds two sockets: the inbox, and the list or the conversation. */
const VISIT_MINUTES = 35;
const SOCKETS = 2;
/** How many visits begin in each hour of the busiest region's day, relative to the others: most in the evening. */
const HOURS = [3, 2, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, 11, 10, 8, 5, 3];
const MINUTES = 24 * 60;

interface Day {
  /** The number of times each action happens. */
  counts: Record<string, number>;
  peakRequests: number;
  peakWrites: number;
  peakSockets: number;
  socketHours: number;
}

/** Simulates a day minute by minute: visits by the hour, and each visit's actions spread over its length. */
export function simulateDay(players: number): Day {
  const random = new Random(7_100);
  const [requests, writes, sockets] = [0, 1, 2].map(() => new Float64Array(MINUTES)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const counts: Record<string, number> = {};
  const total = HOURS.reduce((sum, share) => sum + share, 0);
  const visits = MIX["come and go"].perDay;
  for (let visit = 0; visit < players * visits; visit += 1) {
    const begin = pickHour(random, total) * 60 + random.between(0, 59);
    // Exponentially distributed around that mean.
    const length = Math.ceil(-Math.log(1 - random.next()) * VISIT_MINUTES) || 1;
    for (let minute = begin; minute < begin + length; minute += 1) add(sockets, minute, SOCKETS);
    for (const [name, { perDay, requests: asked, writes: written }] of Object.entries(MIX)) {
      const times = name === "come and go" ? 1 : poisson(random, perDay / visits);
      counts[name] = (counts[name] ?? 0) + times;
      for (let time = 0; time < times; time += 1) {
        const minute = begin + random.between(0, length - 1);
        add(requests, minute, asked);
        add(writes, minute, written);
      }
    }
  }
  const sum = sockets.reduce((one, other) => one + other, 0);
  return {
    counts,
    peakRequests: Math.max(...requests) / 60,
    peakWrites: Math.max(...writes) / 60,
    peakSockets: Math.max(...sockets),
    socketHours: sum / 60,
  };
}

const add = (minutes: Float64Array, minute: number, value: number) => {
  const at = minute % MINUTES;
  minutes[at] = (minutes[at] ?? 0) + value;
};

function pickHour(random: Random, total: number): number {
  let left = random.next() * total;
  return HOURS.findIndex((share) => {
    left -= share;
    return left < 0;
  });
}

/** A number of independent events with this mean (Knuth's method). */
function poisson(random: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let product = random.next();
  let events = 0;
  while (product > limit) {
    product *= random.next();
    events += 1;
  }
  return events;
}
