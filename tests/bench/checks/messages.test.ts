import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uuidv7 } from "../../../db/ids";
import { type Sqld, startSqld } from "../../../scripts/local/sqld";
import { addConversation, addPlayer, newPair, sendTo, visitAs } from "../../integration/players";
import { useApp } from "../../support/app";
import type { Client } from "../../support/client";
import { type LibsqlProxy, startLibsqlProxy } from "../../support/libsql-proxy";
import { roundTrips } from "../../support/server-timing";
import { openConversation, type RoomSocket } from "../../support/socket";
import { makeWrite } from "../one-write";
import { startEcho } from "./echo";

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number;
const median = (values: readonly number[]) => at(values, 0.5);
const ms = (value: number) => `${value.toFixed(1)} ms`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

beforeAll(() => {
  console.log(`${cpus().length} cores (${cpus()[0]?.model}); workerd, sqld and this test share them`);
});

describe("a message", () => {
  const ROUNDS = 300;
  const WARM_UP = 50;
  const app = useApp();
  let echo: Awaited<ReturnType<typeof startEcho>>;
  beforeAll(async () => {
    echo = await startEcho();
  });
  afterAll(() => echo.stop());

  test("reaches the other socket within twice the time of an empty action, a write and an echo together", async () => {
    const { one, other, conversationId } = await newPair(app);
    const elsewhere = await newPair(app);
    const socket = await openConversation(other.client, conversationId);
    const times = { empty: [] as number[], write: [] as number[], echo: [] as number[], delivery: [] as number[] };
    const answers: number[] = [];
    const write = makeWrite(app, elsewhere);
    // Alternate, so that other load on the machine affects all of them.
    for (let round = 1; round <= WARM_UP + ROUNDS; round += 1) {
      const id = uuidv7();
      const empty = await timed(() => one.client.post("/theme", { theme: "dark", returnTo: "/" }));
      const written = await timed(() => write(round));
      const bounced = await timed(() => echo.bounce(`${round}`));
      const started = performance.now();
      const response = sendTo(one.client, conversationId, `Message ${round}`, id);
      await socket.next("message", ({ message }) => message.id === id);
      const delivered = performance.now() - started;
      const { status } = await response;
      const answered = performance.now() - started;
      expect(status).toBe(200);
      if (round <= WARM_UP) continue;
      times.empty.push(empty);
      times.write.push(written);
      times.echo.push(bounced);
      times.delivery.push(delivered);
      answers.push(answered);
    }
    expect(socket.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: WARM_UP + ROUNDS }, (_, i) => i + 1));
    const sum = median(times.empty) + median(times.write) + median(times.echo);
    const ratio = median(times.delivery) / sum;
    console.log(
      `delivery p50 ${ms(median(times.delivery))} (p99 ${ms(at(times.delivery, 0.99))}; answered after ${ms(median(answers))}): ` +
        `${ratio.toFixed(2)} times an empty action (${ms(median(times.empty))}), one write (${ms(median(times.write))}) and an echo (${ms(median(times.echo))})`,
    );
    expect(ratio).toBeLessThanOrEqual(2);
  });
});

describe("200 simultaneous conversations", () => {
  const PAIRS = 200;
  const SECONDS = 20;
  const app = useApp();

  test("lose nothing, double nothing and keep one order, with a message a second in each", async () => {
    const talks: { clients: Client[]; sockets: RoomSocket[]; conversationId: string }[] = [];
    const startedAt = new Map<string, number>();
    const deliveries: number[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const { one, other, conversationId } = await newPair(app);
      const clients = [one.client, other.client];
      const sockets = await Promise.all(
        clients.map((client, index) =>
          openConversation(client, conversationId, (frame) => {
            if (frame.type !== "message") return;
            // Frames on the sender's own socket don't count.
            const isReceiver = (frame.message.senderId === one.player.id) === (index === 1);
            if (isReceiver) deliveries.push(performance.now() - (startedAt.get(frame.message.id) as number));
          }),
        ),
      );
      talks.push({ clients, sockets, conversationId });
    }
    const acknowledged: { talk: number; id: string; seq: number }[] = [];
    let again = 0;
    const begin = performance.now() + 500;
    await Promise.all(
      talks.map(async ({ clients, conversationId }, talk) => {
        // The conversations are spread over the second, and the two players take turns.
        for (let second = 0; second < SECONDS; second += 1) {
          const due = begin + (second + talk / PAIRS) * 1_000;
          await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
          const id = uuidv7();
          startedAt.set(id, performance.now());
          // Retry as the page does: an unacknowledged message is sent again with the same id.
          for (let wait = 1_000; ; wait = Math.min(wait * 2, 4_000)) {
            const sender = clients[second % 2] as Client;
            const response = await sendTo(sender, conversationId, `Second ${second}`, id).catch(() => null);
            if (response?.status === 200) {
              acknowledged.push({ talk, id, seq: JSON.parse(response.text).message.seq });
              break;
            }
            if (response && response.status !== 503) throw new Error(`A message was answered with ${response.status}.`);
            again += 1;
            await new Promise((resolve) => setTimeout(resolve, wait));
          }
        }
      }),
    );
    const took = (performance.now() - begin) / 1_000;
    const order = Array.from({ length: SECONDS }, (_, index) => index + 1);
    for (const [talk, { sockets }] of talks.entries()) {
      const sent = acknowledged.filter((one) => one.talk === talk).sort((a, b) => a.seq - b.seq);
      expect(sent.map(({ seq }) => seq)).toEqual(order);
      for (const socket of sockets) {
        await socket.until(() => (socket.messages.length >= SECONDS ? true : undefined), "the last message");
        expect(socket.messages.map(({ id, seq }) => [id, seq])).toEqual(sent.map(({ id, seq }) => [id, seq]));
      }
    }
    console.log(
      `${PAIRS} conversations, ${PAIRS * 2} sockets, ${deliveries.length} messages in ${took.toFixed(1)} s: ` +
        `delivery p50 ${ms(median(deliveries))}, p95 ${ms(at(deliveries, 0.95))}, p99 ${ms(at(deliveries, 0.99))}, longest ${ms(Math.max(...deliveries))}; sent again ${again} times`,
    );
    for (const { sockets } of talks) for (const socket of sockets) socket.close();
  });
});

