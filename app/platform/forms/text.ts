import * as z from "zod";
import { cleanLine, cleanLines, isBlank, lengthProblem, type TextRules, trimLines } from "./text-length";

/**
 * Control characters except the tab (stored as a space), and characters that change the direction of the surrounding
 * text.
 */
const INVISIBLE = /[^\P{Cc}\t]|[\u202A-\u202E\u2066-\u2069]/u;
/** The same, except line breaks. */
const INVISIBLE_EXCEPT_BREAKS = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/u;

const unshowable = ({ name }: TextRules) => `This ${name} contains characters that can't be shown. Type it again.`;

/** Refuses a text over its limit, and reports the excess. Apply it after cleaning: `z.string().check(fits(rules))`. */
export const fits = (rules: TextRules) =>
  z.refine<string>((text) => lengthProblem(text, rules) === null, {
    error: ({ input }) => lengthProblem(String(input), rules) ?? undefined,
  });

/** A required single line: trimmed, in Unicode's composed form. @param required the error if it is empty */
export const singleLine = (rules: TextRules, required: string) =>
  z
    .string({ error: required })
    .refine((text) => !INVISIBLE.test(text.trim()), unshowable(rules))
    // `overwrite`, not `transform`: the result is still checked as a string, and conform still sees one.
    .overwrite(cleanLine)
    .refine((text) => !isBlank(text), required)
    .check(fits(rules));

/** An optional single line: null if it is empty. */
export const optionalLine = (rules: TextRules) =>
  z
    .string()
    .overwrite(trimLines)
    .refine((text) => !INVISIBLE_EXCEPT_BREAKS.test(text), unshowable(rules))
    .overwrite((text) => (isBlank(text) ? "" : cleanLine(text)))
    .check(fits(rules))
    .optional()
    .transform((text) => text || null);

/** A text of several lines: trimmed, line breaks as `\n`, at most one empty line in a row. */
export const multiLine = (rules: TextRules) =>
  z
    .string()
    .overwrite(trimLines)
    .refine((text) => !INVISIBLE_EXCEPT_BREAKS.test(text), unshowable(rules))
    .overwrite(cleanLines)
    .check(fits(rules));
