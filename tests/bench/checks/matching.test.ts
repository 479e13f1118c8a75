import { describe, expect, test } from "vitest";
import { bestMatches } from "../../../app/features/lfg/best-matches";
import { matchPost } from "../../../app/features/lfg/present.server";
import type { PostRow } from "../../../app/features/lfg/queries.server";
import type { PlayerRow } from "../../../app/features/players/directory/directory.server";
import { rankPlayers } from "../../../app/features/players/directory/present.server";
import { matchProfileOf } from "../../../app/features/players/shared/match-profile";
import { makePlayers } from "../../../scripts/worlds/players";
import { measureCpuTime } from "../../support/cpu-time";

const clock = { now: new Date(), timeZone: "Europe/Berlin" };
/** Rounds per measurement. */
const ROUNDS = 200;

const rows = makePlayers(401, clock.now, "").map(
  ({ profile }) => ({ shares: null, ...profile, key: 0, presence: null, seenAt: null }) as unknown as PlayerRow,
);
const posts = rows.map(
  (author, at) =>
    ({
      userId: author.userId,
      author,
      requiredRank: at % 3 ? author.currentRank : null,
      requiredRole: at % 2 ? author.preferredRole : null,
      region: author.region,
      neededPlayers: 1 + (at % 4),
    }) as unknown as PostRow,
);
const [me, ...others] = rows as [PlayerRow, ...PlayerRow[]];

/** Measures CPU time in milliseconds per round. */
function measure(work: () => unknown): number {
  for (let warmUp = 0; warmUp < 20; warmUp += 1) work();
  const spent = measureCpuTime(() => {
    for (let round = 0; round < ROUNDS; round += 1) work();
  });
  return Math.round((spent / ROUNDS) * 100) / 100;
}

describe("Ranking candidates by match score", () => {
  test.each([200, 400])("%i candidates take under 5 ms", (count) => {
    const filters = { canQueue: false, free: null, sort: "best" } as const;
    const directory = measure(() =>
      rankPlayers(others.slice(0, count), matchProfileOf(me, clock, true), filters, clock),
    );
    const lfg = measure(() => {
      const viewer = matchProfileOf(me, clock, true);
      return bestMatches(posts.slice(1, count + 1), viewer, (post) => matchPost(post, viewer, clock));
    });
    console.log(`${count} candidates: directory ${directory} ms of CPU, LFG ${lfg} ms`);
    expect(directory).toBeLessThan(5);
    expect(lfg).toBeLessThan(5);
  });
});
