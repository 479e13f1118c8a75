import { expect, test } from "vitest";
import { DAY_PARTS, dayRuns, toWeekHours } from "../../app/features/players/availability";
import { facetsOf } from "../../app/features/players/directory/facets";
import type { Availability } from "../../db/words/availability";

test("A profile has a facet for each filter of the directory, and none for a field without a value", () => {
  expect(facetsOf({})).toEqual(["all"]);
  expect(
    facetsOf({
      riotVerifiedAt: new Date(),
      preferredRole: "Sentinel",
      region: "Korea",
      voiceCommsPreference: "none",
      mainAgents: ["KAY/O", "Vyse"],
      personalityTags: ["Calm", "СПОКОЙНО"],
      languages: ["ko", "en"],
    }),
  ).toEqual([
    "all",
    "verified",
    "role:Sentinel",
    "region:Korea",
    "voice:none",
    "agent:KAY/O",
    "agent:Vyse",
    "tag:calm",
    "tag:спокойно",
    "language:ko",
    "language:en",
  ]);
});

test("A rank is a facet alone and with the region, a language or both, as a first visit combines them", () => {
  expect(facetsOf({ region: "Korea", languages: ["ko", "en"], currentRank: "Iron 2" })).toEqual([
    "all",
    "region:Korea",
    "language:ko",
    "language:en",
    "peer:::1",
    "peer::ko:1",
    "peer::en:1",
    "peer:Korea::1",
    "peer:Korea:ko:1",
    "peer:Korea:en:1",
  ]);
  expect(facetsOf({ currentRank: "Iron 2" })).toEqual(["all", "peer:::1"]);
});

test("Tags that differ only in letter case are one facet", () => {
  expect(facetsOf({ personalityTags: ["Calm", "calm", "CALM"] })).toEqual(["all", "tag:calm"]);
});

test("A player is not found by languages they keep private", () => {
  expect(facetsOf({ languages: ["ko"], region: "Korea", currentRank: "Radiant", shares: [] })).toEqual([
    "all",
    "region:Korea",
    "peer:::24",
    "peer:Korea::24",
  ]);
  expect(facetsOf({ languages: ["ko"], shares: ["languages"] })).toEqual(["all", "language:ko"]);
});

test("An unlisted player has no facets, so no filter finds them", () => {
  expect(facetsOf({ isListed: false, riotVerifiedAt: new Date(), region: "Korea" })).toEqual([]);
});

const EVENING = 1 << DAY_PARTS.findIndex(({ word }) => word === "evening");
const NIGHT = 1 << DAY_PARTS.findIndex(({ word }) => word === "night");
const week = (days: Record<number, number>): Availability => Array.from({ length: 7 }, (_, day) => days[day] ?? 0);

test("A drawn day starts at six, so that an evening past midnight stays in one piece", () => {
  const hours = toWeekHours(week({ 0: EVENING | NIGHT }), 0);
  expect(dayRuns(hours, null)).toEqual([[{ from: 12, to: 20, both: false }], [], [], [], [], [], []]);
});

test("Sunday's night is drawn on Sunday, though it ends on Monday", () => {
  const hours = toWeekHours(week({ 6: NIGHT }), 0);
  expect(dayRuns(hours, null)[6]).toEqual([{ from: 16, to: 20, both: false }]);
  expect(dayRuns(hours, null)[0]).toEqual([]);
});

test("Hours that both players have are marked", () => {
  const theirs = toWeekHours(week({ 2: EVENING | NIGHT }), 0);
  const mine = toWeekHours(week({ 2: EVENING, 3: EVENING }), 0);
  expect(dayRuns(theirs, mine)[2]).toEqual([
    { from: 12, to: 16, both: true },
    { from: 16, to: 20, both: false },
  ]);
  expect(dayRuns(theirs, mine)[3]).toEqual([]);
});
