import { describe, expect, test } from "vitest";
import { plotBars, plotLines } from "../bench/plot";
import { reportFaults } from "../bench/report/faults";
import { Figures, table } from "../bench/report/figures";
import { summarize } from "../bench/report/summary";
import type { Results } from "../bench/results";
import { median, quantile } from "../bench/statistics";
import { MIX, simulateDay } from "../bench/traffic";

const results: Results = {
  part: "server",
  machine: {},
  startedAt: "",
  finishedAt: null,
  done: [],
  figures: [
    { group: "LFG", subject: "requests a second", unit: "/s", samples: [48, 52, 50] },
    { group: "empty", subject: "requests a second", unit: "/s", samples: [100] },
  ],
};

describe("The report of benchmarks", () => {
  const figures = new Figures(results);

  test("shows medians with their smallest and largest samples, and ratios of medians", () => {
    expect(figures.show("LFG", "requests a second")).toBe("50 (48–52)");
    expect(figures.show("empty", "requests a second")).toBe("100");
    expect(figures.ratio(["LFG", "requests a second"], ["empty", "requests a second"])).toBe("0.50");
  });

  test("shows a dash for what was not measured", () => {
    expect(figures.show("LFG", "never measured")).toBe("–");
    expect(figures.ratio(["LFG", "requests a second"], ["nobody", "requests a second"])).toBe("–");
    expect(table(["page", "time"], [["LFG", "–"]])).toBe("| page | time |\n| --- | ---: |\n| LFG | – |");
  });

  test("draws a dot for each sample, and escapes markup in texts", () => {
    const bars = plotBars("A < B", "ms", [{ label: "LFG", series: "ours", samples: [1, 2, 3] }]);
    expect(bars.match(/<circle/g)).toHaveLength(3);
    expect(bars).toContain("A &lt; B");
    expect(bars).toContain(">2 ms<");
    const lines = plotLines(
      "Delivery",
      ["rate", "ms"],
      [
        {
          series: "p50",
          points: [
            [10, 20],
            [20, 40],
          ],
        },
      ],
    );
    expect(lines.match(/<circle/g)).toHaveLength(2);
  });
});

describe("The part on faults", () => {
  const subjects = ["rounds", "acknowledged actions", "lost", "doubled", "out of order"];
  const row = (value: string) => `| Lost, doubled or out of order after faults, three seeds | ${value} | 0 |`;

  const measured = (seeds: readonly string[]) =>
    new Figures({
      ...results,
      part: "faults",
      figures: seeds.flatMap((group) =>
        subjects.map((subject, at) => ({ group, subject, unit: "", samples: [[120, 600, 0, 1, 2][at] as number] })),
      ),
    });

  test("is reported with a line for each seed", () => {
    const { text } = reportFaults(measured(["seed 1", "seed 2"]));
    expect(text).toContain("| seed 1 | 120 | 600 | 0 | 1 | 2 | – | – |\n| seed 2 |");
  });

  test("is summed up only after all three seeds are measured, and left out before the first", () => {
    expect(summarize({ faults: measured(["seed 1", "seed 2", "seed 3"]) })).toContain(row("9"));
    expect(summarize({ faults: measured(["seed 1", "seed 2"]) })).toContain(row("–"));
    expect(summarize({})).not.toContain("after faults");
  });
});

describe("The summary", () => {
  /** Figures from one sample each, by group and subject. */
  const measured = (part: Results["part"], groups: Record<string, Record<string, number>>) =>
    new Figures({
      ...results,
      part,
      figures: Object.entries(groups).flatMap(([group, samples]) =>
        Object.entries(samples).map(([subject, sample]) => ({ group, subject, unit: "", samples: [sample] })),
      ),
    });
  const rowsRead = (lists: Record<string, Record<string, number>>) =>
    summarize({ scale: measured("scale", { "10 posts": { database: 1 }, "20 posts": { database: 2 }, ...lists }) });

  test("compares LFG with an empty page at one connection and at ten", () => {
    const at = "requests a second at";
    const server = { LFG: { [`${at} 1`]: 30, [`${at} 10`]: 40 }, "LFG, empty": { [`${at} 1`]: 60, [`${at} 10`]: 50 } };
    const summary = summarize({ server: measured("server", server) });
    expect(summary).toContain("| LFG, requests a second at 1 connection ÷ an empty page of its size | 0.5 | ≥ 0.5 |");
    expect(summary).toContain("| LFG, requests a second at 10 connections ÷ an empty page of its size | 0.8 | ≥ 0.5 |");
  });

  test("names the worst list or form, and shows a dash if one wasn't measured in both worlds, or none was", () => {
    const [small, large] = ["rows read, 10 posts", "rows read, 20 posts"];
    const row = (value: string) => `| Rows read with 20 posts ÷ 10 posts, the worst list or form | ${value} | ≤ 1.3 |`;
    const lists = { LFG: { [small]: 100, [large]: 110 }, search: { [small]: 100, [large]: 125 } };
    expect(rowsRead(lists)).toContain(row("1.25"));
    expect(rowsRead({ ...lists, Players: { [small]: 100 } })).toContain(row("–"));
    expect(rowsRead({})).toContain(row("–"));
  });

  test("shows a dash for deliveries of which a part was not measured, and for messages if no rate was", () => {
    const { delivery, ...parts } = { delivery: 12, "empty action": 2, "one write": 3, echo: 1 };
    const rooms = (one: Record<string, number>, rates = {}) =>
      summarize({ rooms: measured("rooms", { "one message": one, ...rates }) });
    const deliveries = (value: string) => `| Delivery ÷ (empty action + one write + echo) | ${value} | ≤ 2 |`;
    const lost = (value: string) => `| Messages lost or doubled, at every rate | ${value} | 0 |`;
    const all = rooms({ delivery, ...parts }, { "5 conversations": { "lost at 20": 1, "doubled at 20": 2 } });
    expect(all).toContain(deliveries("2"));
    expect(all).toContain(lost("3"));
    const { echo: _, ...some } = parts;
    expect(rooms({ delivery, ...some })).toContain(deliveries("–"));
    expect(rooms({ delivery, ...parts })).toContain(lost("–"));
  });
});

test("A quantile is one of the values", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(quantile([1, 2, 3, 4], 0.99)).toBe(4);
});

test("A simulated day has about as many actions as the mix says, and is the same every time", () => {
  const players = 2_000;
  const day = simulateDay(players);
  expect(simulateDay(players)).toEqual(day);
  for (const [name, { perDay }] of Object.entries(MIX)) {
    expect((day.counts[name] ?? 0) / players / perDay, name).toBeGreaterThan(0.9);
    expect((day.counts[name] ?? 0) / players / perDay, name).toBeLessThan(1.1);
  }
  expect(day.peakSockets).toBeLessThan(players * 2);
});
