import { describe, expect, test } from "vitest";
import { COMMUNITY_RULES, type RuleKey } from "~/features/moderation/community-rules";

describe("The community's rules", () => {
  test("keep their keys, which decisions store: add new ones, never rename or remove one", () => {
    const published: RuleKey[] = [
      "respect",
      "hate",
      "sexual",
      "threats",
      "privacy",
      "cheating",
      "spam",
      "impersonation",
      "reviews",
      "fair-play",
      "evasion",
      "law",
    ];
    expect(COMMUNITY_RULES.map(({ key }) => key)).toEqual(expect.arrayContaining(published));
  });

  test("are numbered from 1, each with a key of its own", () => {
    expect(COMMUNITY_RULES.map(({ number }) => number)).toEqual(COMMUNITY_RULES.map((_, index) => index + 1));
    expect(new Set(COMMUNITY_RULES.map(({ key }) => key)).size).toBe(COMMUNITY_RULES.length);
  });

  test("can be read in a minute or two: 300 words at most", () => {
    const words = COMMUNITY_RULES.flatMap(({ title, text }) => `${title} ${text}`.split(/\s+/));
    expect(words.length).toBeLessThanOrEqual(300);
  });
});
