import { expect, test } from "vitest";
import { timeOfId, uuidv7 } from "../../db/ids";

test("Ids made at the same moment sort in the order they were made", () => {
  const moment = Date.UTC(2026, 10, 22, 20);
  const ids = Array.from({ length: 300 }, (_, place) => uuidv7(moment, place));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids.map(timeOfId))).toEqual(new Set([moment]));
});
