import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "../../../scripts/local/build";
import { PARTS, type Part, type Results, readResults, resultsFolder } from "../results";
import { reportFaults } from "./faults";
import { Figures, type Section, table } from "./figures";
import { reportGrowth } from "./growth";
import { reportPages } from "./pages";
import { reportRooms } from "./rooms";
import { reportScale } from "./scale";
import { reportServer } from "./server";
import { quoteInReadme, summarize } from "./summary";

const REPORTS: Record<Exclude<Part, "growth">, (figures: Figures) => Section> = {
  pages: reportPages,
  server: reportServer,
  scale: reportScale,
  rooms: reportRooms,
  faults: reportFaults,
};

/**
 * Writes the report and its plots from the available results, and the page on growth once its part is complete.
 * @returns the report's path
 */
export function writeReport(isQuick: boolean): string {
  const folder = resultsFolder(isQuick);
  mkdirSync(folder, { recursive: true });
  const results = PARTS.flatMap((part) => readResults(part, isQuick) ?? []);
  const sections = results.flatMap((result) =>
    result.part === "growth" ? [] : REPORTS[result.part](new Figures(result)),
  );
  for (const [name, plot] of sections.flatMap(({ plots }) => Object.entries(plots))) {
    writeFileSync(join(folder, name), plot);
  }
  const growth = readResults("growth", isQuick);
  if (growth?.finishedAt) writeFileSync(join(dirname(folder), "scaling.md"), reportGrowth(new Figures(growth)));
  const parts = Object.fromEntries(results.map((result) => [result.part, new Figures(result)]));
  const summary = summarize(parts);
  if (!isQuick) quoteInReadme(summary);
  const file = join(dirname(folder), "benchmarks.md");
  writeFileSync(
    file,
    [head(isQuick), summary, ...sections.map(({ text }) => text.trim()), machines(results), ""].join("\n\n"),
  );
  return relative(ROOT, file);
}

const head = (isQuick: boolean) => `# Benchmarks

${isQuick ? "**A quick run, which only shows that the benchmarks work: its numbers mean nothing.**\n\n" : ""}Written by \`npm run bench\`, never by hand: each number comes from [benchmarks/](benchmarks). Numbers are medians, with
the smallest and the largest sample in brackets. [Decision 0071](decisions/0071-benchmarks.md) says how they are
measured, and \`npm run bench -- ${PARTS.join(" ")}\` measures them again.`;

/** Says where and when each part was measured. */
function machines(results: readonly Results[]): string {
  const names = [...new Set(results.flatMap(({ machine }) => Object.keys(machine)))];
  const minutes = ({ startedAt, finishedAt }: Results) =>
    finishedAt ? ((Date.parse(finishedAt) - Date.parse(startedAt)) / 60_000).toFixed(1) : "cut off";
  const rows = [
    ["Measured", ...results.map(({ startedAt }) => `${startedAt.slice(0, 16).replace("T", " ")} UTC`)],
    ["Minutes", ...results.map(minutes)],
    ...names.map((name) => [name, ...results.map(({ machine }) => machine[name] ?? "–")]),
  ];
  return `## Machine\n\n${table(["", ...results.map(({ part }) => part)], rows)}`;
}
