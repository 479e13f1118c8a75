import { parseWithZod } from "@conform-to/zod/v4";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EDITABLE } from "../../app/features/tournaments/hosting/edit";
import { newTournamentSchema, schemaOf } from "../../app/features/tournaments/hosting/schema";
import { orderOf, readTournamentPage, TOURNAMENT_LIST } from "../../app/features/tournaments/list/filters";
import { amount, MAX_CENTS, parseCents } from "../../app/features/tournaments/money";
import { editScope, feeProblem, isCheckInOpen, phaseOf } from "../../app/features/tournaments/rules";
import { DAY } from "../../app/platform/dates/durations";
import { writeSearch } from "../../app/platform/search-params/search-params";
import { uuidv7 } from "../../db/ids";

const now = new Date("2026-11-22T12:00:00Z");
const at = (text: string) => new Date(`2026-${text}:00Z`);

describe("money", () => {
  it("survives a round trip to the cent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_CENTS }), (cents) => {
        expect(parseCents(amount(cents))).toBe(cents);
      }),
    );
  });

  it.each([
    ["0", 0],
    ["5", 500],
    ["5.1", 510],
    ["0.29", 29],
    ["$12.50", 1250],
    ["100000", MAX_CENTS],
  ])("takes %s", (text, cents) => expect(parseCents(text)).toBe(cents));

  it.each(["", "-1", "5.", "5.001", "1e3", "1,000", "100000.01", "five", "NaN", "0x10", "99999999999999"])(
    "refuses '%s'",
    (text) => expect(parseCents(text)).toBeNull(),
  );
});

describe("entry fees", () => {
  const cup = { entryFee: 500, teamSize: 5, maxParticipants: 8, prizePool: 14_000 };

  it("require 70% of the fees for all places in the prize pool", () => {
    expect(feeProblem(cup)).toBeNull();
    expect(feeProblem({ ...cup, prizePool: 13_999 })).toBe("prizePool");
    expect(feeProblem({ ...cup, entryFee: 0, prizePool: 0 })).toBeNull();
  });

  it("require places for at least 20 players", () => {
    expect(feeProblem({ ...cup, maxParticipants: 4 })).toBeNull();
    expect(feeProblem({ ...cup, maxParticipants: 3 })).toBe("maxParticipants");
    expect(feeProblem({ ...cup, maxParticipants: 19, teamSize: 1 })).toBe("maxParticipants");
    expect(feeProblem({ ...cup, maxParticipants: 20, teamSize: 1 })).toBeNull();
  });
});

describe("a tournament", () => {
  const cup = {
    state: "open",
    registrationDeadline: at("12-04T18:00"),
    tournamentDate: at("12-05T18:00"),
    checkInMinutes: 30,
  } as const;

  it("takes registrations until its deadline", () => {
    expect(phaseOf(cup, at("12-04T17:59"))).toBe("registration");
    expect(phaseOf(cup, at("12-04T18:00"))).toBe("closed");
    expect(phaseOf({ ...cup, state: "running" }, now)).toBe("running");
  });

  it("lets teams check in from the opening of the window until it is started", () => {
    expect(isCheckInOpen(cup, at("12-05T17:29"))).toBe(false);
    expect(isCheckInOpen(cup, at("12-05T17:30"))).toBe(true);
    expect(isCheckInOpen(cup, at("12-05T18:30"))).toBe(true);
    expect(isCheckInOpen({ ...cup, checkInMinutes: 0 }, at("12-05T17:59"))).toBe(false);
    expect(isCheckInOpen({ ...cup, state: "cancelled" }, at("12-05T17:59"))).toBe(false);
  });

  it("opens check-in only after registration has closed", () => {
    const late = { ...cup, registrationDeadline: at("12-05T17:45") };
    expect(isCheckInOpen(late, at("12-05T17:44"))).toBe(false);
    expect(isCheckInOpen(late, at("12-05T17:45"))).toBe(true);
  });

  it("can be changed freely until someone registers, then in harmless ways, then only in its texts", () => {
    expect(editScope({ state: "open", currentParticipants: 0 })).toBe("everything");
    expect(editScope({ state: "open", currentParticipants: 1 })).toBe("harmless");
    expect(editScope({ state: "running", currentParticipants: 8 })).toBe("words");
    expect(editScope({ state: "finished", currentParticipants: 8 })).toBe("nothing");
    expect(editScope({ state: "cancelled", currentParticipants: 0 })).toBe("nothing");
  });
});

