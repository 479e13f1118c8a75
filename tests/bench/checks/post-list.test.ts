import { expect, test } from "vitest";
import { postListShard } from "../../../app/features/lfg/shared/post-rooms.server";
import { uuidv7 } from "../../../db/ids";
import { newVisitor } from "../../integration/players";
import { useApp } from "../../support/app";
import { eventually } from "../../support/eventually";
import { openRoom, type RoomSocket } from "../../support/socket";
import { cpuTime, findChildren, residentMemory } from "../../support/workers";
import { quantile } from "../statistics";

/** Open lists of one room at each step. */
const SIZES = [250, 1_000, 2_000];
/** The lists that a player may have open at the same time. */
const LISTS_OF_A_PLAYER = 20;
/** Posts at each step. */
const POSTS = 20;

const app = useApp();

test("One room of the post list announces each new post once to 2 000 open lists", { timeout: 300_000 }, async () => {
  const [worker] = findChildren("workerd") as [number];
  const before = residentMemory(worker);
  const author = await newVisitor(app);
  const arrivals = new Map<string, number[]>();
  const sockets: RoomSocket[] = [];
  for (const size of SIZES) {
    while (sockets.length < size) {
      const { player, client } = await newVisitor(app);
      if (postListShard(player.id) !== 0) continue;
      const opened = Array.from({ length: Math.min(LISTS_OF_A_PLAYER, size - sockets.length) }, () =>
        openRoom(client, `/parties/posts?since=${Date.now()}`, (frame) => {
          if (frame.type === "post") arrivals.get(frame.id)?.push(Date.now());
        }),
      );
      sockets.push(...(await Promise.all(opened)));
    }
    const [waits, started]: [number[], number] = [[], cpuTime(worker)];
    for (let post = 0; post < POSTS; post += 1) {
      const id = uuidv7();
      arrivals.set(id, []);
      const sentAt = Date.now();
      await author.client.post("/dashboard/lfg/new", { id, title: "Two for Haven", neededPlayers: "2" });
      const at = await eventually(() => {
        const times = arrivals.get(id) ?? [];
        return times.length >= size ? times : undefined;
      });
      waits.push(...at.map((time) => time - sentAt));
      await author.client.post(`/lfg/${id}`, { intent: "close" });
    }
    const cpu = (cpuTime(worker) - started) / POSTS;
    const memory = (residentMemory(worker) - before) / sockets.length / 1_000;
    console.log(
      `${size} lists: p50 ${quantile(waits, 0.5)} ms, p99 ${quantile(waits, 0.99)} ms after the form was sent; ` +
        `${cpu.toFixed(1)} ms of CPU time for a post and its closing; ${memory.toFixed(1)} kB of memory a list`,
    );
    expect(waits).toHaveLength(POSTS * size);
  }
  for (const socket of sockets) socket.close();
});
