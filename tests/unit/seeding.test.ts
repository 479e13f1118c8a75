import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide } from "~/features/tournaments/play/decide";
import { presentSeeding } from "~/features/tournaments/seeding/present.server";
import { followStored, inSeedOrder, moveItem, showStored } from "~/features/tournaments/seeding/rules";
import { readSeedingForm } from "~/features/tournaments/seeding/schema";
import { uuidv7 } from "../../db/ids";
import { ORGANISER, openTournament } from "../support/play-state";

describe("The order of seeds", () => {
  test("puts teams without a seed last, in the order in which they were listed", () => {
    const team = (id: string, seed: number | null, listedAt: number) => ({ id, seed, listedAt });
    const teams = [team("d", null, 9), team("c", null, 8), team("b", 2, 1), team("a", 1, 7), team("e", null, 9)];
    expect(inSeedOrder(teams).map(({ id }) => id)).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("keeps every team when one moves, and moves no team past an end", () => {
    expect(moveItem(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
    expect(moveItem(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
    expect(moveItem(["a", "b", "c"], 0, -1)).toEqual(["a", "b", "c"]);
    expect(moveItem(["a", "b", "c"], 2, 3)).toEqual(["a", "b", "c"]);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(), fc.nat(), (list, from, to) => {
        const result = moveItem(list, from % list.length, to % list.length);
        expect(result.toSorted()).toEqual(list.toSorted());
        expect(result.indexOf(list[from % list.length] as number)).toBe(to % list.length);
      }),
    );
  });
});

describe("The order on an organiser's page", () => {
  const changed = { ...showStored(["a", "b", "c"]), ids: ["c", "a", "b"] };

  test("follows the stored one until it is changed", () => {
    expect(followStored(showStored(["a", "b"]), ["b", "d"])).toEqual(showStored(["b", "d"]));
  });

  test("is kept once it is changed, without teams that have withdrawn and with new ones last", () => {
    const followed = followStored(changed, ["a", "c", "d", "e"]);
    expect(followed).toMatchObject({ ids: ["c", "a", "d", "e"], isOvertaken: false });
    expect(followStored(followed, ["c", "a", "d", "e"])).toEqual(showStored(["c", "a", "d", "e"]));
  });

  test("is kept and marked if another organiser has saved a different order, until this one is saved", () => {
    const overtaken = followStored(changed, ["b", "a", "c"]);
    expect(overtaken).toMatchObject({ ids: ["c", "a", "b"], isOvertaken: true });
    expect(followStored(overtaken, ["b", "a", "c", "d"])).toMatchObject({
      ids: ["c", "a", "b", "d"],
      isOvertaken: true,
    });
    expect(followStored(overtaken, ["c", "a", "b"])).toEqual(showStored(["c", "a", "b"]));
  });

  test("isn't marked after the organiser's own save, even if they moved teams before it was stored", () => {
    const moved = { ...changed, sent: changed.ids, ids: ["c", "b", "a"] };
    expect(followStored(moved, ["c", "a", "b"])).toMatchObject({ ids: ["c", "b", "a"], isOvertaken: false });
    expect(followStored(moved, ["b", "a", "c"])).toMatchObject({ ids: ["c", "b", "a"], isOvertaken: true });
    const overtaken = { ...moved, stored: ["b", "a", "c"], isOvertaken: true };
    expect(followStored(overtaken, ["c", "a", "b"])).toMatchObject({ ids: ["c", "b", "a"], isOvertaken: false });
  });
});

describe("A start with manual seeding", () => {
  /**
   * Starts a tournament of six teams with these seeds. Random seeding would reverse the teams.
   * @returns the teams' names: `started` by the seeds they started with, `shown` in the seeding page's order
   */
  async function startWith(seeds: readonly (number | null)[]) {
    const open = openTournament(6);
    const teams = open.teams.map((team, index) => ({ ...team, seed: seeds[index] ?? null }));
    const state = { ...open, teams };
    const chance = { shuffle: <T>(list: readonly T[]) => [...list].reverse(), newId: () => uuidv7() };
    const decision = await decide({ state, actorId: ORGANISER, command: { type: "start" }, now: 1, chance });
    if (!decision.ok) throw new Error(decision.reason);
    const started = inSeedOrder(decision.state.teams).map(({ name }) => name);
    return { started, shown: presentSeeding(state).teams.map(({ name }) => name) };
  }

  test("seeds the teams as the page lists them, even if nobody has moved one", async () => {
    const { started, shown } = await startWith([]);
    expect(started).toEqual(["T1", "T2", "T3", "T4", "T5", "T6"]);
    expect(started).toEqual(shown);
  });

  test("puts last the teams that registered after the order was saved, in order of registration", async () => {
    const { started, shown } = await startWith([3, 1, 2]);
    expect(started).toEqual(["T2", "T3", "T1", "T4", "T5", "T6"]);
    expect(started).toEqual(shown);
  });
});

describe("The forms of the seeding page", () => {
  const form = (...fields: [string, string][]) => {
    const data = new FormData();
    for (const [name, value] of fields) data.append(name, value);
    return readSeedingForm(data);
  };
  const [one, two] = [uuidv7(), uuidv7()];

  test("are distinguished by their buttons", () => {
    expect(form(["intent", "seeding"], ["seeding", "rank"])).toEqual({ intent: "seeding", seeding: "rank" });
    expect(form(["team", one], ["team", two], ["up", two])).toEqual({ intent: "up", team: two });
    expect(form(["down", one])).toEqual({ intent: "down", team: one });
    expect(form(["team", one], ["team", two], ["intent", "order"])).toEqual({ intent: "order", order: [one, two] });
  });

  test("are refused when their fields are invalid", () => {
    expect(form()).toBeNull();
    expect(form(["intent", "seeding"], ["seeding", "alphabet"])).toBeNull();
    expect(form(["up", "nobody"])).toBeNull();
    expect(form(["intent", "order"])).toBeNull();
    expect(form(["team", one], ["team", one], ["intent", "order"])).toBeNull();
    expect(
      form(...Array.from({ length: 257 }, (): [string, string] => ["team", uuidv7()]), ["intent", "order"]),
    ).toBeNull();
  });
});
