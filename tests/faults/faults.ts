import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { build } from "../../scripts/local/build";
import { planRun, type Round, roundsIn } from "./plan";
import { isClean, playPlan, sayFindings } from "./run";
import { shrink } from "./shrink";

const USAGE = `npm run faults -- [options]

Runs simulated players against a site whose Worker, database, connections and email fail, then compares the
database and each reader's view with everything that was acknowledged.
The last line is "N lost, N doubled, N out of order".

  --seed S      selects the plan: the same seed repeats it, though not its timing (default: random, and printed)
  --minutes M   approximate duration (default: 1)
  --only N,N    plays only these rounds of the plan, counted from 1
  --no-build    uses the last build as it is`;

const { seed, minutes, only, noBuild } = readArguments();
await build({ noBuild });
console.log(`Seed ${seed}`);
const plan = planRun(seed, roundsIn(minutes));
const rounds = plan.filter((_, index) => !only || only.includes(index + 1));
const started = Date.now();
const report = await playPlan(rounds, console.log);
for (const line of sayFindings(report)) console.log(line);
console.log(`${rounds.length} rounds in ${((Date.now() - started) / 1_000).toFixed(0)} s: ${report.done}`);
if (!isClean(report)) {
  console.log("Looking for a shorter plan that fails, for ten minutes at most.");
  const fails = async (places: readonly number[]) =>
    !isClean(await playPlan(rounds.filter((_, at) => places.includes(at))));
  const fewest = await shrink(rounds.length, fails, Date.now() + 10 * 60_000);
  const numbers = fewest.map((place) => plan.indexOf(rounds[place] as Round) + 1);
  console.log(`Shorter failing plan: npm run faults -- --seed ${seed} --minutes ${minutes} --only ${numbers.join()}`);
}
console.log(`${report.lost.length} lost, ${report.doubled.length} doubled, ${report.outOfOrder.length} out of order`);
process.exit(isClean(report) ? 0 : 1);

function readArguments(): { seed: number; minutes: number; only: number[] | undefined; noBuild: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: "string", default: String(randomInt(2 ** 31)) },
        minutes: { type: "string", default: "1" },
        only: { type: "string" },
        "no-build": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
    if (!Number.isInteger(seed)) throw new Error(`--seed ${values.seed} is not a whole number.`);
    if (!(minutes > 0)) throw new Error(`--minutes ${values.minutes} is not a positive number.`);
    const only = values.only?.split(",").map(Number);
    const count = roundsIn(minutes);
    if (only?.some((number) => !(Number.isInteger(number) && number >= 1 && number <= count))) {
      throw new Error(`--only ${values.only} must list rounds from 1 to ${count}.`);
    }
    return { seed, minutes, only, noBuild: values["no-build"] };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}
