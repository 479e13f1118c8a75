import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CHROMIUM_ARGS, findChromium } from "../../scripts/local/browser";
import { run } from "../../scripts/local/children";
import { useApp } from "../support/app";

/** The last release for Node 20; fetched when it is needed (docs/decisions/0011-first-load.md). */
const LIGHTHOUSE = "lighthouse@12.8.2";
/** Performance varies with what else the machine does: the median of so many runs is told. */
const RUNS = 5;

const PERFECT = { accessibility: 100, "best-practices": 100, seo: 100 };
const METRICS = {
  FCP: "first-contentful-paint",
  LCP: "largest-contentful-paint",
  TBT: "total-blocking-time",
  CLS: "cumulative-layout-shift",
  "Speed Index": "speed-index",
};

interface Audit {
  title: string;
  score: number | null;
  numericValue?: number;
}

interface Report {
  /** Why there are no figures: on a busy machine Chromium now and then paints nothing in time. */
  runtimeError?: { message: string };
  /** How fast this machine was meanwhile; Lighthouse warns of its own figures below 1 000. */
  environment: { benchmarkIndex: number };
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
}

const app = useApp({ world: "demo" });
const scratch = mkdtempSync(join(tmpdir(), "lineup-lighthouse-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Lighthouse's own judgement of a page on its simulated phone; asked again once where the browser gave it nothing. */
async function audit(path: string, mayAskAgain = true): Promise<Report> {
  const file = join(scratch, "report.json");
  rmSync(file, { force: true });
  const flags = ["--headless=new", ...CHROMIUM_ARGS].join(" ");
  const { code, output } = await run(
    "npx",
    [
      "--yes",
      LIGHTHOUSE,
      app.url + path,
      "--quiet",
      "--output=json",
      `--output-path=${file}`,
      `--chrome-flags=${flags}`,
    ],
    { capture: true, env: { ...process.env, CHROME_PATH: findChromium() } },
  );
  const report: Report | null = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  if (code === 0 && report && !report.runtimeError) return report;
  if (report?.runtimeError && mayAskAgain) return audit(path, false);
  throw new Error(`Lighthouse failed on ${path}. ${report?.runtimeError?.message ?? output}`);
}

const score = ({ categories }: Report, category: string) => Math.round((categories[category]?.score ?? 0) * 100);
const metric = ({ audits }: Report, id: string) => audits[id]?.numericValue ?? Number.NaN;
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** What a page lost points for, but for speed. */
const faults = ({ categories, audits }: Report) =>
  Object.keys(PERFECT).flatMap((category) =>
    (categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${category}: ${id} (${audits[id]?.title})`),
  );

function expectPerfect(report: Report) {
  expect(faults(report)).toEqual([]);
  expect(Object.fromEntries(Object.keys(PERFECT).map((name) => [name, score(report, name)]))).toEqual(PERFECT);
  expect(metric(report, METRICS.CLS).toFixed(2)).toBe("0.00");
}

const sharedPost = async () => {
  const { text } = await app.client().get("/sitemap.xml");
  return new URL(text.match(/<loc>([^<]*\/lfg\/[^<]*)<\/loc>/)?.[1] as string).pathname;
};

describe("Lighthouse on a phone", () => {
  test("finds nothing to mend on the landing page, whose speed is told", async () => {
    const reports: Report[] = [];
    for (let left = RUNS; left > 0; left -= 1) reports.push(await audit("/"));
    for (const report of reports) expectPerfect(report);
    const performance = reports.map((report) => score(report, "performance"));
    const figures = Object.entries(METRICS).map(([name, id]) => {
      const value = median(reports.map((report) => metric(report, id)));
      return `${name} ${name === "CLS" ? value.toFixed(3) : `${Math.round(value)} ms`}`;
    });
    const machine = median(reports.map(({ environment }) => environment.benchmarkIndex));
    console.log(`benchmark index of the machine: ${Math.round(machine)}`);
    console.log(`/: performance ${median(performance)} (of ${performance.join(", ")}); medians: ${figures.join(", ")}`);
  });

  test.each([
    ["the sign-in", () => "/auth"],
    ["a post's page", sharedPost],
  ])("finds nothing to mend on %s", async (name, path) => {
    const report = await audit(await path());
    console.log(`${name}: performance ${score(report, "performance")}`);
    expectPerfect(report);
  });
});