describe("the form of a tournament", () => {
  const filled = {
    id: "01a1fac5-20a3-70a4-afb6-843512b96230",
    title: "Night Cup",
    description: "One evening.",
    entryFee: "0",
    prizePool: "0",
    maxParticipants: "16",
    tournamentDate: "2026-12-05T18:00",
    registrationDeadline: "2026-12-04T18:00",
    timeZone: "Europe/Warsaw",
  };
  const read = (changes: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...filled, ...changes })) form.set(name, value);
    return parseWithZod(form, { schema: newTournamentSchema(now) });
  };
  const errorsOf = (changes: Record<string, string>) => read(changes).reply().error ?? {};

  it("has the fields whose changes an edit of the same extent must not overwrite unseen", () => {
    const stored = { entryFee: 0, prizePool: 0, maxParticipants: 16, teamSize: 5, timeZone: "UTC" };
    const dates = { tournamentDate: at("12-05T17:00"), registrationDeadline: at("12-04T17:00") };
    for (const scope of ["everything", "harmless", "words"] as const) {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...filled, registrationDeadline: "2026-12-04T18:00" })) {
        form.set(name, value);
      }
      const submission = parseWithZod(form, { schema: schemaOf(scope, { ...stored, ...dates }, now) });
      const read = submission.status === "success" ? Object.keys(submission.value) : [];
      const fields = read.filter((name) => name !== "timeZone");
      expect(fields.toSorted(), scope).toEqual(EDITABLE[scope].toSorted());
    }
  });

  it("works with only the specification's fields, and reads times in the zone it names", () => {
    const submission = read();
    expect(submission.status === "success" && submission.value).toEqual({
      ...filled,
      entryFee: 0,
      prizePool: 0,
      maxParticipants: 16,
      minRank: null,
      maxRank: null,
      tournamentDate: at("12-05T17:00"),
      registrationDeadline: at("12-04T17:00"),
      format: "single_elimination",
      teamSize: 5,
      bestOf: 1,
      quarterBestOf: null,
      semiBestOf: null,
      lowerFinalBestOf: null,
      finalBestOf: 3,
      grandFinal: "reset",
      groupSize: 4,
      thirdPlace: "automatic",
      tieBreaks: "head-to-head,map-difference,round-difference",
      lastTieBreak: "match",
      checkInMinutes: 30,
      region: null,
      rules: null,
      seeding: "random",
    });
  });

  it.each([
    ["a missing title", { title: "" }, "title"],
    ["a missing description", { description: " " }, "description"],
    ["a fee with three decimals", { entryFee: "1.001" }, "entryFee"],
    ["a negative prize", { prizePool: "-5" }, "prizePool"],
    ["one participant", { maxParticipants: "1" }, "maxParticipants"],
    ["257 participants", { maxParticipants: "257" }, "maxParticipants"],
    ["half a participant", { maxParticipants: "2.5" }, "maxParticipants"],
    ["a maximum rank below the minimum", { minRank: "Gold 1", maxRank: "Silver 3" }, "maxRank"],
    ["an unknown rank", { minRank: "Wood 1" }, "minRank"],
    ["a deadline after the date", { registrationDeadline: "2026-12-05T18:00" }, "registrationDeadline"],
    [
      "a date in the past",
      { tournamentDate: "2026-11-22T12:59", registrationDeadline: "2026-11-21T12:00" },
      "tournamentDate",
    ],
    ["a deadline in the past", { registrationDeadline: "2026-11-21T12:00" }, "registrationDeadline"],
    ["a date that doesn't exist", { tournamentDate: "2026-02-30T18:00" }, "tournamentDate"],
    ["a time that the clocks skip", { tournamentDate: "2027-03-28T02:30" }, "tournamentDate"],
    ["an unknown time zone", { timeZone: "Mars/Olympus" }, "timeZone"],
    ["teams of four", { teamSize: "4" }, "teamSize"],
    ["groups of two", { format: "round_robin", groupSize: "2" }, "groupSize"],
    ["groups of 17", { format: "round_robin", groupSize: "17" }, "groupSize"],
    ["a best of two", { bestOf: "2" }, "bestOf"],
    ["quarter-finals of two maps", { quarterBestOf: "2" }, "quarterBestOf"],
    ["semi-finals of four maps", { semiBestOf: "4" }, "semiBestOf"],
    ["a final of seven maps", { finalBestOf: "7" }, "finalBestOf"],
    ["a losers' final of two maps", { format: "double_elimination", lowerFinalBestOf: "2" }, "lowerFinalBestOf"],
    ["an unknown kind of grand final", { format: "double_elimination", grandFinal: "none" }, "grandFinal"],
    [
      "an advantage that would win the grand final immediately",
      { format: "double_elimination", grandFinal: "advantage", finalBestOf: "1" },
      "finalBestOf",
    ],
    ["an unknown format, without further errors", { format: "swiss" }, "format"],
    ["too small a prize for its fee", { entryFee: "5", prizePool: "100" }, "prizePool"],
    [
      "a fee that no prize pool can match",
      { entryFee: "1000", prizePool: "100000", maxParticipants: "64" },
      "entryFee",
    ],
    ["a date in ten years", { tournamentDate: "2036-12-05T18:00" }, "tournamentDate"],
    ["an id dated tomorrow, which would head the list until then", { id: uuidv7(now.getTime() + DAY) }, "id"],
    ["too few players for a fee", { entryFee: "5", prizePool: "100", maxParticipants: "3" }, "maxParticipants"],
  ])("refuses %s, at its field", (_, changes, field) => {
    expect(Object.keys(errorsOf(changes as Record<string, string>))).toEqual([field]);
  });

  it("ignores fields that don't belong to the chosen format, valid or not", () => {
    const unfit = { groupSize: "99", tieBreaks: "nonsense", lastTieBreak: "x" };
    const single = read({ ...unfit, lowerFinalBestOf: "2", grandFinal: "advantage", finalBestOf: "1" });
    expect(single.status === "success" && single.value).toMatchObject({
      groupSize: 4,
      tieBreaks: "head-to-head,map-difference,round-difference",
      lowerFinalBestOf: null,
      grandFinal: "reset",
      finalBestOf: 1,
    });
    const double = read({
      ...unfit,
      format: "double_elimination",
      thirdPlace: "maybe",
      semiBestOf: "3",
      lowerFinalBestOf: "5",
      grandFinal: "advantage",
    });
    expect(double.status === "success" && double.value).toMatchObject({
      thirdPlace: "automatic",
      quarterBestOf: null,
      semiBestOf: 3,
      lowerFinalBestOf: 5,
      grandFinal: "advantage",
    });
  });

  it("explains Riot's conditions with the tournament's own figures", () => {
    expect(errorsOf({ entryFee: "5", prizePool: "100", maxParticipants: "8" }).prizePool?.[0]).toContain("$140.00");
    expect(errorsOf({ entryFee: "5", prizePool: "100", maxParticipants: "3" }).maxParticipants?.[0]).toContain(
      "4 spots",
    );
    expect(errorsOf({ tournamentDate: "2027-03-28T02:30" }).tournamentDate?.[0]).toContain("no 02:30");
  });
});

