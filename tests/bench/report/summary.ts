import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../scripts/local/build";
import { WITH_HINTS } from "../../support/measured-pages";
import type { Part } from "../results";
import { type Figures, number, table } from "./figures";

const SLOW = "slow 4G";
/** The lines before and after the table in the README. */
const [BEGIN, END] = ["<!-- benchmarks -->", "<!-- /benchmarks -->"];

/** Compares what was measured with the aims; an aim whose part wasn't measured has no line. */
export function summarize(parts: Partial<Record<Part, Figures>>): string {
  const { pages, server, scale, rooms, faults } = parts;
  const lfg = (variant: string) => `LFG, ${variant}`;
  const rows: (readonly [name: string, value: number | undefined, aim: string])[] = [];
  if (pages) {
    const visible = `first item visible, ${SLOW}`;
    const interactive = (condition: string) => `interactive, ${condition}`;
    const against = (subject: string, other: string, own = "ours") =>
      divide(pages, [lfg(own), subject], [lfg(other), subject]);
    const click = (group: string) => pages.median(`Messages, ${group}`, "click 1, unthrottled");
    rows.push(
      ["LFG visible on slow 4G ÷ the same bytes as static files", against(visible, "static"), "≤ 1.05"],
      ["LFG visible on slow 4G ÷ the client-rendered peer", against(visible, "peer"), "≤ 0.45"],
      ["LFG interactive on slow 4G ÷ the peer", against(interactive(SLOW), "peer"), "≤ 0.7"],
      ["LFG interactive unthrottled ÷ the peer", against(interactive("unthrottled"), "peer"), "≤ 1.0"],
      ["LFG visible on slow 4G with Early Hints ÷ the peer", against(visible, "peer", WITH_HINTS), "≤ 0.45"],
      [
        "LFG interactive on slow 4G with Early Hints ÷ the peer",
        against(interactive(SLOW), "peer", WITH_HINTS),
        "≤ 0.7",
      ],
      ["LFG, requests", pages.median(lfg("ours"), `requests, ${SLOW}`), "≤ 22"],
      ["LFG, kB of JavaScript, gzip of bodies", pages.median(lfg("ours"), `JavaScript, ${SLOW}`), "≤ 107"],
      ["LFG, kB of HTML before compression", pages.median(lfg("ours"), `HTML, ${SLOW}`), "≤ 60"],
      ["Click on Messages ÷ the peer", ratio(click("ours"), click("peer")), "≤ 1"],
      [
        "Messages with 10 000 messages, bytes ÷ the peer",
        divide(pages, ["10 000 messages", "ours"], ["10 000 messages", "peer"]),
        "≤ 0.1",
      ],
    );
  }
  if (server) {
    for (const connections of ["1 connection", "10 connections"]) {
      const subject = `requests a second at ${Number.parseInt(connections, 10)}`;
      rows.push([
        `LFG, requests a second at ${connections} ÷ an empty page of its size`,
        divide(server, ["LFG", subject], ["LFG, empty", subject]),
        "≥ 0.5",
      ]);
    }
    rows.push(["LFG, CPU ms a request", server.median("LFG", "CPU time a request"), "< 10"]);
  }
  if (scale) {
    const worlds = scale.groups(/^database$/);
    const [first, last] = [worlds[0] ?? "", worlds.at(-1) ?? ""];
    const ratios = scale
      .groups(/^rows read/)
      .map((name) => divide(scale, [name, `rows read, ${last}`], [name, `rows read, ${first}`]));
    rows.push([
      `Rows read with ${last} ÷ ${first}, the worst list or form`,
      combine(ratios, (all) => Math.max(...all)),
      "≤ 1.3",
    ]);
  }
  if (rooms) {
    const parts = ["empty action", "one write", "echo"].map((part) => rooms.median("one message", part));
    const wrong = rooms.groups(/^lost at/).flatMap((group) =>
      rooms
        .subjects(group)
        .filter((subject) => /^(lost|doubled) at/.test(subject))
        .flatMap((subject) => rooms.samples(group, subject)),
    );
    rows.push(
      [
        "Delivery ÷ (empty action + one write + echo)",
        ratio(rooms.median("one message", "delivery"), combine(parts, sum)),
        "≤ 2",
      ],
      ["Messages lost or doubled, at every rate", combine(wrong, sum), "0"],
    );
  }
  if (faults) {
    const seeds = faults.groups(/^rounds$/);
    const wrong = seeds.flatMap((seed) =>
      ["lost", "doubled", "out of order"].flatMap((subject) => faults.samples(seed, subject)),
    );
    rows.push([
      "Lost, doubled or out of order after faults, three seeds",
      seeds.length === 3 ? sum(wrong) : undefined,
      "0",
    ]);
  }
  return table(
    ["measured", "value", "aim"],
    rows.map(([name, value, aim]) => [name, value === undefined ? "–" : number(value), aim]),
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

/** Combines figures into one. Returns undefined if any of them wasn't measured, or if there are none. */
const combine = (figures: readonly (number | undefined)[], by: (all: readonly number[]) => number) => {
  const measured = figures.filter((figure) => figure !== undefined);
  return measured.length > 0 && measured.length === figures.length ? by(measured) : undefined;
};

const ratio = (above: number | undefined, below: number | undefined) =>
  above === undefined || !below ? undefined : above / below;

const divide = (figures: Figures, one: readonly [string, string], other: readonly [string, string]) =>
  ratio(figures.median(...one), figures.median(...other));

/** Puts the table into the README, between its two marks. */
export function quoteInReadme(summary: string): void {
  const file = join(ROOT, "README.md");
  const text = readFileSync(file, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`README.md has no ${BEGIN} … ${END}.`);
  const quote = `${summary}\n\nWritten by \`npm run bench\`; all figures are in [benchmarks](docs/benchmarks.md).`;
  writeFileSync(file, `${text.slice(0, begin + BEGIN.length)}\n\n${quote}\n\n${text.slice(end)}`);
}
