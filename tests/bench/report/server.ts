import { plotBars } from "../plot";
import { type Figures, type Section, table } from "./figures";

/** Reports the Worker's throughput and CPU time, and what the distance of the database adds. */
export function reportServer(figures: Figures): Section {
  const pages = figures.groups(/^requests a second/).filter((name) => !name.endsWith(", empty"));
  const throughput = table(
    [
      "page",
      "requests/s at 1",
      "empty",
      "ratio",
      "requests/s at 10",
      "empty",
      "ratio",
      "CPU p50, ms",
      "empty",
      "p99 at 10, ms",
    ],
    pages.map((name) => {
      const empty = `${name}, empty`;
      const at = (connections: number) => `requests a second at ${connections}`;
      return [
        name,
        ...[1, 10].flatMap((connections) => [
          figures.show(name, at(connections)),
          figures.show(empty, at(connections)),
          figures.ratio([name, at(connections)], [empty, at(connections)]),
        ]),
        figures.show(name, "CPU time a request"),
        figures.show(empty, "CPU time a request"),
        figures.show(name, "response time p99 at 10"),
      ];
    }),
  );
  const away = (delay: number) => `response time, database ${delay} ms away`;
  const delays = table(
    ["request", "database here, ms", "20 ms away", "100 ms away", "delays that it waits"],
    figures.groups(/database 0 ms away/).map((name) => {
      const [near, far] = [figures.median(name, away(0)), figures.median(name, away(100))];
      const waits = near === undefined || far === undefined ? "–" : ((far - near) / 100).toFixed(2);
      return [name, ...[0, 20, 100].map((delay) => figures.show(name, away(delay))), waits];
    }),
  );
  const bars = pages.flatMap((name) =>
    [name, `${name}, empty`].map((group) => ({
      label: name,
      series: group === name ? "ours" : "empty page of the same size",
      samples: figures.samples(group, "requests a second at 10"),
    })),
  );
  return {
    text: `## Server

Requests a second and CPU time of workerd, beside a Remix page of the same elements and bytes in the same workerd that
has no session, no data and no components of its own. The load comes from the same machine, without compression, which
is the edge's work. CPU time is that of the whole process, Miniflare's routing of static files included.

${throughput}

![Requests a second at 10 connections](benchmarks/server.svg)

With the database at a distance, a page should wait for one delay, and a form for two at most.

${delays}
`,
    plots: { "server.svg": plotBars("Requests a second at 10 connections", "/s", bars) },
  };
}