describe("the list's URL", () => {
  it("holds the filters, which survive a round trip", () => {
    const query = "?open=on&fits=on&free=on&region=Europe&from=2026-12-01&to=2026-12-07";
    const filters = readTournamentPage(new URLSearchParams(query)).filters;
    expect(writeSearch(TOURNAMENT_LIST, filters)).toBe(query);
    expect(readTournamentPage(new URLSearchParams("?region=Mars&from=2026-02-31&open=yes"))).toEqual(
      readTournamentPage(new URLSearchParams()),
    );
  });

  it("accepts only a cursor of its own sort order", () => {
    const id = "01a1fac5-20a3-70a4-afb6-843512b96230";
    const cursorOf = (query: Record<string, string>) => readTournamentPage(new URLSearchParams(query)).cursor;
    const byDate = { from: "2026-12-01" };
    expect(cursorOf({ after: id })).toEqual({ way: "after", key: null, id });
    expect(cursorOf({ ...byDate, after: `17_${id}` })).toEqual({ way: "after", key: 17, id });
    expect(cursorOf({ ...byDate, after: id })).toBeNull();
    expect(cursorOf({ after: `17_${id}` })).toBeNull();
    expect(orderOf(readTournamentPage(new URLSearchParams("open=on")).filters)).toBe("deadline");
  });
});
