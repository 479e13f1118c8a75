import { plotLines } from "../plot";
import { type Figures, type Section, table } from "./figures";

const COLUMNS = [
  "stored a second",
  "p50",
  "p99",
  "lost",
  "doubled",
  "sent again",
  "overtaken",
  "CPU of workerd a message",
  "CPU of sqld a message",
  "CPU of the bench a message",
];

/** Reports deliveries at rising rates, and what idle, returning and slow sockets cost. */
export function reportRooms(figures: Figures): Section {
  const groups = figures.groups(/^p99 at/);
  const ratesOf = (group: string) =>
    figures.subjects(group).flatMap((subject) => /^p99 at (\d+)$/.exec(subject)?.[1] ?? []);
  const rates = table(
    ["conversations, messages sent a second", ...COLUMNS.map((column) => column.replace("CPU of", "CPU ms of"))],
    groups.flatMap((group) =>
      ratesOf(group).map((rate) => [
        `${group}, ${rate}`,
        ...COLUMNS.map((column) => figures.show(group, `${column} at ${rate}`)),
      ]),
    ),
  );
  const lines = groups.flatMap((group) =>
    ["p50", "p99"].map((share) => ({
      series: `${share}, ${group.replace(" conversations", "")}`,
      points: ratesOf(group).map(
        (rate) => [Number(rate), figures.median(group, `${share} at ${rate}`) ?? 0] as [number, number],
      ),
    })),
  );
  const others = ["one message", "idle sockets", "reconnecting", "slow reader"].map((group) =>
    table(
      [group, "median (least–most)", "unit"],
      figures.subjects(group).map((subject) => [subject, figures.show(group, subject), figures.unit(group, subject)]),
    ),
  );
  return {
    text: `## Rooms

Messages are sent at rising rates over conversations with a socket for each player, until the 99th percentile of the
deliveries exceeds two seconds. A delivery lasts from the submission to the frame on the other player's socket, in
milliseconds; a message that isn't acknowledged is sent again, as pages do. *Overtaken* counts the sockets on which a
frame came before that of an earlier message; pages sort messages by their numbers. workerd, the database and the bench
share the machine, so the CPU time of all three says what limits the rate.

${rates}

![Delivery](benchmarks/rooms.svg)

${others.join("\n\n")}
`,
    plots: { "rooms.svg": plotLines("Delivery by rate", ["messages a second", "milliseconds"], lines) },
  };
}
