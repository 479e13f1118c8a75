import type { DateConventions, DateOrder } from "./dates";

/** Without a usable header: unambiguous, and read everywhere. */
const DEFAULT: DateConventions = { order: "day-month-year", hour12: false };
/** Browsers send far less; beyond it, nobody's header is read. */
const MAX_LENGTH = 300;

/**
 * The conventions of the language and region that a browser asks for first, as CLDR has them: "en-US" puts the month first and
 * counts to twelve, "de" stands for Germany. Pages stay in English.
 * @param acceptLanguage the header `Accept-Language`; absent or malformed, the day comes first and the clock counts to 24
 */
export function readConventions(acceptLanguage: string | null): DateConventions {
  const locale = firstLocale(acceptLanguage ?? "");
  if (!locale) return DEFAULT;
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "short",
    calendar: "gregory",
    numberingSystem: "latn",
  });
  const parts = format.formatToParts(0).map(({ type }) => type);
  const [day, month, year] = (["day", "month", "year"] as const).map((part) => parts.indexOf(part)) as number[];
  return { order: orderOf(day, month, year), hour12: format.resolvedOptions().hour12 ?? false };
}

function orderOf(day = 0, month = 0, year = 0): DateOrder {
  if (year < month) return "year-month-day";
  return month < day ? "month-day-year" : "day-month-year";
}

/** Language and region of the highest weight, the first among equals; undefined when there are none. */
function firstLocale(header: string): string | undefined {
  if (header.length > MAX_LENGTH) return undefined;
  const asked = header.split(",").map((entry) => {
    const [tag = "", ...params] = entry.split(";").map((part) => part.trim());
    const weight = params.find((param) => param.startsWith("q="))?.slice(2) ?? "1";
    return { tag, weight: Number(weight) };
  });
  asked.sort((a, b) => b.weight - a.weight);
  for (const { tag, weight } of asked) {
    if (!(weight > 0 && weight <= 1)) continue;
    try {
      const { language, region } = new Intl.Locale(tag).maximize();
      // Without the script, by which `Intl` finds no "en-Latn-GB" and falls back to American English.
      return region ? `${language}-${region}` : language;
    } catch {
      // "*", and whatever else is no language.
    }
  }
  return undefined;
}
