import { perform } from "./actions";
import { audit, type Findings } from "./audit";
import { type Round, sayRound } from "./plan";
import { startSite } from "./site";
import { fillSite } from "./world";

interface Report extends Findings {
  /** Responses and errors that the plan's faults don't explain. */
  unexpected: string[];
  /** The number of acknowledged actions that were compared. */
  acknowledged: number;
  /** How many things of each kind players have made or changed, in words. */
  done: string;
}

/** Whether a run found nothing wrong. */
export const isClean = ({ lost, doubled, outOfOrder, broken, unexpected }: Report): boolean =>
  [lost, doubled, outOfOrder, broken, unexpected].every((list) => list.length === 0);

/** Lists what a run found wrong, one finding a line, with at most 20 of each kind. */
export const sayFindings = ({ lost, doubled, outOfOrder, broken, unexpected }: Report): string[] =>
  Object.entries({
    Lost: lost,
    Doubled: doubled,
    "Out of order": outOfOrder,
    Broken: broken,
    Unexpected: unexpected,
  }).flatMap(([what, lines]) => lines.slice(0, 20).map((line) => `${what}: ${line}`));

/**
 * Plays a plan on a new site, and compares the result with what was acknowledged.
 * @param log receives a line per round
 */
export async function playPlan(
  rounds: readonly Round[],
  log: (line: string) => void = () => undefined,
): Promise<Report> {
  const site = await startSite();
  try {
    // A running tournament has seven matches, and about one match is played every three rounds.
    const world = await fillSite(site, Math.max(1, Math.ceil(rounds.length / 20)));
    const unexpected: string[] = [];
    for (const [index, round] of rounds.entries()) {
      log(`${index + 1}/${rounds.length} ${sayRound(round)}`);
      const acts = round.actions.map((action) =>
        perform(world, action).catch((error) => unexpected.push(`${action.kind}: ${error}`)),
      );
      await Promise.all([round.fault && site.inject(round.fault), ...acts]);
      if (index % 5 === 4) await site.runScheduled();
    }
    const findings = await audit(world);
    for (const { talkers } of world.talks) for (const { talker } of talkers) talker.leave();
    const { messages, posts, requests, reviews, reports, cases, entries, results } = world.model;
    const count = [...messages.values()].filter(({ seq }) => seq !== undefined).length;
    const done =
      `${count} messages, ${posts.size} posts, ${requests.size} requests, ${reviews.size} reviews, ` +
      `${reports.size} reports, ${cases.size} decisions, ${entries.size} entries, ${results.size} results, ` +
      `${site.push.received.length} pushes`;
    return { ...findings, unexpected, acknowledged: world.model.countAcknowledged(), done };
  } finally {
    await site.stop();
  }
}
