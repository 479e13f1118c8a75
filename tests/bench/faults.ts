import { planRun, roundsIn } from "../faults/plan";
import { isClean, playPlan, sayFindings } from "../faults/run";
import type { Recorder } from "./results";

const SEEDS = [1, 2, 3];
/** The planned length of a run; on a busy machine it takes up to five minutes. */
const MINUTES = 4;

/**
 * Counts what is lost, doubled or out of order on a site that fails by plan, for each seed.
 * @param play plays a plan; tests pass one that starts no site
 */
export async function measureFaults(recorder: Recorder, play: typeof playPlan = playPlan): Promise<void> {
  const minutes = recorder.isQuick ? 0.1 : MINUTES;
  for (const seed of SEEDS) {
    await recorder.step(`Faults of seed ${seed}`, async () => {
      const plan = planRun(seed, roundsIn(minutes));
      const report = await play(plan);
      for (const line of sayFindings(report)) console.log(line);
      if (!isClean(report)) console.log(`To look into it: npm run faults -- --seed ${seed} --minutes ${minutes}`);
      const { acknowledged, lost, doubled, outOfOrder, broken, unexpected } = report;
      for (const [subject, count] of Object.entries({
        rounds: plan.length,
        "acknowledged actions": acknowledged,
        lost: lost.length,
        doubled: doubled.length,
        "out of order": outOfOrder.length,
        broken: broken.length,
        unexpected: unexpected.length,
      })) {
        recorder.add(`seed ${seed}`, subject, "", count);
      }
    });
  }
}
