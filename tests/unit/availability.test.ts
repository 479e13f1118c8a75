import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  commonHours,
  countHours,
  DAY_PARTS,
  DAYS,
  fromMorning,
  shiftWeek,
  toWeekHours,
  type WeekHours,
  zoneOffset,
} from "../../app/features/players/availability";
import type { Availability } from "../../db/words/availability";

type Parts = Partial<Record<(typeof DAYS)[number], (typeof DAY_PARTS)[number]["word"][]>>;

/** Availability as a profile's checkboxes give it. */
const availability = (parts: Parts): Availability =>
  DAYS.map((day) =>
    (parts[day] ?? []).reduce((bits, word) => bits | (1 << DAY_PARTS.findIndex((part) => part.word === word)), 0),
  );

/** The hours of a week in readable form: `{ Monday: "18 19 20 21" }`. */
function read(week: WeekHours): Partial<Record<(typeof DAYS)[number], string>> {
  const hoursOf = (bits: number) => Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => bits & (1 << hour));
  return Object.fromEntries(
    DAYS.flatMap((day, at) => (week[at] ? [[day, hoursOf(week[at] as number).join(" ")] as const] : [])),
  );
}

const inJanuary = new Date("2026-01-15T12:00:00Z");
const inJuly = new Date("2026-07-15T12:00:00Z");

const anyAvailability = fc.tuple(...Array.from({ length: 7 }, () => fc.nat(31)));
const anyWeek: fc.Arbitrary<WeekHours> = fc.tuple(...Array.from({ length: 7 }, () => fc.nat(2 ** 24 - 1)));
const wholeOffset = fc.integer({ min: -12, max: 14 });
/** Any offset from UTC in hours. The world's clocks differ by multiples of a quarter of an hour. */
const anyOffset = fc.integer({ min: -48, max: 56 }).map((quarters) => quarters / 4);

