import { CHECKS, type Check, runCheck } from "./local/checks";
import { stopOnSignal } from "./local/children";

/**
 * `npm run check`: types, lint, the ladder, dead code and unit tests, two at a time. Prints one line for each part,
 * with its time, and the output of parts that fail; the exit code is then 1.
 */

/** Each part keeps a core busy, and machines have at least two. */
const AT_ONCE = 2;

const UNIT_TESTS: Check = {
  name: "Unit tests",
  packageName: "vitest",
  command: "vitest",
  args: ["run", "--project", "unit", "--silent=passed-only"],
};

// An interrupted run must not count as passed.
stopOnSignal(async () => process.exit(130));

const [slowest, ...others] = CHECKS as [Check, ...Check[]];
const waiting = [slowest, UNIT_TESTS, ...others];
const started = Date.now();
let failed = 0;
await Promise.all(Array.from({ length: AT_ONCE }, runNext));
console.log(`${failed === 0 ? "All passed" : `${failed} failed`} in ${secondsSince(started)} s`);
process.exit(failed > 0 ? 1 : 0);

async function runNext(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const begun = Date.now();
    const { code, output } = await runCheck(check, { capture: true });
    console.log(`${code === 0 ? "✓" : "✗"} ${check.name} (${secondsSince(begun)} s)`);
    if (code === 0) continue;
    failed += 1;
    console.log(`\n${output.trim()}\n`);
  }
}

function secondsSince(moment: number): string {
  return ((Date.now() - moment) / 1000).toFixed(1);
}
