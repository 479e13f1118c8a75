import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readConventions } from "../../app/platform/dates/date-conventions.server";
import {
  clockTime,
  type DateConventions,
  dateIn,
  dateWords,
  dayWords,
  exactMoment,
  hourRange,
  hourWords,
  longDate,
  shortDate,
  timeOf,
} from "../../app/platform/dates/dates";
import { chooseZone, readTimeZone, zoneNote, zoneWords } from "../../app/platform/dates/time-zone";

const ZONES = Intl.supportedValuesOf("timeZone");
const zone = fc.constantFrom(...ZONES);
const maybeZone = fc.option(fc.constantFrom("Europe/Berlin", "Asia/Kathmandu", "America/New_York", "UTC"));
const moment = fc.date({
  min: new Date("1990-01-01T00:00Z"),
  max: new Date("2040-01-01T00:00Z"),
  noInvalidDate: true,
});

const GERMAN: DateConventions = { order: "day-month-year", hour12: false };
const AMERICAN: DateConventions = { order: "month-day-year", hour12: true };
const JAPANESE: DateConventions = { order: "year-month-day", hour12: false };

describe("a reader's zone", () => {
  it("is the profile's, else the browser's, else the one guessed from the IP address, else UTC", () => {
    fc.assert(
      fc.property(maybeZone, maybeZone, maybeZone, (profile, browser, address) => {
        const chosen = chooseZone({ profile, browser, address });
        const first = [profile, browser, address, "UTC"].find((name) => name !== null);
        expect(chosen.timeZone).toBe(first);
        // Times that a reader types are never read in a guessed zone.
        expect(chosen.fieldZone).toBe([profile, browser, "UTC"].find((name) => name !== null));
        expect(chosen.isZoneDoubtful).toBe(
          (profile === null && browser === null) || (profile !== null && browser !== null && profile !== browser),
        );
      }),
    );
  });

  it("is named when it is a guess, or when profile and browser disagree", () => {
    const noteOf = (zones: Parameters<typeof chooseZone>[0]) => zoneNote(chooseZone(zones));
    const none = { profile: null, browser: null, address: null };
    expect(noteOf(none)).toBe("UTC");
    expect(noteOf({ ...none, address: "America/New_York" })).toBe("America/New York time");
    expect(noteOf({ ...none, browser: "Europe/Berlin", address: "Asia/Tokyo" })).toBe("your time");
    expect(noteOf({ ...none, profile: "Europe/Berlin" })).toBe("your time");
    expect(noteOf({ ...none, profile: "Europe/Warsaw", browser: "Europe/Berlin" })).toBe("Europe/Warsaw time");
    expect(noteOf({ ...none, profile: "Europe/Kiev", browser: "Europe/Kyiv" })).toBe("your time");
  });

  it("is read in any letter case, and may be any zone that Intl knows", () => {
    for (const name of ZONES) expect(readTimeZone(name), name).toBe(readTimeZone(name.toLowerCase()));
    expect(readTimeZone("europe/BERLIN")).toBe("Europe/Berlin");
    expect(readTimeZone("utc")).toBe("UTC");
    // The result doesn't depend on the engine's own name for the zone.
    expect(readTimeZone("Europe/Kyiv")).toBe("Europe/Kyiv");
    expect(readTimeZone("Asia/Kolkata")).toBe("Asia/Kolkata");
    // Only a few spellings of a name are returned, so that requests can't fill a cache with variants.
    expect(["eUrope/Kyiv", "EUROPE/KYIV", "europe/kyiv", "Europe/KyiV"].map(readTimeZone)).toEqual(
      Array.from({ length: 4 }, () => readTimeZone("europe/kyiv")),
    );
  });

  test.each([
    undefined,
    null,
    1,
    "",
    " ",
    "Mars/Olympus",
    "Europe",
    "+02:00",
    "Europe/Berlin ",
    "Europe/Berlin; Path=/",
    "__proto__",
    "<script>",
    "x".repeat(10_000),
  ])("that is invalid counts as absent: %j", (name) => {
    expect(readTimeZone(name)).toBeNull();
  });

  it("is read from any value without throwing", () => {
    fc.assert(
      fc.property(fc.anything(), (name) => {
        const read = readTimeZone(name);
        if (read !== null) expect(() => new Intl.DateTimeFormat("en", { timeZone: read })).not.toThrow();
      }),
    );
  });
});