describe("the hours of a player", () => {
  test.each([
    ["morning", "6 7 8 9"],
    ["midday", "10 11 12 13"],
    ["afternoon", "14 15 16 17"],
    ["evening", "18 19 20 21"],
  ] as const)("of a %s are %s", (part, hours) => {
    expect(read(toWeekHours(availability({ Wednesday: [part] }), 0))).toEqual({ Wednesday: hours });
  });

  it("of a night continue past midnight", () => {
    expect(read(toWeekHours(availability({ Friday: ["night"] }), 0))).toEqual({ Friday: "22 23", Saturday: "0 1" });
  });

  it("of a Sunday night continue into Monday", () => {
    expect(read(toWeekHours(availability({ Sunday: ["night"] }), 0))).toEqual({ Sunday: "22 23", Monday: "0 1" });
  });

  it("are empty when no box is ticked, and twenty a day when all are", () => {
    expect(toWeekHours(availability({}), 3)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(countHours(toWeekHours([31, 31, 31, 31, 31, 31, 31], 3))).toBe(140);
  });

  test.each([
    // In zones ahead of UTC, the same local hour is earlier in UTC.
    ["Berlin in winter", 1, { Monday: ["evening"] }, { Monday: "17 18 19 20" }],
    ["Seoul", 9, { Monday: ["evening"] }, { Monday: "9 10 11 12" }],
    ["Seoul, a Monday morning that is Sunday in UTC", 9, { Monday: ["morning"] }, { Sunday: "21 22 23", Monday: "0" }],
    ["Auckland in summer", 13, { Monday: ["midday"] }, { Sunday: "21 22 23", Monday: "0" }],
    // In zones behind UTC, the same local hour is later in UTC.
    ["New York in winter", -5, { Monday: ["evening"] }, { Monday: "23", Tuesday: "0 1 2" }],
    ["Los Angeles, a Sunday evening that is Monday in UTC", -8, { Sunday: ["evening"] }, { Monday: "2 3 4 5" }],
    ["Los Angeles, a Saturday night", -8, { Saturday: ["night"] }, { Sunday: "6 7 8 9" }],
    ["São Paulo, a Sunday night", -3, { Sunday: ["night"] }, { Monday: "1 2 3 4" }],
    // Half hours are rounded up to the next whole hour.
    ["India", 5.5, { Monday: ["evening"] }, { Monday: "12 13 14 15" }],
    ["Nepal", 5.75, { Monday: ["evening"] }, { Monday: "12 13 14 15" }],
    ["Newfoundland in winter", -3.5, { Monday: ["evening"] }, { Monday: "21 22 23", Tuesday: "0" }],
  ] as const)("are converted to UTC: %s (%d)", (_, offset, parts, utc) => {
    expect(read(toWeekHours(availability(parts as unknown as Parts), offset))).toEqual(utc);
  });

  it("of an evening in Seoul are a morning in Lisbon", () => {
    const inLisbon = shiftWeek(toWeekHours(availability({ Tuesday: ["evening"] }), 9), 0);
    expect(read(commonHours(inLisbon, toWeekHours(availability({ Tuesday: ["morning", "evening"] }), 0)))).toEqual({
      Tuesday: "9",
    });
  });

  it("of evenings an hour apart overlap by three", () => {
    const evening = availability({ Monday: ["evening"] });
    const inBerlin = shiftWeek(commonHours(toWeekHours(evening, 1), toWeekHours(evening, 2)), 1);
    expect(read(inBerlin)).toEqual({ Monday: "18 19 20" });
  });

  it("of a Sunday night in Los Angeles are a Monday in Berlin", () => {
    const week = toWeekHours(availability({ Sunday: ["evening", "night"] }), -8);
    expect(read(shiftWeek(week, 1))).toEqual({ Monday: "3 4 5 6 7 8 9 10" });
  });

  it("keep the nine hours' difference between India and Newfoundland", () => {
    const evening = availability({ Saturday: ["evening"] });
    expect(read(shiftWeek(toWeekHours(evening, -3.5), 5.5))).toEqual({ Sunday: "3 4 5 6" });
  });

  it("are the ticked hours by the player's own clock, in every zone", () => {
    fc.assert(
      fc.property(anyAvailability, anyOffset, (ticked, offset) => {
        expect(shiftWeek(toWeekHours(ticked, offset), offset)).toEqual(toWeekHours(ticked, 0));
      }),
    );
  });

  it("have the same number in every zone", () => {
    fc.assert(
      fc.property(anyAvailability, anyOffset, (ticked, offset) => {
        const boxes = ticked.reduce(
          (sum, parts) => sum + [...parts.toString(2)].filter((bit) => bit === "1").length,
          0,
        );
        expect(countHours(toWeekHours(ticked, offset))).toBe(4 * boxes);
      }),
    );
  });
});

describe("a week shifted to another zone", () => {
  it("is the original again when it is shifted back", () => {
    fc.assert(
      fc.property(anyWeek, wholeOffset, (week, offset) => {
        expect(shiftWeek(shiftWeek(week, offset), -offset)).toEqual(week);
      }),
    );
  });

  it("keeps its number of hours, and is unchanged by a shift of seven days", () => {
    fc.assert(
      fc.property(anyWeek, anyOffset, (week, offset) => {
        expect(countHours(shiftWeek(week, offset))).toBe(countHours(week));
        expect(shiftWeek(week, 7 * 24)).toEqual(week);
      }),
    );
  });

  it("keeps two players' common hours when both are shifted", () => {
    fc.assert(
      fc.property(anyWeek, anyWeek, anyOffset, (one, other, offset) => {
        expect(commonHours(shiftWeek(one, offset), shiftWeek(other, offset))).toEqual(
          shiftWeek(commonHours(one, other), offset),
        );
      }),
    );
  });
});

describe("a week from morning to morning", () => {
  const hours = (...at: [day: number, hour: number][]) =>
    at.reduce((week, [day, hour]) => week.with(day, (week[day] as number) | (1 << hour)), Array<number>(7).fill(0));

  it("counts the hours after midnight as part of the evening before", () => {
    expect(read(fromMorning(hours([4, 22], [4, 23], [5, 0], [5, 1])))).toEqual({ Friday: "16 17 18 19" });
    expect(read(fromMorning(hours([0, 5])))).toEqual({ Sunday: "23" });
    expect(read(fromMorning(hours([0, 6])))).toEqual({ Monday: "0" });
  });

  it("equals the week shifted back by six hours", () => {
    fc.assert(
      fc.property(anyWeek, (week) => {
        expect(fromMorning(week)).toEqual(shiftWeek(week, -6));
      }),
    );
  });
});

describe("two players' common hours", () => {
  it("are the hours of both, in either order", () => {
    fc.assert(
      fc.property(anyWeek, anyWeek, fc.nat(6), fc.nat(23), (one, other, day, hour) => {
        const has = (week: WeekHours) => Boolean((week[day] as number) & (1 << hour));
        const common = commonHours(one, other);
        expect(has(common)).toBe(has(one) && has(other));
        expect(common).toEqual(commonHours(other, one));
      }),
    );
  });

  it("are all hours of a player with themselves, and none with a player who has none", () => {
    fc.assert(
      fc.property(anyWeek, (week) => {
        expect(commonHours(week, week)).toEqual(week);
        expect(countHours(commonHours(week, [0, 0, 0, 0, 0, 0, 0]))).toBe(0);
        expect(countHours(commonHours(week, []))).toBe(0);
      }),
    );
  });

  it("are no more than either player has, and no fewer than must overlap in a week of 168 hours", () => {
    fc.assert(
      fc.property(anyWeek, anyWeek, (one, other) => {
        const common = countHours(commonHours(one, other));
        expect(common).toBeLessThanOrEqual(Math.min(countHours(one), countHours(other)));
        expect(common).toBeGreaterThanOrEqual(countHours(one) + countHours(other) - 168);
      }),
    );
  });

  it("are counted bit by bit", () => {
    expect(countHours([])).toBe(0);
    expect(countHours([0, 0, 0, 0, 0, 0, 1 << 23])).toBe(1);
    expect(countHours(Array<number>(7).fill(2 ** 24 - 1))).toBe(168);
    fc.assert(
      fc.property(anyWeek, (week) => {
        expect(countHours(week)).toBe(
          [...week.map((bits) => bits.toString(2)).join("")].filter((bit) => bit === "1").length,
        );
      }),
    );
  });
});

describe("a time zone", () => {
  test.each([
    ["UTC", 0, 0],
    ["Europe/Berlin", 1, 2],
    ["Europe/London", 0, 1],
    ["America/New_York", -5, -4],
    ["America/St_Johns", -3.5, -2.5],
    ["Asia/Kolkata", 5.5, 5.5],
    ["Asia/Kathmandu", 5.75, 5.75],
    ["Asia/Seoul", 9, 9],
    // South of the equator summer is in January. Lord Howe shifts by half an hour; Chatham's offset has 45 minutes.
    ["Australia/Lord_Howe", 11, 10.5],
    ["Pacific/Chatham", 13.75, 12.75],
    ["Pacific/Kiritimati", 14, 14],
    ["Pacific/Pago_Pago", -11, -11],
  ])("%s is ahead of UTC by %d h in January and %d h in July", (zone, january, july) => {
    expect(zoneOffset(zone, inJanuary)).toBe(january);
    expect(zoneOffset(zone, inJuly)).toBe(july);
  });

  it("changes its offset at the moment when its clocks change", () => {
    // In 2026 summer time begins in Berlin on 29 March at 1:00 UTC and ends on 25 October at 1:00 UTC.
    expect(zoneOffset("Europe/Berlin", new Date("2026-03-29T00:59:59Z"))).toBe(1);
    expect(zoneOffset("Europe/Berlin", new Date("2026-03-29T01:00:00Z"))).toBe(2);
    expect(zoneOffset("Europe/Berlin", new Date("2026-10-25T00:59:59Z"))).toBe(2);
    expect(zoneOffset("Europe/Berlin", new Date("2026-10-25T01:00:00Z"))).toBe(1);
  });

  test.each(["", "Mars/Olympus_Mons", "Europe", "<script>", "🕐", "x".repeat(10_000)])(
    "that is unknown counts as UTC: %j",
    (zone) => {
      expect(zoneOffset(zone, inJuly)).toBe(0);
    },
  );

  it("moves a player's evening by an hour of UTC from winter to summer", () => {
    const evening = availability({ Thursday: ["evening"] });
    expect(read(toWeekHours(evening, zoneOffset("Europe/Berlin", inJanuary)))).toEqual({ Thursday: "17 18 19 20" });
    expect(read(toWeekHours(evening, zoneOffset("Europe/Berlin", inJuly)))).toEqual({ Thursday: "16 17 18 19" });
    // Halves are rounded up: −3.5 counts as −3, −2.5 as −2.
    expect(read(toWeekHours(evening, zoneOffset("America/St_Johns", inJanuary)))).toEqual({
      Thursday: "21 22 23",
      Friday: "0",
    });
    expect(read(toWeekHours(evening, zoneOffset("America/St_Johns", inJuly)))).toEqual({ Thursday: "20 21 22 23" });
  });
});