describe("the conversation list", () => {
  const CONVERSATIONS = 20;
  const ROUNDS = 100;
  const dir = mkdtempSync(join(tmpdir(), "lineup-messages-"));
  let sqld: Sqld;
  let proxy: LibsqlProxy;
  beforeAll(async () => {
    sqld = await startSqld({ dir });
    proxy = await startLibsqlProxy(sqld.url);
  });
  afterAll(async () => {
    await proxy.stop();
    await sqld.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  const app = useApp({
    get libsqlUrl() {
      return sqld.url;
    },
    get bindings() {
      return { LIBSQL_URL: proxy.url };
    },
  });

  /** A player with twenty conversations and `total` messages in all. Names and previews are equally long for all. */
  async function playerWith(total: number): Promise<{ client: Client; conversationIds: string[] }> {
    const self = await addPlayer(app, { riotGameName: "Reader" });
    const conversationIds: string[] = [];
    for (let index = 0; index < CONVERSATIONS; index += 1) {
      const other = await addPlayer(app, { riotGameName: `Writer ${index + 10}` });
      const id = await addConversation(app, self, other);
      conversationIds.push(id);
      const count = total / CONVERSATIONS;
      await app.db.batch([
        app.db.run(sql`
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
          INSERT INTO messages (id, conversation_id, seq, sender_id, receiver_id, content, created_at)
          SELECT ${id} || '-' || i, ${id}, i, ${other.id}, ${self.id}, 'Message ' || (i + 1000000), ${Date.now()} FROM n`),
        app.db.run(sql`
          UPDATE conversations SET last_seq = ${count}, last_preview = 'See you tonight', last_sender_id = ${other.id}
          WHERE id = ${id}`),
        app.db.run(sql`UPDATE conversation_members SET last_read_seq = ${count} WHERE conversation_id = ${id}`),
      ]);
    }
    return { client: await visitAs(app, self), conversationIds };
  }

  test("costs the same with 1 000 and with 100 000 messages, and so does a thread", async () => {
    // A thread's page of 50 is full in both cases.
    const few = await playerWith(1_000);
    const many = await playerWith(100_000);
    const pages = {
      list: () => "/dashboard/messages.data",
      "list as a page": () => "/dashboard/messages",
      thread: ({ conversationIds }: typeof few) => `/dashboard/messages/${conversationIds[0]}.data`,
    };
    for (const [name, pathOf] of Object.entries(pages)) {
      const cost = async (player: typeof few) => {
        proxy.clear();
        const response = await player.client.get(pathOf(player));
        expect(response.status).toBe(200);
        expect(roundTrips(response)).toBe(1);
        const rows = proxy.statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
        return { rows, bytes: Buffer.byteLength(response.text) };
      };
      const [a, b] = [await cost(few), await cost(many)];
      const times: { few: number[]; many: number[] } = { few: [], many: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        times.few.push(await timed(() => few.client.get(pathOf(few))));
        times.many.push(await timed(() => many.client.get(pathOf(many))));
      }
      const ratio = { rows: b.rows / a.rows, bytes: b.bytes / a.bytes, time: median(times.many) / median(times.few) };
      console.log(
        `${name}, 100 000 messages against 1 000: rows ${b.rows}/${a.rows}, bytes ${b.bytes}/${a.bytes}, ` +
          `time ${ms(median(times.many))}/${ms(median(times.few))} = ${ratio.time.toFixed(2)}; one round trip`,
      );
      expect(ratio.rows).toBeLessThanOrEqual(1.3);
      expect(ratio.bytes).toBeLessThanOrEqual(1.3);
      expect(ratio.time).toBeLessThanOrEqual(1.3);
    }
  });
});
