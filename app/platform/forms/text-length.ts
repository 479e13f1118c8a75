/**
 * The lengths of texts in Unicode code points, after cleaning. Forms in the browser, schemas on the server and the
 * database tables all count this way. This file doesn't import zod, so that browsers needn't load it.
 */

/** A field's limit. */
export interface TextRules {
  /** The maximum number of characters. */
  max: number;
  /** The text's name in sentences: "title". */
  name: string;
}

/** Fillers, joiners and blanks that Unicode doesn't count as white space: a text of only these is invisible. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\u2800\s]/gu;

/** Whether a text is invisible. */
export const isBlank = (text: string): boolean => text.replace(BLANK, "") === "";

/** Marks on a letter, with the invisible characters between them. */
const STACK = /[\p{Mn}\p{Me}\p{Cf}]+/gu;
const INVISIBLE = /\p{Cf}/u;
/** Marks that fonts stack upwards and downwards without limit. Marks of other scripts take up space of their own. */
const STACKING = /[\p{Script=Inherited}\p{Script=Thai}\p{Script=Lao}\u0483-\u0489]/u;

/**
 * The most stacking marks, marks in total, and invisible characters allowed on one letter. Written languages and emoji
 * need fewer: a Thai letter has two marks, a Hebrew one with accents four, a Burmese one five, and the flag of Wales
 * six tags.
 */
const MOST_STACKING = 3;
const MOST_MARKS = 6;
const MOST_INVISIBLE = 8;

/**
 * Composes a text (Unicode NFC), and removes long runs of invisible characters, and marks that would stack over
 * neighbouring lines.
 */
function composeCalmly(text: string): string {
  const limited = text.normalize().replace(STACK, (run) => {
    let [stacking, marks, invisible] = [0, 0, 0];
    return [...run]
      .filter((character) => {
        if (INVISIBLE.test(character)) return ++invisible <= MOST_INVISIBLE;
        if (STACKING.test(character) && ++stacking > MOST_STACKING) return false;
        return ++marks <= MOST_MARKS;
      })
      .join("");
  });
  return limited.normalize();
}

/**
 * Cleans a single line for storage: trimmed, in Unicode's composed form, with single spaces and few marks on a letter.
 */
export const cleanLine = (text: string): string => composeCalmly(text).trim().replace(/\s+/gu, " ");

/**
 * Trims a text of several lines, in Unicode's composed form with few marks on a letter; forms send line breaks as
 * `\r\n`, and each counts as one character.
 */
export const trimLines = (text: string): string => composeCalmly(text.replace(/\r\n?/g, "\n")).trim();

/**
 * Cleans a text of several lines for storage: `trimLines`, with at most one empty line in a row; empty if it is
 * invisible.
 */
export function cleanLines(text: string): string {
  const trimmed = trimLines(text);
  return isBlank(trimmed) ? "" : trimmed.replace(/\n{3,}/g, "\n\n");
}

/**
 * Counts a text's characters: code points, as SQLite's `length()` counts them, not the UTF-16 units of `String.length`.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Cuts a text to a number of characters. For query strings only: forms refuse texts that are too long. */
export const firstCharacters = (text: string, max: number): string => [...text].slice(0, max).join("");

/** Returns the error of a text that is too long, or null. @param text as it would be stored */
export function lengthProblem(text: string, { max, name }: TextRules): string | null {
  const excess = countCharacters(text) - max;
  return excess > 0 ? `This ${name} is ${characters(excess)} too long. The limit is ${number(max)}.` : null;
}

/**
 * Returns the text of a field's counter. The counter appears in the last tenth before the limit, a little earlier for
 * short limits.
 * @returns null while there is plenty of room
 */
export function describeRemaining(text: string, max: number): { words: string; isOver: boolean } | null {
  const left = max - countCharacters(text);
  if (left > Math.max(max / 10, Math.min(10, max / 5))) return null;
  const isOver = left < 0;
  return { words: isOver ? `${characters(-left)} too many` : `${characters(left)} left`, isOver };
}

const number = (value: number) => value.toLocaleString("en-US");

const characters = (count: number) => `${number(count)} ${count === 1 ? "character" : "characters"}`;
