import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { afterAll, describe, expect, test } from "vitest";
import { CHROMIUM_ARGS, findChromium } from "../../../scripts/local/browser";
import { run } from "../../../scripts/local/children";
import { freePort } from "../../../scripts/local/ports";
import { useApp } from "../../support/app";
import { type Client, signIn } from "../../support/client";
import { selectEach, texts } from "../../support/html";

/** The last release for Node 20. It is downloaded on demand (docs/decisions/0011-first-load.md). */
const LIGHTHOUSE = "lighthouse@12.8.2";
/** Numbers of runs whose median is reported: performance varies with other load on the machine. */
const RUNS = 5;
const RUNS_OF_OTHERS = 3;

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
  /** Set when the figures are missing: on a busy machine Chromium sometimes paints nothing in time. */
  runtimeError?: { message: string };
  /** The machine's speed during the run. Below 1 000, Lighthouse warns that its figures are unreliable. */
  environment: { benchmarkIndex: number };
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
}

const app = useApp({ world: "demo" });
const scratch = mkdtempSync(join(tmpdir(), "lineup-lighthouse-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/**
 * Runs Lighthouse on a page with its simulated phone. Retries once when the browser delivered no figures.
 * @param port of a browser that is signed in; by default Lighthouse starts one of its own
 */
async function audit(path: string, port?: number, mayAskAgain = true): Promise<Report> {
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
      ...(port ? [`--port=${port}`, "--disable-storage-reset"] : []),
    ],
    { capture: true, env: { ...process.env, CHROME_PATH: findChromium() } },
  );
  const report: Report | null = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  if (code === 0 && report && !report.runtimeError) return report;
  if (report?.runtimeError && mayAskAgain) return audit(path, port, false);
  throw new Error(`Lighthouse failed on ${path}. ${report?.runtimeError?.message ?? output}`);
}

const score = ({ categories }: Report, category: string) => Math.round((categories[category]?.score ?? 0) * 100);
const metric = ({ audits }: Report, id: string) => audits[id]?.numericValue ?? Number.NaN;
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** The audits in which a page lost points, apart from its speed. */
const faults = ({ categories, audits }: Report) =>
  Object.keys(PERFECT).flatMap((category) =>
    (categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${category}: ${id} (${audits[id]?.title})`),
  );

/** Starts a browser with a player's session, which Lighthouse can use. */
async function openBrowser({ cookies }: Client): Promise<{ port: number; close: () => Promise<void> }> {
  const port = await freePort();
  const context = await chromium.launchPersistentContext(join(scratch, "profile"), {
    executablePath: findChromium(),
    args: [...CHROMIUM_ARGS, `--remote-debugging-port=${port}`],
  });
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: app.url })));
  return { port, close: () => context.close() };
}

/** Expects full marks; those for search engines only if the page is open to them. */
function expectPerfect(report: Report, { isPrivate = false } = {}) {
  const isForgiven = (fault: string) => isPrivate && fault.startsWith("seo: ");
  expect(faults(report).filter((fault) => !isForgiven(fault))).toEqual([]);
  const { seo, ...others } = PERFECT;
  const expected = isPrivate ? others : { ...others, seo };
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, score(report, name)]))).toEqual(expected);
  expect(metric(report, METRICS.CLS).toFixed(2)).toBe("0.00");
}

/** The path of the sitemap's first page in a folder. */
const shared = async (folder: "/lfg/" | "/tournaments/") => {
  const { text } = await app.client().get("/sitemap.xml");
  return new URL(texts(text, "loc").find((address) => address.includes(folder)) as string).pathname;
};

const signInFirst = () => signIn(app.client(), "player1@example.com");

/**
 * The page of the first author whose name needs no font of its own: a name in a font that arrives late may move the
 * page, which docs/decisions/0011-first-load.md accepts.
 */
const playerPage = async (client: Client) =>
  selectEach((await client.get("/dashboard")).text, "a[href^='/players/']")
    .find((link) => /^[\x20-\x7e]+$/.test(link.text()))
    ?.attr("href") as string;

/** Audits a page a few times. Expects full marks each time, and reports the median of its speed. */
async function auditOften(
  name: string,
  path: string,
  { port, isPrivate = false }: { port?: number; isPrivate?: boolean },
) {
  const performance: number[] = [];
  for (let left = RUNS_OF_OTHERS; left > 0; left -= 1) {
    const report = await audit(path, port);
    expectPerfect(report, { isPrivate });
    performance.push(score(report, "performance"));
  }
  console.log(`${name}: performance ${median(performance)} (of ${performance.join(", ")})`);
}

describe("Lighthouse on a phone", () => {
  test("finds no faults on the landing page, and its speed is reported", async () => {
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
    ["a post's page", () => shared("/lfg/")],
    ["a tournament, signed out", () => shared("/tournaments/")],
    ["a player's page, signed out", async () => playerPage(await signInFirst())],
  ])("finds no faults on %s", async (name, path) => {
    await auditOften(name, await path(), {});
  });

  test.each([
    ["the list of posts", () => "/dashboard"],
    ["a player's page", playerPage],
  ])("finds no faults on %s", async (name, path) => {
    const client = await signInFirst();
    const browser = await openBrowser(client);
    const isPrivate = true;
    await auditOften(name, await path(client), { port: browser.port, isPrivate }).finally(browser.close);
  });
});
