import { parseArgs } from "node:util";
import { bin, build, ROOT } from "../../scripts/local/build";
import { run } from "../../scripts/local/children";
import { measureFaults } from "./faults";
import { measureGrowth } from "./growth";
import { measurePages } from "./pages";
import { writeReport } from "./report";
import { PARTS, type Part, Recorder } from "./results";
import { measureRooms } from "./rooms";
import { measureScale } from "./scale";
import { measureServer } from "./server";

const USAGE = `npm run bench -- PART… [options]

Measures parts of the site, each in less than 20 minutes on two quiet cores, and writes docs/benchmarks.md and its
summary in README.md.

  pages    browsers: first visits and clicks, beside static files and a client-rendered peer
  server   the Worker: requests a second, CPU time, and the database at a distance
  scale    worlds from 1 000 to 1 000 000 rows: what each list and form costs
  rooms    messages at rising rates, idle sockets, reconnecting, slow readers
  faults   sites that fail by plan: what is lost, doubled or out of order afterwards
  growth   what many players would cost, from a simulated day: writes docs/scaling.md
  report   writes docs/benchmarks.md from the last results again
  checks   smaller measurements that pass or fail (names of files in tests/bench/checks may follow)

  --quick     tiny sizes, to see that it works: results go to .cache/bench
  --continue  leaves out the steps that the last run of the part completed
  --no-build  uses the last build`;

const MEASURES: Record<Part, (recorder: Recorder) => Promise<void>> = {
  pages: measurePages,
  server: measureServer,
  scale: measureScale,
  rooms: measureRooms,
  faults: measureFaults,
  growth: measureGrowth,
};

const { names, isQuick, isContinued, noBuild } = readArguments();
if (names[0] === "checks") {
  const { code } = await run(process.execPath, [bin("vitest"), "run", "--project", "bench", ...names.slice(1)], {
    cwd: ROOT,
  });
  process.exit(code);
}
const parts = names.filter((name): name is Part => PARTS.some((part) => part === name));
if (parts.length > 0) await build({ noBuild });
for (const part of parts) {
  const recorder = new Recorder(part, { isQuick, isContinued });
  await MEASURES[part](recorder);
  recorder.finish();
}
console.log(`Written: ${writeReport(isQuick)}`);
process.exit(0);

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: "boolean", default: false },
        continue: { type: "boolean", default: false },
        "no-build": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const known: readonly string[] = [...PARTS, "report", "checks"];
    const isKnown = positionals[0] === "checks" || positionals.every((name) => known.includes(name));
    if (values.help || positionals.length === 0 || !isKnown) {
      console.log(USAGE);
      process.exit(values.help ? 0 : 2);
    }
    return {
      names: positionals,
      isQuick: values.quick,
      isContinued: values.continue,
      noBuild: values["no-build"],
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}
