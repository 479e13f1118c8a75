import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { attack } from "./attacks/attack";
import { build } from "./local/build";

const USAGE = `npm run attack -- [options]

Builds, starts the production build in workerd with the world "busy", and sends it forged and mutated requests: all
forms as several players and as a visitor, headers, ids, bodies and sockets. Then checks the database's constraints.
The last line is "N requests, 0 server errors, 0 hangs".

  --requests N   the number of requests (1000)
  --seed S       the seed of the plan: the same seed sends the same requests (random by default, and printed)
  --only INDEX   sends only this request of the plan, such as one that failed
  --no-build     uses the last build as it is`;

const { requests, seed, only, noBuild } = readArguments();
await build({ noBuild });
console.log(`Seed ${seed}`);
const started = Date.now();
const report = await attack({ seed, requests, only });
const replay = (index: number) =>
  index < 0 ? "" : `\n    npm run attack -- --seed ${seed} --requests ${requests} --only ${index}`;
for (const { index, what, why } of report.errors) console.log(`Server error: ${what}\n    ${why}${replay(index)}`);
for (const { index, what, why } of report.hangs) console.log(`Hang: ${what}\n    ${why}${replay(index)}`);
for (const line of report.broken) console.log(`Broken: ${line}`);
const endings = Object.entries(report.endings).map(([ending, count]) => `${ending} × ${count}`);
console.log(`${report.forms} forms; endings: ${endings.join(", ")}; ${((Date.now() - started) / 1000).toFixed(0)} s`);
const { duration, index, what } = report.slowest;
console.log(`Slowest: ${Math.round(duration)} ms, #${index}: ${what}`);
console.log(`${report.requests} requests, ${report.errors.length} server errors, ${report.hangs.length} hangs`);
process.exit(report.errors.length + report.hangs.length + report.broken.length > 0 ? 1 : 0);

function readArguments(): { requests: number; seed: number; only: number | undefined; noBuild: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        requests: { type: "string", default: "1000" },
        seed: { type: "string", default: String(randomInt(2 ** 31)) },
        only: { type: "string" },
        "no-build": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const [requests, seed] = [Number(values.requests), Number(values.seed)];
    const only = values.only === undefined ? undefined : Number(values.only);
    if (!Number.isInteger(requests) || requests < 1) {
      throw new Error(`--requests ${values.requests} is not a whole number above 0.`);
    }
    if (!Number.isInteger(seed)) throw new Error(`--seed ${values.seed} is not a whole number.`);
    if (only !== undefined && !(Number.isInteger(only) && only >= 0 && only < requests)) {
      throw new Error(`--only ${values.only} is not an index below ${requests}.`);
    }
    return { requests, seed, only, noBuild: values["no-build"] };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}
