import { DAILY_PLAYERS } from "../growth";
import { MIX } from "../traffic";
import { type Figures, number, table } from "./figures";

const DAYS = 30;

/**
 * List prices in dollars a month, read in November 2026: Cloudflare's paid plan (developers.cloudflare.com/workers and
 * /durable-objects, platform/pricing) and Turso's Scaler with its overage (turso.tech/pricing).
 */
const PRICES = {
  requests: { included: 10e6, per: 1e6, price: 0.3 },
  "CPU milliseconds": { included: 30e6, per: 1e6, price: 0.02 },
  "object requests": { included: 1e6, per: 1e6, price: 0.15 },
  "object GB-seconds": { included: 400e3, per: 1e6, price: 12.5 },
  "rows read": { included: 100e9, per: 1e9, price: 1 },
  "rows written": { included: 100e6, per: 1e6, price: 1 },
};
const BASE = 5 + 24.92;
/** Each call is billed as 128 MB for ten milliseconds, an assumption: rooms hibernate between calls. */
const OBJECT_GB_SECONDS = 0.125 * 0.01;

/** Writes the page on growth: what many players cost a month, and what gives way first. */
export function reportGrowth(figures: Figures): string {
  const actions = Object.entries(MIX).map(([name, { perDay, requests, objects, writes }]) => [
    name,
    String(perDay),
    String(requests),
    String(objects),
    String(writes),
    ...["rows read", "rows written", "CPU time"].map((subject) => figures.show(name, subject)),
  ]);
  const months = DAILY_PLAYERS.map((players) => monthOf(figures, `${players} daily players`));
  const kinds = Object.keys(PRICES) as (keyof typeof PRICES)[];
  const amounts = kinds.map((kind) => [kind, ...months.map((month) => amount(month[kind]))]);
  const costs = kinds.map((kind) => [kind, ...months.map((month) => dollars(costOf(kind, month[kind])))]);
  const sums = months.map((month) => BASE + kinds.reduce((sum, kind) => sum + costOf(kind, month[kind]), 0));
  const peaks = ["requests a second at the peak", "writes a second at the peak", "sockets at the peak"].map(
    (subject) => [
      subject,
      ...DAILY_PLAYERS.map((players) => number(figures.median(`${players} daily players`, subject) ?? 0)),
    ],
  );
  const players = DAILY_PLAYERS.map((count) => count.toLocaleString("en").replaceAll(",", " "));
  return `# Growth

Written by \`npm run bench -- growth\`, never by hand. The bench performs each action of the mix against the built Worker in
the world \`busy\`, counts what the database reports, and simulates a day minute by minute. Visits begin at the hours at
which one region plays; their length is exponentially distributed, 35 minutes on average.

## The traffic mix

How often a player does each action is an assumption, because there is no real traffic yet. The requests, object calls
and writes of an action follow from the code. These four columns are in \`tests/bench/traffic.ts\`, and the other three
are measured: the median, with minimum and maximum in brackets if they differ. *Writes* are transactions; those that
rooms store later, such as presence, are counted there and not among the rows. Players who act have a tab open, so the
rows and the CPU time include their inboxes' counts of what is unread.

${table(["action", "per player per day", "requests", "object calls", "writes", "rows read", "rows written", "CPU, ms"], actions)}

## A month

${table(["daily players", ...players], [...amounts, ...peaks])}

${table(["dollars a month", ...players], [["plans", ...players.map(() => dollars(BASE))], ...costs, ["**sum**", ...sums.map(dollars)], ["for each 1 000 daily players", ...sums.map((sum, at) => dollars((sum / (DAILY_PLAYERS[at] as number)) * 1_000))]])}

List prices of November 2026, excluding storage, email, pictures and traffic. An object call is billed as 10 ms of
128 MB: rooms hibernate between calls, and their answers to pings cost no call.

## The first limit, and the path past it

Rows read don't grow with the tables ([benchmarks](decisions/0071-benchmarks.md)), Workers have no limit of their own, and each
conversation, inbox and tournament is an object of its own. Two things are shared by all players:

1. **The database's writer.** libSQL writes one transaction at a time. The table's *writes a second at the peak* is the
   number to compare with what one server commits: [decision 0012](decisions/0012-message-path.md) saw 65 to 180
   messages a second on two shared cores, and the benchmark of rooms measures it again.
2. **The post list's rooms.** They tell all open lists of a new post, so their frames grow with posts times readers.
   [Decision 0064](decisions/0064-live-lists.md) measures what a room carries: about 8 000 open lists, with one change a
   second. Eight rooms share the players.

| step | engine | change in the code |
| --- | --- | --- |
| 1. Reads near players | Turso replicas: reads go to the nearest, writes to the primary | \`db/client.ts\` takes a second URL for requests without a write. A page after a form must read its own write: the answer's cookie carries the time, and a page within a few seconds of it reads from the primary |
| 2. Fewer writes | Cloudflare Queues for presence, read marks and notifications | These writes can wait a few seconds. Rooms already collect them; they would send to a queue, whose consumer writes hundreds in one transaction |
| 3. A database per region | libSQL, one for each region of the game: players of different regions don't meet in a match | \`openDatabase\` chooses by the player's region. Posts, teams, tournaments and their chats live with their region; accounts, sessions, blocks and moderation stay in one database, so a page queries two databases in parallel, which still costs one delay |
| 4. Conversations by shard | libSQL databases by the hash of the conversation's id | Each member's shard keeps that member's list of conversations; a message then writes to two databases, by the outbox pattern |
| 5. More rooms for the post list | objects, each for a share of the players | \`SHARDS\` in \`post-rooms.server.ts\`, eight today. Each change to a post makes a call to every room |

None of these changes a screen or an address. Steps 1 and 2 need no migration of data.
`;
}

/** The units that a month uses, from the simulated day and the measured actions. */
function monthOf(figures: Figures, group: string): Record<keyof typeof PRICES, number> {
  const sum = (each: (name: string, action: { requests: number; objects: number }) => number) =>
    Object.entries(MIX).reduce(
      (total, [name, action]) => total + (figures.median(group, name) ?? 0) * DAYS * each(name, action),
      0,
    );
  const objects = sum((_, action) => action.objects);
  return {
    requests: sum((_, { requests }) => requests),
    "CPU milliseconds": sum((name) => figures.mean(name, "CPU time")),
    "object requests": objects,
    "object GB-seconds": objects * OBJECT_GB_SECONDS,
    "rows read": sum((name) => figures.mean(name, "rows read")),
    "rows written": sum((name) => figures.mean(name, "rows written")),
  };
}

function costOf(kind: keyof typeof PRICES, used: number): number {
  const { included, per, price } = PRICES[kind];
  return (Math.max(0, used - included) / per) * price;
}

const dollars = (value: number) => number(Math.round(value * 100) / 100);

function amount(value: number): string {
  if (value >= 1e9) return `${number(value / 1e9)} billion`;
  return value >= 1e6 ? `${number(value / 1e6)} million` : number(value);
}
