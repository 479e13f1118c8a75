import type { DateConventions, DateOrder } from "./dates";

/** The default without a usable header: unambiguous, and understood everywhere. */
const DEFAULT: DateConventions = { order: "day-month-year", hour12: false };
/** The longest header that is read; those of browsers are far shorter. */
const MAX_LENGTH = 300;

/** The conventions of headers that have been read before. Working them out anew is slow, because `Intl` is. */
const known = new Map<string, DateConventions>();
/** The number of headers that are remembered. */
const MAX_KNOWN = 500;

/**
 * Reads the date conventions of the browser's preferred language and region, according to CLDR: "en-US" puts the month
 * first and uses a 12-hour clock, "de" implies Germany. Pages stay in English.
 * @param acceptLanguage the header `Accept-Language`; if it is absent or malformed, the day comes first and the clock
 *   has 24 hours
 */
export function readConventions(acceptLanguage: string | null): DateConventions {
  const header = acceptLanguage ?? "";
  if (header.length > MAX_LENGTH) return DEFAULT;
  const before = known.get(header);
  if (before) return before;
  const conventions = conventionsOf(firstLocale(header));
  if (known.size === MAX_KNOWN) known.clear();
  known.set(header, conventions);
  return conventions;
}

function conventionsOf(locale: string | undefined): DateConventions {
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

/** Returns the language and region with the highest weight, the first one among equals; undefined if there are none. */
function firstLocale(header: string): string | undefined {
  const locales = header.split(",").map((entry) => {
    const [tag = "", ...params] = entry.split(";").map((part) => part.trim());
    const weight = params.find((param) => param.startsWith("q="))?.slice(2) ?? "1";
    return { tag, weight: Number(weight) };
  });
  locales.sort((a, b) => b.weight - a.weight);
  for (const { tag, weight } of locales) {
    if (!(weight > 0 && weight <= 1)) continue;
    try {
      const { language, region } = new Intl.Locale(tag).maximize();
      // Without the script: `Intl` doesn't know "en-Latn-GB" and would fall back to American English.
      return region ? `${language}-${region}` : language;
    } catch {
      // "*", or a malformed tag.
    }
  }
  return undefined;
}
