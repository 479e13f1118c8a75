import { and, eq, isNotNull } from "drizzle-orm";
import { expect } from "vitest";
import { notifications, pushSubscriptions } from "../../db/schema";
import type { LocalSubscription, ReceivedPush } from "../../scripts/local/push-stand-in";
import type { TestApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { eventually } from "../support/eventually";
import { newVisitor, type Player } from "./players";
import { startConversation, type Visitor } from "./talk";

/** Turns on push in a browser, as the page's script does. */
export const turnOn = (
  client: Client,
  { endpoint, keys }: LocalSubscription,
  more: Record<string, string> = {},
): Promise<HttpResponse> => client.post("/push", { endpoint, ...keys, ...more });

/** Test helpers for the pushes of an app. */
export function pushesIn(app: TestApp) {
  /** Turns on push in a browser of a player, at the stand-in. @returns its endpoint there */
  async function addDevice(client: Client): Promise<string> {
    const subscription = app.push.subscribe();
    expect((await turnOn(client, subscription)).status).toBe(200);
    return subscription.endpoint;
  }

  /** Two players who talk. The listener has push turned on and has read everything. */
  async function talkTo(listener?: Visitor) {
    const reader = listener ?? (await newVisitor(app, { riotGameName: "Listener" }));
    const endpoint = await addDevice(reader.client);
    const author = await newVisitor(app, { riotGameName: "Talker" });
    const { conversationId } = await startConversation(app, { author, reader });
    return { talker: author, listener: reader, endpoint, conversationId };
  }

  const pushesAt = (endpoint: string): ReceivedPush[] => app.push.received.filter((push) => push.endpoint === endpoint);

  /** Waits until this many pushes have arrived at a device. */
  const arrivals = (endpoint: string, count = 1): Promise<ReceivedPush[]> =>
    eventually(() => {
      const pushes = pushesAt(endpoint);
      expect(pushes).toHaveLength(count);
      return pushes;
    });

  /** Waits until a player has no pending push, due now or later. */
  const settled = (player: Player): Promise<boolean> =>
    eventually(async () => {
      expect(await dueOf(player)).toEqual([]);
      return true;
    });

  /** The notifications that wait to be pushed to a player. */
  const dueOf = ({ id }: Player) =>
    app.db
      .select()
      .from(notifications)
      .where(and(eq(notifications.userId, id), isNotNull(notifications.pushDueAt)));

  /** Waits until a player has a push that is due more than 20 seconds from now, and returns its row. */
  const waiting = (player: Player) =>
    eventually(async () => (await dueOf(player)).find(({ pushDueAt }) => Number(pushDueAt) > Date.now() + 20_000));

  /** Makes a player's pending pushes due, as if their time had come, and runs the cron. */
  async function letTimePass({ id }: Player): Promise<void> {
    await app.db
      .update(notifications)
      .set({ pushDueAt: new Date(Date.now() - 1) })
      .where(and(eq(notifications.userId, id), isNotNull(notifications.pushDueAt)));
    await app.runScheduled();
  }

  const devicesOf = async ({ id }: Player): Promise<string[]> => {
    const rows = await app.db.select().from(pushSubscriptions).where(eq(pushSubscriptions.userId, id));
    return rows.map(({ endpoint }) => endpoint);
  };

  return { addDevice, talkTo, pushesAt, arrivals, settled, waiting, letTimePass, devicesOf, dueOf };
}
