import { describe, expect, test } from "vitest";
import { availabilityOf } from "../../app/features/players/availability";
import { browserLanguages } from "../../app/features/players/ready/browser-languages";
import { guessRegion, slotsOfWeek, stepStates, USUAL_SLOTS, WEEK_SLOTS } from "../../app/features/players/ready/rules";

const EMPTY = { currentRank: null, preferredRole: null, availability: null, readySteps: null };

/** Returns the states of the steps, on one line. */
const states = (profile: Partial<Parameters<typeof stepStates>[0]>) =>
  stepStates({ ...EMPTY, ...profile })
    ?.map(({ step, state }) => `${step} ${state}`)
    .join(", ") ?? "gone";

describe("the steps of Get ready", () => {
  test("begin with the rank, one after the other", () => {
    expect(states({})).toBe("rank now, role next, hours next");
    expect(states({ currentRank: "Gold 2" })).toBe("rank answered, role now, hours next");
    expect(states({ preferredRole: "Duelist" })).toBe("rank now, role answered, hours next");
  });

  test("pass over those that were skipped", () => {
    expect(states({ readySteps: ["rank"] })).toBe("rank skipped, role now, hours next");
    expect(states({ readySteps: ["rank", "hours"] })).toBe("rank skipped, role now, hours skipped");
  });

  test("are gone once each is answered or skipped", () => {
    const availability = [0, 0, 8, 0, 0, 0, 0];
    expect(states({ currentRank: "Gold 2", preferredRole: "Duelist", availability })).toBe("gone");
    expect(states({ readySteps: ["rank", "role", "hours"] })).toBe("gone");
    expect(states({ currentRank: "Gold 2", readySteps: ["role", "hours"] })).toBe("gone");
  });

  test("need hours, not just an empty week", () => {
    expect(states({ availability: [0, 0, 0, 0, 0, 0, 0], readySteps: ["rank", "role"] })).toBe(
      "rank skipped, role skipped, hours now",
    );
  });
});

test("Weekdays and weekends stand for their days", () => {
  expect(slotsOfWeek(["weekends-night"])).toEqual(["saturday-night", "sunday-night"]);
  expect(availabilityOf(slotsOfWeek(USUAL_SLOTS))).toEqual([8, 8, 8, 8, 8, 8, 8]);
  expect(availabilityOf(slotsOfWeek(WEEK_SLOTS))).toEqual([31, 31, 31, 31, 31, 31, 31]);
  expect(slotsOfWeek(["mondays-noon"])).toEqual([]);
});

test.each([
  ["Europe/Berlin", "de", "americas", "Europe"],
  ["Africa/Cairo", "ar", "europe", "Europe"],
  ["Asia/Istanbul", "tr", "europe", "Europe"],
  ["Asia/Seoul", "ko", "asia", "Korea"],
  ["Asia/Tokyo", "ja", "asia", "Asia Pacific"],
  ["Australia/Sydney", "en", "asia", "Asia Pacific"],
  ["Pacific/Auckland", "en", null, "Asia Pacific"],
  ["America/New_York", "en", "americas", "North America"],
  ["America/Sao_Paulo", "pt", "americas", "Brazil"],
  ["America/Bogota", "es", "americas", "Latin America"],
  ["UTC", "en", "europe", "Europe"],
  [null, undefined, "asia", "Asia Pacific"],
  [null, "en", "americas", null],
  [null, undefined, null, null],
] as const)("In %s, with a browser in %s and a Riot account in %s, the guess is %s", (zone, language, riot, region) => {
  expect(guessRegion(zone, language, riot)).toBe(region);
});

test.each([
  ["de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7", ["de", "en"]],
  ["en;q=0.5, pl", ["pl", "en"]],
  ["nb-NO, no;q=0.9", ["no"]],
  ["tlh, *;q=0.5", []],
  ["fr;q=0, en", ["en"]],
  ["constructor, __proto__", []],
  ["en, de, fr, es", ["en", "de", "fr"]],
  [null, []],
])("A browser that asks for %s suggests %j", (header, languages) => {
  expect(browserLanguages(header)).toEqual(languages);
});
