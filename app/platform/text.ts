import * as z from "zod";

/** Control characters, and those that turn the direction of what stands around them. */
const INVISIBLE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;
/** The same, but for line breaks and tabs. */
const INVISIBLE_BUT_LAYOUT = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/u;

interface TextRules {
  /** At most so many characters, counted as browsers count `maxlength`. */
  max: number;
  /** What the text is called in sentences: "title". */
  name: string;
}

const tooLong = ({ max, name }: TextRules) => `This ${name} is too long: at most ${max} characters.`;

/** One line that a player types: trimmed, in Unicode's composed form. Combine with `.min(1, …)` where required. */
export const singleLine = (rules: TextRules, required?: string) =>
  z
    .string({ error: required })
    .refine(
      (text) => !INVISIBLE.test(text.trim()),
      `This ${rules.name} holds characters that can't be shown. Type it again.`,
    )
    .transform((text) => text.normalize().trim().replace(/\s+/gu, " "))
    .pipe(z.string().min(1, required).max(rules.max, tooLong(rules)));

/** Several lines that a player types: trimmed, line breaks as `\n`, at most one empty line in a row. */
export const multiLine = (rules: TextRules) =>
  z
    .string()
    .transform((text) => text.replace(/\r\n?/g, "\n").normalize().trim())
    .refine(
      (text) => !INVISIBLE_BUT_LAYOUT.test(text),
      `This ${rules.name} holds characters that can't be shown. Type it again.`,
    )
    .transform((text) => text.replace(/\n{3,}/g, "\n\n"))
    .pipe(z.string().max(rules.max, tooLong(rules)));
