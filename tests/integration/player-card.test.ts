import { eq, inArray } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { profiles } from "../../db/schema";
import { useApp } from "../support/app";
import { roundTrips } from "../support/server-timing";
import { addBlock, addListedPlayer, visitAs } from "./players";

describe("The card of a player", () => {
  const app = useApp({});
  const pair = async () => {
    const other = await addListedPlayer(app, { riotGameName: "Other", currentRank: "Gold 3" });
    const viewer = await addListedPlayer(app, { riotGameName: "Viewer", currentRank: "Gold 2" });
    return { other, viewer, client: await visitAs(app, viewer), address: `/players/${other.id}/card` };
  };

  test("says rank, reasons and reviews after one round trip", async () => {
    const { client, address } = await pair();
    const response = await client.get(address);
    expect(response.status).toBe(200);
    expect(roundTrips(response)).toBe(1);
    const card = JSON.parse(response.text);
    expect(card).toMatchObject({ name: "Other", rank: "Gold 3", reviews: "No reviews yet" });
    expect(JSON.stringify(card)).toContain("Gold 2 can queue with Gold 3");
  });

  test("counts the hours in common, if both players have given theirs", async () => {
    const evenings = { timeZone: "UTC", availability: [8, 8, 0, 0, 0, 0, 0] };
    const other = await addListedPlayer(app, evenings);
    const hours = async (own: Parameters<typeof addListedPlayer>[1]) => {
      const client = await visitAs(app, await addListedPlayer(app, own));
      return JSON.parse((await client.get(`/players/${other.id}/card`)).text).hours;
    };
    expect(await hours({ ...evenings, availability: [8, 0, 0, 0, 0, 0, 0] })).toBe("4 hours a week together");
    expect(await hours({ ...evenings, availability: [0, 0, 8, 0, 0, 0, 0] })).toBe("No hours together");
    expect(await hours({})).toBeNull();
  });

  test("leaves out the parts that the player doesn't share", async () => {
    const { other, viewer, client, address } = await pair();
    const card = async () => JSON.parse((await client.get(address)).text);
    const evenings = { timeZone: "UTC", availability: [8, 8, 0, 0, 0, 0, 0] };
    await app.db
      .update(profiles)
      .set(evenings)
      .where(inArray(profiles.userId, [other.id, viewer.id]));
    expect(await card()).toMatchObject({ reviews: "No reviews yet", hours: "8 hours a week together" });
    await app.db.update(profiles).set({ shares: [] }).where(eq(profiles.userId, other.id));
    const hidden = await card();
    expect(hidden).toMatchObject({ reviews: null, hours: null });
    expect(hidden.reasons.join(" ")).not.toContain("hours");
  });

  test("isn't shown across a block, in either direction", async () => {
    const { other, viewer, client, address } = await pair();
    await addBlock(app, other, viewer);
    expect((await client.get(address)).status).toBe(404);
    const second = await pair();
    await addBlock(app, second.viewer, second.other);
    expect((await second.client.get(second.address)).status).toBe(404);
  });
});

describe("With a limit", () => {
  const app = useApp({ limitFactor: 1, bindings: { RATE_LIMITS: "playerCards=2/60" } });

  test("the card is refused once the limit is used up", async () => {
    const client = await visitAs(app, await addListedPlayer(app, {}));
    const { id } = await addListedPlayer(app, {});
    const statuses = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await client.get(`/players/${id}/card`)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
