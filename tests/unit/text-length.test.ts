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
  trimLines,
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

/** Real text in scripts with marks, and emoji that consist of several characters. */
const WRITTEN = [
  "Nguyễn Thị Thuỳ Dương, chơi vui vẻ nhé",
  "ที่นี่เล่นกันสนุกมาก น้ำใจนักกีฬา ปู่ย่าตายาย ก็ได้ เก่งจุ๊บุ๊",
  "ຂ້ອຍຫຼິ້ນທຸກມື້",
  "السَّلَامُ عَلَيْكُمْ وَرَحْمَةُ ٱللَّٰهِ",
  "می‌خواهم بازی کنم",
  "שָׁלוֹם, בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים",
  "मैं रोज़ खेलता हूँ, क्षत्रिय, र्‍य, हाँँ",
  "আমি প্রতিদিন খেলি",
  "நான் தினமும் விளையாடுகிறேன்",
  "ശ്രീ ന്‍റെ",
  "ක්‍රීඩා කරමු",
  "မြန်မာ ကြွှေ့ ပြုံး",
  "ខ្ញុំលេងរាល់ថ្ងៃ ស្ត្រី",
  "བསྒྲུབས་ རྒྱལ་",
  "한국어 日本語 が ぱ 𠮷󠄀",
  "Žluťoučký kůň, ą̃́, ṩ, q̣̇",
  "👨‍👩‍👧‍👦 👩🏽‍🚀 ❤️‍🔥 🏳️‍🌈 🏴‍☠️ 👁️‍🗨️ 🏴󠁧󠁢󠁷󠁬󠁳󠁿 🇩🇪 1️⃣ #️⃣ ⛹🏿‍♀️ ☝🏻",
];

const MARKS = fc.constantFrom(
  ..."\u0300\u0301\u0315\u0323\u0336\u0489\u0e47\u0e49\u0eb1\u064e\u20dd\u1dc4\u093e\u0941\u200b\u200d\u2060\u034f\ufe0f",
);

const STACKING = /\u0300|\u0301|\u0315|\u0323|\u0336|\u0489|\u0e47|\u0e49|\u0eb1|\u064e|\u20dd|\u1dc4|\u034f|\ufe0f/g;

/** A text without its marks, blanks and invisible characters. */
const lettersOf = (text: string) => text.normalize("NFD").replace(/[\p{M}\p{Cf}\s]/gu, "");

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

test.each(WRITTEN)("Marks of written languages and emoji stay: %s", (text) => {
  const composed = text.normalize();
  expect([cleanLine(text), cleanLines(text), trimLines(text)]).toEqual([composed, composed, composed]);
  expect(cleanLine(text.normalize("NFD"))).toBe(composed);
});

describe("Marks that would stack over other lines", () => {
  test("are removed beyond the third, and the letters stay", () => {
    expect(cleanLine(`Z${"\u0336\u0315\u0323".repeat(20)}algo`)).toBe("Ẓ\u0336\u0336\u0336algo");
    expect(cleanLine(`ก${"\u0e47".repeat(40)}`)).toBe("ก\u0e47\u0e47\u0e47");
    expect(cleanLine(`x${"\u0336\u200d".repeat(40)}y`)).toMatch(/^x(?:\u0336\u200d){3}\u200d{5}y$/);
    expect(cleanLine(`x${"\u200b".repeat(2_000)}y`)).toBe(`x${"\u200b".repeat(8)}y`);
  });

  test("never stack, whatever is typed between them, and cleaning again changes nothing", () => {
    const stacked = fc.array(fc.oneof({ weight: 4, arbitrary: MARKS }, pieces), { maxLength: 60 });
    fc.assert(
      fc.property(stacked, (parts) => {
        const text = parts.join("");
        for (const clean of [cleanLine, cleanLines]) {
          const cleaned = clean(text);
          expect(clean(cleaned)).toBe(cleaned);
          expect(cleaned.normalize()).toBe(cleaned);
          for (const stack of cleaned.match(/[\p{Mn}\p{Me}\p{Cf}]+/gu) ?? []) {
            expect(stack.match(STACKING)?.length ?? 0).toBeLessThanOrEqual(3);
          }
          expect(lettersOf(cleaned)).toBe(lettersOf(text));
        }
      }),
      { numRuns: 500 },
    );
  });
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
