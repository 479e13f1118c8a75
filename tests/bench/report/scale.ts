import { plotBars } from "../plot";
import { type Figures, type Section, table } from "./figures";

/** Reports what each list and form costs in worlds of rising size. */
export function reportScale(figures: Figures): Section {
  const worlds = figures.groups(/^database$/);
  const [smallest, largest] = [worlds[0] ?? "", worlds.at(-1) ?? ""];
  const names = figures.groups(/^rows read/);
  const costs = table(
    [
      "list or form",
      ...worlds.map((world) => `rows, ${world}`),
      "ratio",
      ...worlds.map((world) => `ms, ${world}`),
      "ratio",
      "round trips",
    ],
    names.map((name) => [
      name,
      ...["rows read", "time"].flatMap((figure) => [
        ...worlds.map((world) => figures.show(name, `${figure}, ${world}`)),
        figures.ratio([name, `${figure}, ${largest}`], [name, `${figure}, ${smallest}`]),
      ]),
      figures.show(name, `round trips, ${largest}`),
    ]),
  );
  const sizes = table(
    ["world", "database, MB", "players and posts, s", "the rest, s"],
    worlds.map((world) => [
      world,
      figures.show(world, "database"),
      figures.show(world, "players and posts built in"),
      figures.show(world, "messages, tournaments and cases built in"),
    ]),
  );
  const bars = names.flatMap((name) =>
    worlds.map((world) => ({ label: name, series: world, samples: figures.samples(name, `rows read, ${world}`) })),
  );
  return {
    text: `## Scale

The same requests to the built Worker in three worlds: 1 000, 100 000 and 1 000 000 posts with 1 000, 20 000 and 100 000
players, as many messages as posts (a conversation of 100, 10 000 and 100 000 among them), 1 000, 3 000 and 10 000
tournaments, and 1 000, 10 000 and 100 000 moderation cases. *Rows* are the rows and index entries that the database
counts as read: they are the same on every machine. The ratio is that of the largest world to the smallest.

${costs}

![Rows read](benchmarks/scale.svg)

The size is that of the database's folder, with sqld's log for replicas.

${sizes}
`,
    plots: { "scale.svg": plotBars("Rows read", "", bars) },
  };
}