describe("a full hour", () => {
  test.each([
    [0, "00:00", "12\u00a0AM"],
    [6, "06:00", "6\u00a0AM"],
    [12, "12:00", "12\u00a0PM"],
    [22, "22:00", "10\u00a0PM"],
    [26, "02:00", "2\u00a0AM"],
  ])("%i reads %s on a 24-hour clock and %s on a 12-hour clock", (hour, long, short) => {
    expect(hourWords(hour, false)).toBe(long);
    expect(hourWords(hour, true)).toBe(short);
  });

  test.each([
    [6, 10, "6–10", "6–10\u00a0AM"],
    [10, 14, "10–14", "10\u00a0AM–2\u00a0PM"],
    [18, 22, "18–22", "6–10\u00a0PM"],
    [22, 26, "22–2", "10\u00a0PM–2\u00a0AM"],
  ])("from %i to %i reads %s on a 24-hour clock and %s on a 12-hour clock", (from, to, long, short) => {
    expect(hourRange(from, to, false)).toBe(long);
    expect(hourRange(from, to, true)).toBe(short);
  });
});

describe("a reader's conventions", () => {
  test.each<[string, DateConventions]>([
    ["en-US,en;q=0.9", AMERICAN],
    ["en", AMERICAN],
    ["en-GB,en-US;q=0.9", GERMAN],
    ["de", GERMAN],
    ["de-AT,de;q=0.8,en-US;q=0.5", GERMAN],
    ["en-AU", { order: "day-month-year", hour12: true }],
    ["en-CA", AMERICAN],
    ["ja-JP", JAPANESE],
    ["ko-KR", { order: "year-month-day", hour12: true }],
    ["sv-SE", GERMAN],
    // Regions with other calendars or digits are read only for their order and their clock.
    ["fa-IR", GERMAN],
    ["ar-SA", { order: "day-month-year", hour12: true }],
    ["en-US;q=0.5,de;q=0.7", GERMAN],
    ["*,en-US;q=0.1", AMERICAN],
    ["en-US;q=0,de", GERMAN],
    ["x-, en-US", AMERICAN],
  ])("are those of the language asked for first: %s", (header, conventions) => {
    expect(readConventions(header)).toEqual(conventions);
  });

  test.each([null, "", "*", ";;,,", "q=1", "🕐", "en_US", `en-US,${"x".repeat(10_000)}`])(
    "without a usable header put the day first and use 24 hours: %j",
    (header) => {
      expect(readConventions(header)).toEqual(GERMAN);
    },
  );

  it("are read from any header without throwing", () => {
    const part = fc.constantFrom("en", "-", "US", ";q=", "0.5", ",", "*", "u-hc-h12", "1e999", " ", "é", "und", "root");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join("")),
        ),
        (header) => {
          expect(["day-month-year", "month-day-year", "year-month-day"]).toContain(readConventions(header).order);
        },
      ),
    );
  });
});

