import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { gzipSync } from "node:zlib";
import { installTestBrowsers } from "./local/browser";
import { bin, build, ROOT } from "./local/build";
import { CHECKS, type Check, runCheck } from "./local/checks";
import { run, stopOnSignal } from "./local/children";
import {
  complainOfRetries,
  type PlaywrightReport,
  type Results,
  readPlaywrightReport,
  readVitestReport,
  type Trouble,
  type VitestReport,
} from "./local/test-results";

/**
 * `npm test`: runs all checks and tests, and continues after failures. The last line is `N passed, N failed`. Besides
 * the tests, each check counts as one, and so do the build, the Worker's dry-run deployment and the Worker's size. The
 * run also fails if more than two tests needed a second try to pass.
 */

/** The limit of the Worker's compressed size, in bytes. */
const WORKER_LIMIT = 600_000;

/** Each check keeps a core busy, and machines have at least two. */
const CHECKS_AT_ONCE = 2;

interface Count {
  passed: number;
  failed: number;
}

const scratch = mkdtempSync(join(tmpdir(), "lineup-test-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
// An interrupted test run must not count as passed.
stopOnSignal(async () => process.exit(130));

const total: Count = { passed: 0, failed: 0 };
const summary: string[] = [];
/**
 * The failed tests with their reasons. They are printed again at the end of the output, because people read the end
 * first, and sometimes only the end is kept.
 */
const failures: string[] = [];
/** Tests that failed once and passed the second time. */
const secondTries: Trouble[] = [];

await installTestBrowsers();

// The slowest start first.
const waiting = [prepareWorker, ...CHECKS.map((check) => () => section(check.name, () => runCaptured(check)))];
await Promise.all(
  Array.from({ length: CHECKS_AT_ONCE }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  }),
);
await section("Unit and integration tests", runVitest);
await section("Browser tests, with and without JavaScript", runPlaywright);

if (secondTries.length > 0) console.log(`\n── Passed only the second time\n${secondTries.map(format).join("\n")}`);
const complaint = complainOfRetries(secondTries.map(({ test }) => test));
if (complaint) {
  total.failed += 1;
  failures.push(`✗ ${complaint}`);
}
if (failures.length > 0) console.log(`\n── Failures\n${failures.join("\n")}`);
console.log(`\n${summary.join("\n")}\n`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);

async function section(name: string, work: () => Promise<Count>): Promise<void> {
  console.log(`\n── ${name}`);
  const started = Date.now();
  const count = await work().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return one(false);
  });
  total.passed += count.passed;
  total.failed += count.failed;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  summary.push(
    `${count.failed === 0 ? "✓" : "✗"} ${name}: ${count.passed} passed, ${count.failed} failed (${seconds} s)`,
  );
}

function one(ok: boolean): Count {
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs a check, and prints its output if it fails. */
async function runCaptured(check: Check): Promise<Count> {
  const { code, output } = await runCheck(check, { capture: true });
  if (code !== 0) console.log(`\n── ${check.name}\n${output.trim()}`);
  return one(code === 0);
}

async function prepareWorker(): Promise<void> {
  await section("Build", async () => {
    await build();
    return one(true);
  });
  await section("Deployment (dry run) and the Worker's size", checkWorker);
}

async function checkWorker(): Promise<Count> {
  const out = join(scratch, "worker");
  const { code, output } = await run(process.execPath, [bin("wrangler"), "deploy", "--dry-run", "--outdir", out], {
    capture: true,
    cwd: ROOT,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
  });
  if (code !== 0) {
    console.error(output);
    return { passed: 0, failed: 2 };
  }
  const modules = readdirSync(out).filter((name) => !/\.(map|md)$/.test(name));
  const size = modules.reduce((sum, name) => sum + gzipSync(readFileSync(join(out, name))).byteLength, 0);
  const fits = modules.length > 0 && size <= WORKER_LIMIT;
  console.log(`The Worker is ${(size / 1000).toFixed(1)} kB gzip; the limit is ${WORKER_LIMIT / 1000} kB.`);
  return { passed: fits ? 2 : 1, failed: fits ? 0 : 1 };
}

async function runVitest(): Promise<Count> {
  const file = join(scratch, "vitest.json");
  const { code } = await run(
    process.execPath,
    [
      bin("vitest"),
      "run",
      "--project",
      "unit",
      "--project",
      "properties",
      "--project",
      "integration",
      "--silent=passed-only",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
    ],
    { cwd: ROOT },
  );
  const report = JSON.parse(readFileSync(file, "utf8")) as VitestReport;
  return withExitCode(note(readVitestReport(report, (path) => relative(ROOT, path))), code);
}

async function runPlaywright(): Promise<Count> {
  const file = join(scratch, "playwright.json");
  const { code } = await run(
    process.execPath,
    [bin("@playwright/test", "playwright"), "test", "--reporter=list,json"],
    {
      cwd: ROOT,
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    },
  );
  return withExitCode(note(readPlaywrightReport(JSON.parse(readFileSync(file, "utf8")) as PlaywrightReport)), code);
}

/** Collects a runner's failures for the end of the output. */
function note({ passed, failed, ...troubles }: Results): Count {
  failures.push(...troubles.failures.map(format));
  secondTries.push(...troubles.secondTries);
  return { passed, failed };
}

/** Formats a failure, with the part of its reason that names the cause. */
function format({ test, reason }: Trouble): string {
  const lines = stripVTControlCharacters(reason).split("\n").slice(0, 12);
  return [`✗ ${test}`, ...lines.map((line) => `    ${line.slice(0, 200)}`)].join("\n");
}

/** Counts a failing exit code as one failure if no test has failed. */
function withExitCode(count: Count, code: number): Count {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}
