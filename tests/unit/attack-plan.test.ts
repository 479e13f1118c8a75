import { describe, expect, test } from "vitest";
import { makePlan, type Step } from "../../scripts/attacks/plan";

describe("The plan of an attack", () => {
  const plan = makePlan(7, 200);

  test("is the same for the same seed, and another for another", () => {
    expect(makePlan(7, 200)).toEqual(plan);
    expect(makePlan(8, 200)).not.toEqual(plan);
  });

  test("begins with the shorter plans of its seed, so an index names the same request in all of them", () => {
    expect(makePlan(7, 50)).toEqual(plan.slice(0, 50));
  });

  test("holds forms, addresses, JSON, sockets and raw bytes", () => {
    const kinds: Step["kind"][] = ["address", "form", "json", "raw", "socket"];
    expect([...new Set(plan.map(({ kind }) => kind))].sort()).toEqual(kinds);
  });
});