describe("a date", () => {
  const at = new Date("2026-12-05T17:05:00Z");
  const now = new Date("2026-11-21T12:00:00Z");
  const berlin = { timeZone: "Europe/Berlin" };

  it("is written in the reader's conventions", () => {
    const said = (conventions: DateConventions) => {
      const style = { ...berlin, ...conventions };
      const { text, day, time } = dateWords({ ...style, now })(at);
      return [exactMoment(at, style), longDate(at, style), shortDate(at, { ...style, now }), text, day, time];
    };
    expect(said(GERMAN)).toEqual([
      "5 December 2026, 18:05, Europe/Berlin time",
      "5 December 2026",
      "5 December",
      "Sat 5 Dec, 18:05",
      "5 Dec 2026",
      "Sat, 18:05",
    ]);
    expect(said(AMERICAN)).toEqual([
      "December 5, 2026, 6:05\u00a0PM, Europe/Berlin time",
      "December 5, 2026",
      "December 5",
      "Sat, Dec 5, 6:05\u00a0PM",
      "Dec 5, 2026",
      "Sat, 6:05\u00a0PM",
    ]);
    expect(said(JAPANESE)).toEqual([
      "2026 December 5, 18:05, Europe/Berlin time",
      "2026 December 5",
      "December 5",
      "Sat, Dec 5, 18:05",
      "2026 Dec 5",
      "Sat, 18:05",
    ]);
  });

  it("includes the year if it isn't the current year in the reader's zone", () => {
    const midnight = new Date("2026-12-31T23:30:00Z");
    const words = (timeZone: string) => dateWords({ timeZone, ...GERMAN, now })(midnight).text;
    expect(words("Europe/London")).toBe("Thu 31 Dec, 23:30");
    expect(words("Europe/Berlin")).toBe("Fri 1 Jan 2027, 00:30");
  });

  it("counts twelve hours from midnight and twelve from noon", () => {
    const said = (time: string) => timeOf(new Date(`2026-11-21T${time}Z`), { timeZone: "UTC", ...AMERICAN });
    expect(["00:00", "00:59", "01:00", "11:59", "12:00", "12:30", "13:00", "23:59"].map(said)).toEqual(
      ["12:00 AM", "12:59 AM", "1:00 AM", "11:59 AM", "12:00 PM", "12:30 PM", "1:00 PM", "11:59 PM"].map((text) =>
        text.replace(" ", "\u00a0"),
      ),
    );
  });

  it("agrees with Intl in every zone", () => {
    fc.assert(
      fc.property(zone, moment, (timeZone, date) => {
        const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone });
        const { text } = clockTime(date.getTime(), { timeZone, ...GERMAN });
        expect(`${longDate(date, { timeZone, ...GERMAN })} at ${text}`).toBe(format.format(date));
      }),
      { numRuns: 1_000 },
    );
  });

  it("falls on the day that the zone's calendar shows", () => {
    expect(dateIn("Pacific/Kiritimati", new Date("2026-11-21T10:00:00Z"))).toBe("2026-11-22");
    expect(dateIn("Pacific/Niue", Date.parse("2026-11-21T10:00:00Z"))).toBe("2026-11-20");
    expect(zoneWords("UTC")).toBe("UTC");
  });
});

describe("a day among others", () => {
  it("is named relative to the reader's today, even across a clock change", () => {
    const called = (date: string, today: string) => dayWords(date, today, GERMAN.order);
    expect(called("2026-11-21", "2026-11-21")).toBe("Today");
    expect(called("2026-11-20", "2026-11-21")).toBe("Yesterday");
    expect(called("2026-11-19", "2026-11-21")).toBe("19 November");
    expect(called("2025-11-19", "2026-11-21")).toBe("19 November 2025");
    expect(called("2025-12-31", "2026-01-01")).toBe("Yesterday");
    expect(dayWords("2025-11-19", "2026-11-21", AMERICAN.order)).toBe("November 19, 2025");
    // 00:30 after a day of 23 hours, and 23:30 on a day of 25.
    const [spring, autumn] = [Date.parse("2026-03-29T22:30:00Z"), Date.parse("2026-10-25T22:30:00Z")];
    expect(called("2026-03-29", dateIn("Europe/Berlin", spring))).toBe("Yesterday");
    expect(called("2026-03-28", dateIn("Europe/Berlin", spring))).toBe("28 March");
    expect(called("2026-10-24", dateIn("Europe/Berlin", autumn))).toBe("Yesterday");
  });
});
