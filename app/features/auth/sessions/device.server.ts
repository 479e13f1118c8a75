type Names = readonly (readonly [name: string, pattern: RegExp])[];

/** The first match counts: most browsers' user agents also contain names from further down the list. */
const BROWSERS: Names = [
  ["Opera", /\b(opr|opera|opios|opt)\//i],
  ["Samsung Internet", /samsungbrowser\//i],
  ["Yandex Browser", /yabrowser\//i],
  ["Microsoft Edge", /\bedg(e|a|ios)?\//i],
  ["Vivaldi", /vivaldi\//i],
  ["DuckDuckGo", /\b(ddg|duckduckgo)\//i],
  ["Brave", /\bbrave\//i],
  ["Firefox", /\b(firefox|fxios|focus)\//i],
  ["Internet Explorer", /\b(msie|trident)\b/i],
  ["Chromium", /chromium\//i],
  ["Chrome", /\b(headless)?(chrome|crios)\//i],
  ["Safari", /\bsafari\//i],
];

/** Here, too, the first match counts: Android is also Linux, and iPhones claim to be "like Mac OS X". */
const SYSTEMS: Names = [
  ["Windows", /\bwindows\b/i],
  ["iOS", /\b(iphone|ipad|ipod)\b/i],
  ["macOS", /\bmacintosh\b/i],
  ["Android", /\bandroid\b/i],
  ["Chrome OS", /\bcros\b/i],
  ["Linux", /\blinux\b/i],
];

const nameIn = (names: Names, userAgent: string) => names.find(([, pattern]) => pattern.test(userAgent))?.[0];

/**
 * Names a device by the browser and system in its `User-Agent`: "Chrome on Windows". It only helps players to recognise
 * their own devices, so it knows only common ones (docs/decisions/0019-worker-size.md).
 */
export function nameDevice(userAgent: string | null): string {
  const browser = nameIn(BROWSERS, userAgent ?? "");
  const system = nameIn(SYSTEMS, userAgent ?? "");
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown device";
}
