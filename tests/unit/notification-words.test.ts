import { describe, expect, test } from "vitest";
import { NOTIFICATION_KINDS } from "~/features/notifications/kinds";
import { describeNotification } from "~/features/notifications/rules";
import { nameInSentence } from "~/features/tournaments/shared/match-names";

const sentence = (kind: string, data: object) =>
  describeNotification({ kind, subject: "match:1/2", data }, NOTIFICATION_KINDS).sentence;

test.each([
  ["Final", "the final"],
  ["Losers' final", "the losers' final"],
  ["Third-place match", "the third-place match"],
  ["Semi-final 2", "semi-final 2"],
  ["Losers' round 1, match 2", "losers' round 1, match 2"],
  ["Group A, round 3, match 1", "Group A, round 3, match 1"],
])("%s is called %s within a sentence", (name, words) => {
  expect(nameInSentence(name)).toBe(words);
});

describe("The bell's sentence about a result", () => {
  const result = { tournament: "Night Cup", match: "Final", winner: "Aye", loser: "Bee", score: "1 to 0" };
  const resultSentence = (news: { score?: null; hasWon?: boolean }) => sentence("match-result", { ...result, ...news });

  test("says that you won, or which team won", () => {
    expect(resultSentence({ hasWon: true })).toBe("You won the final, 1 to 0");
    expect(resultSentence({ hasWon: false })).toBe("Aye won the final, 1 to 0");
    // Older notifications don't say whether the player has won.
    expect(resultSentence({})).toBe("Aye won the final, 1 to 0");
  });

  test("says which side forfeited", () => {
    expect(resultSentence({ hasWon: true, score: null })).toBe("You won the final: Bee forfeited");
    expect(resultSentence({ hasWon: false, score: null })).toBe("Aye won the final: your side forfeited");
    expect(resultSentence({ score: null })).toBe("Aye won the final: Bee forfeited");
  });
});

test("The news of an undone match links to the match, or to the tournament if its bracket has no such match any more", () => {
  const data = { tournament: "Night Cup", match: "Final", winner: null, loser: null, score: null, undone: "off" };
  const hrefOf = (subject: string) =>
    describeNotification({ kind: "match-result", subject, data }, NOTIFICATION_KINDS).href;
  expect(hrefOf("match:1/2")).toBe("/tournaments/1/matches/2");
  expect(hrefOf("tournament:1")).toBe("/tournaments/1");
});

describe("The bell's sentence about answered reports", () => {
  const [acted, dismissed] = [
    { kind: "post", hasActed: true },
    { kind: "player", hasActed: false },
  ];
  const answers = (data: object) => sentence("report-answered", { ...dismissed, count: 2, ...data });

  test("counts cases, not their decisions", () => {
    expect(answers({ cases: { a: acted } })).toBe("We've acted on your report of a post");
    expect(answers({ cases: { a: acted, b: dismissed } })).toBe("Moderators answered 2 of your reports");
  });

  test("counts decisions in older notifications, which name no cases", () => {
    expect(answers({})).toBe("Moderators answered 2 of your reports");
    expect(answers({ count: 1 })).toBe("We've reviewed your report of a player: it doesn't break our rules");
  });
});

test("The bell says who won according to a report", () => {
  const report = { tournament: "Night Cup", match: "Semi-final 1", team: "Aye", score: "2 to 1", minutes: 15 };
  expect(sentence("match-report", { ...report, winner: "Aye" })).toBe(
    "Aye reported that they won semi-final 1, 2 to 1: confirm or dispute it",
  );
  expect(sentence("match-report", { ...report, winner: "Bee" })).toBe(
    "Aye reported that you won semi-final 1, 2 to 1: confirm or dispute it",
  );
  // Two solo players may have the same name.
  expect(sentence("match-report", { ...report, winner: "Aye", isOwnWin: false })).toBe(
    "Aye reported that you won semi-final 1, 2 to 1: confirm or dispute it",
  );
});
