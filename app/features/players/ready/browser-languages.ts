import { LANGUAGES, type Language } from "#db/words/languages";

/** The most languages that are suggested; few players speak more. */
const MOST = 3;
/** Older and narrower codes of languages for which the product uses another code. */
const OTHER_CODES = new Map<string, Language>([
  ["nb", "no"],
  ["nn", "no"],
  ["in", "id"],
]);

/**
 * Lists the languages that a browser asks for, its favourite first, leaving out those that players can't choose.
 * @param acceptLanguage the header `Accept-Language`; null if it is absent
 */
export function browserLanguages(acceptLanguage: string | null): Language[] {
  const asked = (acceptLanguage ?? "").split(",").flatMap((part) => {
    const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
    const code = tag.split("-", 1)[0] ?? "";
    const weight = Number(parameters.find((one) => /^\s*q=/.test(one))?.split("=")[1] ?? 1);
    const language = OTHER_CODES.get(code) ?? (Object.hasOwn(LANGUAGES, code) ? (code as Language) : null);
    return language && weight > 0 ? [{ language, weight }] : [];
  });
  const sorted = asked.sort((one, other) => other.weight - one.weight).map(({ language }) => language);
  return [...new Set(sorted)].slice(0, MOST);
}
