import { expect, test } from "vitest";
import { pushesIn } from "../../integration/pushes";
import { write } from "../../integration/talk";
import { useApp } from "../../support/app";

/** Half of the pushes must arrive within this time of `Send`, in milliseconds. */
const P50_LIMIT = 1_000;

const app = useApp();
const { talkTo, arrivals } = pushesIn(app);

test("A push to a player without an open tab, from Send to its arrival at the stand-in", async () => {
  const waits: number[] = [];
  // The first pushes compile the Worker's code.
  for (let turn = 0; turn < 33; turn += 1) {
    const { talker, endpoint, conversationId } = await talkTo();
    const sentAt = Date.now();
    await write(talker.client, conversationId, "Hello");
    const [push] = await arrivals(endpoint);
    if (turn >= 3) waits.push((push?.at ?? 0) - sentAt);
  }
  waits.sort((one, other) => one - other);
  const at = (share: number) => waits[Math.floor(waits.length * share)];
  console.log(`Push: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${waits.at(-1)} ms`);
  expect(waits).toHaveLength(30);
  expect(at(0.5)).toBeLessThan(P50_LIMIT);
});
