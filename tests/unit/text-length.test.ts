import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { multiLine, optionalLine, singleLine } from "../../app/platform/forms/text";
import {
  cleanLine,
  cleanLines,
  countCharacters,
  describeRemaining,
  firstCharacters,
  lengthProblem,
} from "../../app/platform/forms/text-length";

const RULES = { max: 20, name: "title" };
const LENGTH_ERROR = /^This title is ([\d,]+) characters? too long\. The limit is 20\.$/;

/** Pieces of pasted text: all kinds of line breaks and spaces, accents in both encodings, emoji, other scripts. */
const pieces = fc.constantFrom(
  "a",
  " ",
  "  ",
  "\t",
  "\r\n",
  "\n",
  "\r",
  "é",
  "e\u0301",
  "🎯",
  "👨‍👩‍👧",
  "щ",
  "한",
  "\u00a0",
  ",",
);
const pasted = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));

/** The number of characters by which a text is too long according to a schema's error; 0 without an error. */
function refusedBy(
  schema: ReturnType<typeof multiLine | typeof optionalLine | typeof singleLine>,
  text: string,
): number {
  const parsed = schema.safeParse(text);
  const messages = parsed.error?.issues.map(({ message }) => message) ?? [];
  const excess = messages.map((message) => message.match(LENGTH_ERROR)?.[1]).find(Boolean);
  return Number(excess ?? 0);
}

describe("browser and server count alike", () => {
  test.each([
    ["several lines", multiLine(RULES), cleanLines],
    ["an optional line", optionalLine(RULES), cleanLine],
    ["a required line", singleLine(RULES, "Required."), cleanLine],
  ] as const)("%s", (_, schema, clean) => {
    fc.assert(
      fc.property(pasted, (text) => {
        const excess = Math.max(0, countCharacters(clean(text)) - RULES.max);
        expect(refusedBy(schema, text)).toBe(excess);
        const counter = describeRemaining(clean(text), RULES.max);
        expect(counter?.isOver ?? false).toBe(excess > 0);
      }),
      { numRuns: 500 },
    );
  });

  test("whatever kind of line break is sent", () => {
    fc.assert(
      fc.property(pasted, (text) => {
        const lines = text.replace(/\r\n?/g, "\n");
        expect(cleanLines(lines.replace(/\n/g, "\r\n"))).toBe(cleanLines(lines));
      }),
    );
  });

  test("and leave a clean text unchanged", () => {
    fc.assert(
      fc.property(pasted, (text) => {
        expect(cleanLines(cleanLines(text))).toBe(cleanLines(text));
        expect(cleanLine(cleanLine(text))).toBe(cleanLine(text));
      }),
    );
  });
});

test("An emoji and a line break are one character each", () => {
  expect(countCharacters("🎯🎯")).toBe(2);
  expect(multiLine(RULES).parse(`${"🎯".repeat(10)}\r\n${"x".repeat(9)}`)).toHaveLength(30);
  expect(refusedBy(multiLine(RULES), `${"🎯".repeat(10)}\r\n${"x".repeat(10)}`)).toBe(1);
});

test("A text that is too long is never cut, only refused", () => {
  fc.assert(
    fc.property(pasted, (text) => {
      const parsed = multiLine(RULES).safeParse(text);
      if (parsed.success) expect(parsed.data).toBe(cleanLines(text));
      else expect(countCharacters(cleanLines(text))).toBeGreaterThan(RULES.max);
    }),
  );
});

test.each([
  [100, null],
  [101, "This title is 1 character too long. The limit is 100."],
  [112, "This title is 12 characters too long. The limit is 100."],
  [90_000, "This title is 89,900 characters too long. The limit is 100."],
])("The error for a title of %i characters, with a limit of 100", (length, problem) => {
  expect(lengthProblem("x".repeat(length), { max: 100, name: "title" })).toBe(problem);
});

test.each([
  [2_000, 1_799, null],
  [2_000, 1_800, "200 characters left"],
  [2_000, 2_000, "0 characters left"],
  [2_000, 2_001, "1 character too many"],
  [2_000, 4_500, "2,500 characters too many"],
  [40, 31, null],
  [40, 32, "8 characters left"],
  [16, 13, "3 characters left"],
])("The counter of a text with a limit of %i, at %i characters", (max, length, words) => {
  expect(describeRemaining("x".repeat(length), max)?.words ?? null).toBe(words);
});

test("A query string is cut between characters", () => {
  expect(firstCharacters("🎯🎯🎯", 2)).toBe("🎯🎯");
});
