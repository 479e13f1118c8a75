import { parseWithZod } from "@conform-to/zod/v4";
import { describe, expect, test } from "vitest";
import type { Refusal } from "#party/wire/tournament-commands";
import {
  answerBy,
  askedSince,
  type MatchFacts,
  minutesLeft,
  optionsIn,
  phaseOfMatch,
  type Standpoint,
} from "../../app/features/tournaments/play/phase";
import { refusalOf } from "../../app/features/tournaments/play/refusals";
import {
  decisionSchema,
  disputeSchema,
  forfeitSchema,
  reportSchema,
  writeShown,
} from "../../app/features/tournaments/play/schema";
import { HOUR, MINUTE } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";

const form = (fields: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

describe("A score form", () => {
  const read = (fields: Record<string, string>) =>
    parseWithZod(form({ bestOf: "3", leftSide: "1", ...fields }), { schema: reportSchema });
  const mapsOf = (fields: Record<string, string>) => {
    const submission = read(fields);
    return submission.status === "success" ? submission.value.maps : submission.error;
  };
  const won = { left1: "13", right1: "9", left2: "13", right2: "11" };

  test("reads the maps that were played, with side 1 first", () => {
    expect(mapsOf({ ...won, map1: "Haven" })).toEqual([
      { map: "Haven", rounds: [13, 9] },
      { map: null, rounds: [13, 11] },
    ]);
    expect(mapsOf({ ...won, leftSide: "2" })).toEqual([
      { map: null, rounds: [9, 13] },
      { map: null, rounds: [11, 13] },
    ]);
  });

  test("leaves out maps with a name but no rounds", () => {
    expect(mapsOf({ ...won, map3: "Ascent" })).toHaveLength(2);
  });

  test.each([
    ["nothing at all", {}, "left1", "Nobody has won yet: it takes 2 maps. Enter this one."],
    ["one map of two", { left1: "13", right1: "9" }, "left2", "Nobody has won yet: it takes 2 maps. Enter this one."],
    [
      "a map that nobody won",
      { left1: "12", right1: "12" },
      "left1",
      "The first side to 13 rounds wins a map. After 12–12, it takes a two-round lead.",
    ],
    [
      "a map won by one in overtime",
      { ...won, left2: "14", right2: "13" },
      "left2",
      "The first side to 13 rounds wins a map. After 12–12, it takes a two-round lead.",
    ],
    [
      "a map after the last",
      { ...won, left3: "13", right3: "1" },
      "left3",
      "The match was decided before this map. Leave it empty.",
    ],
    ["one side's rounds", { left1: "13" }, "right1", "Enter the rounds of both sides."],
    ["a map left out", { left2: "13", right2: "1" }, "left1", "Enter this map's score, too: later maps have one."],
    ["a word instead of a number", { ...won, left1: "many" }, "left1", "Enter a whole number, like 13."],
    ["a negative number", { ...won, right1: "-9" }, "right1", "Enter a whole number, like 13."],
    ["half a round", { ...won, right1: "9.5" }, "right1", "Enter a whole number, like 13."],
    [
      "the same map twice",
      { ...won, map1: "Haven", map2: "Haven" },
      "map2",
      "This map was already played. Choose another.",
    ],
    ["an unknown map", { ...won, map2: "Dust" }, "map2", "Choose a map from the list."],
    ["a best of four", { ...won, bestOf: "4" }, "bestOf", "This form is out of date. Open it again."],
  ])("shows an error at its field for %s", (_, fields, field, message) => {
    expect(mapsOf(fields)).toEqual({ [field]: [message] });
  });

  test("for a best of 1 asks for one map, and ignores others", () => {
    expect(mapsOf({ bestOf: "1" })).toEqual({ left1: ["Enter how the map ended."] });
    expect(mapsOf({ bestOf: "1", left1: "13", right1: "0", left2: "13", right2: "0" })).toHaveLength(1);
  });

  test("needs one map less from a side that starts one map up, whichever side is on the left", () => {
    const one = { left1: "13", right1: "9" };
    expect(mapsOf({ ...one, advantage: "1" })).toEqual([{ map: null, rounds: [13, 9] }]);
    expect(mapsOf({ left1: "9", right1: "13", advantage: "1", leftSide: "2" })).toEqual([
      { map: null, rounds: [13, 9] },
    ]);
    const missing = "Nobody has won yet: it takes 2 maps, including the one-map head start. Enter this one.";
    expect(mapsOf({ ...one, advantage: "2" })).toEqual({ left2: [missing] });
    expect(mapsOf({ ...won, advantage: "2" })).toHaveLength(2);
    expect(mapsOf({ ...won, advantage: "1" })).toEqual({
      left2: ["The match was decided before this map. Leave it empty."],
    });
    expect(mapsOf({ ...one, left3: "13", right3: "1", advantage: "1" })).toHaveLength(1);
    expect(mapsOf({ ...one, advantage: "3" })).toEqual({ advantage: ["This form is out of date. Open it again."] });
  });
});

test("An organiser decides by a score or against a side", () => {
  const decide = (fields: Record<string, string>) => {
    const submission = parseWithZod(form({ bestOf: "1", leftSide: "1", ...fields }), { schema: decisionSchema });
    return submission.status === "success" ? submission.value : submission.error;
  };
  expect(decide({ decision: "forfeit-2" })).toEqual({ forfeits: 2 });
  expect(decide({ decision: "forfeit-1", left1: "13", right1: "12" })).toEqual({ forfeits: 1 });
  expect(decide({ decision: "score", left1: "3", right1: "13" })).toEqual({ maps: [{ map: null, rounds: [3, 13] }] });
  expect(decide({ decision: "score" })).toEqual({ left1: ["Enter how the map ended."] });
  expect(decide({})).toMatchObject({ decision: ["Choose a decision."] });
});

test("The evidence of a dispute is trimmed, and has at most 2,000 characters", () => {
  const dispute = (evidence: string) => parseWithZod(form({ evidence }), { schema: disputeSchema });
  expect(dispute(" \u200B ")).toMatchObject({ value: { evidence: "" } });
  expect(dispute("x".repeat(2_001)).status).toBe("error");
  expect(dispute(" They left.\r\n\r\n\r\nSee https://example.com ")).toMatchObject({
    value: { evidence: "They left.\n\nSee https://example.com" },
  });
});

test("A form may say which teams its page showed, and when their match was called, reported and disputed", () => {
  const shown = (value: string) => parseWithZod(form({ shown: value }), { schema: forfeitSchema });
  const teams = [{ id: uuidv7() }, { id: uuidv7() }];
  const ids = teams.map(({ id }) => id);
  const [called, reported] = [new Date("2026-11-21T20:00:00Z"), new Date("2026-11-21T20:30:00Z")];
  expect(shown(writeShown({ teams, readyAt: called, reportedAt: reported, state: "disputed" }))).toMatchObject({
    value: { shown: { teams: ids, readyAt: called.getTime(), reportedAt: reported.getTime(), isDisputed: true } },
  });
  expect(shown(writeShown({ teams, readyAt: null, reportedAt: null, state: "ready" }))).toMatchObject({
    value: { shown: { readyAt: null, reportedAt: null, isDisputed: false } },
  });
  // Pages from before the time of the report and the dispute were added leave them out.
  expect(shown(`${ids},1000`)).toEqual(expect.objectContaining({ value: { shown: { teams: ids, readyAt: 1_000 } } }));
  expect(shown("")).toMatchObject({ value: { shown: undefined } });
});

describe("A match", () => {
  const now = new Date("2026-11-21T20:00:00Z");
  const match = (facts: Partial<MatchFacts> = {}): MatchFacts => ({
    tournament: "running",
    state: "ready",
    checkedIn: [false, false],
    deadlineAt: new Date(now.getTime() + 60_000),
    reporter: null,
    ...facts,
  });
  const nobody: Standpoint = { side: null, isCaptain: false, isOrganiser: false };
  const member: Standpoint = { ...nobody, side: 1 };
  const captain: Standpoint = { ...member, isCaptain: true };
  const other: Standpoint = { ...captain, side: 2 };
  const organiser: Standpoint = { ...nobody, isOrganiser: true };
  const may = (facts: Partial<MatchFacts>, who: Standpoint) =>
    Object.entries(optionsIn(match(facts), who, now)).flatMap(([name, is]) => (is ? [name] : []));

  test.each([
    [{}, "Check-in"],
    [{ state: "waiting" }, "Waiting for teams"],
    [{ checkedIn: [true, false] }, "Check-in"],
    [{ checkedIn: [true, true] }, "Playing now"],
    [{ state: "reported" }, "Waiting for confirmation"],
    [{ state: "disputed" }, "Disputed"],
    [{ state: "finished" }, "Finished"],
    [{ state: "bye" }, "Bye"],
    [{ state: "idle" }, "Not played"],
    [{ tournament: "cancelled" }, "Cancelled"],
    [{ tournament: "cancelled", state: "finished" }, "Finished"],
  ] as [Partial<MatchFacts>, string][])("%o is called %s", (facts, phase) => {
    expect(phaseOfMatch(match(facts))).toBe(phase);
  });

  test("lets any player check their team in, once", () => {
    expect(may({}, member)).toEqual(["checkIn"]);
    expect(may({ checkedIn: [true, false] }, member)).toEqual([]);
    expect(may({ checkedIn: [false, true] }, member)).toEqual(["checkIn"]);
    expect(may({}, nobody)).toEqual([]);
  });

  test("lets only captains report, dispute and forfeit", () => {
    expect(may({ checkedIn: [true, true] }, captain)).toEqual(["report", "dispute", "forfeit"]);
    expect(may({ checkedIn: [true, true] }, member)).toEqual([]);
    expect(may({ state: "reported", reporter: 1 }, captain)).toEqual(["report", "dispute"]);
    expect(may({ state: "reported", reporter: 1 }, other)).toEqual(["confirm", "dispute"]);
    expect(may({ state: "reported", reporter: 1 }, member)).toEqual([]);
    expect(may({ state: "disputed" }, captain)).toEqual(["forfeit"]);
  });

  test("lets the captain of a checked-in team claim the win once the other team's check-in time is over", () => {
    const late = new Date(now.getTime() - 1);
    expect(may({ checkedIn: [true, false], deadlineAt: late }, captain)).toContain("claim");
    expect(may({ checkedIn: [true, false] }, captain)).not.toContain("claim");
    expect(may({ checkedIn: [true, true], deadlineAt: late }, captain)).not.toContain("claim");
    expect(may({ checkedIn: [true, false], deadlineAt: late }, other)).not.toContain("claim");
    expect(may({ checkedIn: [true, false], deadlineAt: late }, member)).not.toContain("claim");
  });

  test("lets only organisers decide and reopen it", () => {
    for (const state of ["ready", "reported", "disputed"] as const)
      expect(may({ state }, organiser)).toEqual(["decide"]);
    expect(may({ state: "waiting" }, organiser)).toEqual([]);
    expect(may({ state: "finished" }, organiser)).toEqual(["reopen"]);
    expect(may({ state: "finished", tournament: "finished" }, organiser)).toEqual(["reopen"]);
    expect(may({ state: "finished" }, captain)).toEqual([]);
  });

  test("of a cancelled tournament offers no action", () => {
    for (const who of [captain, other, organiser]) expect(may({ tournament: "cancelled" }, who)).toEqual([]);
  });

  test("counts the minutes left down to 0, and no further", () => {
    expect(minutesLeft(60_001, 0)).toBe(2);
    expect(minutesLeft(60_000, 0)).toBe(1);
    expect(minutesLeft(0, 1)).toBe(0);
  });
});

describe("A report", () => {
  const date = 10 * HOUR;

  test("counts 15 minutes after it was sent or after the tournament's date, whichever is later", () => {
    expect(answerBy(date, 11 * HOUR)).toBe(11 * HOUR + 15 * MINUTE);
    expect(answerBy(date, 9 * HOUR)).toBe(date + 15 * MINUTE);
  });

  test("has been waiting since it was sent, or since its tournament was shown again", () => {
    for (const reportedAt of [9 * HOUR, 11 * HOUR]) {
      expect(askedSince(date, reportedAt, answerBy(date, reportedAt))).toBe(reportedAt);
      const shownAgainAt = 50 * HOUR;
      expect(askedSince(date, reportedAt, answerBy(date, shownAgainAt))).toBe(shownAgainAt);
    }
  });
});

test("A refusal has a status, unless it is for a missing tournament or match", () => {
  expect([refusalOf("missing"), refusalOf("no-match")]).toEqual([null, null]);
  const reasons: Refusal[] = ["not-captain", "finished", "locked", "bad-score", "changed", "busy"];
  expect(reasons.map((reason) => refusalOf(reason)?.status)).toEqual([403, 409, 409, 400, 409, 503]);
});
