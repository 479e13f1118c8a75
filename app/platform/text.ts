import * as z from "zod";

/** Control characters (a pasted tab is a space), and those that turn the direction of what stands around them. */
const INVISIBLE = /[^\P{Cc}\t]|[\u202A-\u202E\u2066-\u2069]/u;
/** The same, but for line breaks. */
const INVISIBLE_BUT_LAYOUT = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/u;

/** What leaves nothing to see: fillers, joiners and blanks that Unicode does not call white space. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\u2800\s]/gu;

interface TextRules {
  /** At most so many characters; an emoji is never more than `maxlength` counts it. */
  max: number;
  /** What the text is called in sentences: "title". */
  name: string;
}

const unshowable = ({ name }: TextRules) => `This ${name} holds characters that can't be shown. Type it again.`;

const tooLong = ({ max, name }: TextRules) => `This ${name} is too long: at most ${max} characters.`;

/** One line that a player types: trimmed, in Unicode's composed form; `required` is the sentence when it is empty. */
export const singleLine = (rules: TextRules, required: string) =>
  z
    .string({ error: required })
    .refine((text) => !INVISIBLE.test(text.trim()), unshowable(rules))
    // `overwrite`, not `transform`: the result is still checked as a string, and conform still sees one.
    .overwrite((text) => text.normalize().trim().replace(/\s+/gu, " "))
    .refine((text) => text.replace(BLANK, "") !== "", required)
    .max(rules.max, tooLong(rules));

/** Several lines that a player types: trimmed, line breaks as `\n`, at most one empty line in a row. */
export const multiLine = (rules: TextRules) =>
  z
    .string()
    .overwrite((text) => text.replace(/\r\n?/g, "\n").normalize().trim())
    .refine((text) => !INVISIBLE_BUT_LAYOUT.test(text), unshowable(rules))
    // What shows nothing says nothing.
    .overwrite((text) => (text.replace(BLANK, "") === "" ? "" : text.replace(/\n{3,}/g, "\n\n")))
    .max(rules.max, tooLong(rules));
