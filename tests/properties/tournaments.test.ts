import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_TIE_BREAKS, LAST_TIE_BREAKS } from "#db/words/tie-breaks";
import { FORMATS } from "#db/words/tournament-formats";
import type { BracketMatch } from "~/features/tournaments/bracket/matches";
import { enterResult } from "~/features/tournaments/bracket/results";
import { draw, expectFairEnd, playable } from "../support/fair-end";

/** The number of tournaments played in each format: a thousand in all. */
const RUNS = { single_elimination: 450, double_elimination: 350, round_robin: 200 };

test.each(FORMATS)("a %s of 2 to 256 teams, played out at random, ends fairly", async (format) => {
  await fc.assert(
    fc.asyncProperty(
      // Try small tournaments more often: they take no time and already cover brackets with 0 to 15 byes.
      fc.oneof(
        { weight: 90, arbitrary: fc.integer({ min: 2, max: 24 }) },
        { weight: 6, arbitrary: fc.integer({ min: 25, max: 64 }) },
        { weight: 1, arbitrary: fc.integer({ min: 65, max: 256 }) },
      ),
      fc.integer({ min: 3, max: 16 }),
      fc.boolean(),
      fc.constantFrom(...LAST_TIE_BREAKS),
      fc.infiniteStream(fc.nat({ max: 9 })),
      async (count, groupSize, thirdPlace, lastTieBreak, dice) => {
        const roll = () => dice.next().value as number;
        let now = await draw(format, count, groupSize, thirdPlace);
        for (let ready = playable(now); ready.length > 0; ready = playable(now)) {
          const next = ready[roll() % ready.length] as BracketMatch;
          const kind = roll();
          now = await enterResult(
            now,
            next.id,
            kind < 2 ? { forfeits: kind as 0 | 1 } : { scores: kind % 2 ? [2, roll() % 2] : [roll() % 2, 2] },
            // These results have no round scores, so many teams tie on every criterion.
            { tieBreaks: DEFAULT_TIE_BREAKS, lastTieBreak },
          );
        }
        expectFairEnd(now, format, count);
        expect(JSON.parse(JSON.stringify(now))).toEqual(now);
      },
    ),
    { numRuns: RUNS[format] },
  );
});
