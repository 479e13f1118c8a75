type Names = readonly (readonly [name: string, sign: RegExp])[];

/** The first that fits counts: most browsers also call themselves by the names of those below them. */
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

/** In the same way: Android is a Linux too, and an iPhone's system "like Mac OS X". */
const SYSTEMS: Names = [
  ["Windows", /\bwindows\b/i],
  ["iOS", /\b(iphone|ipad|ipod)\b/i],
  ["macOS", /\bmacintosh\b/i],
  ["Android", /\bandroid\b/i],
  ["Chrome OS", /\bcros\b/i],
  ["Linux", /\blinux\b/i],
];

const nameIn = (names: Names, userAgent: string) => names.find(([, sign]) => sign.test(userAgent))?.[0];

/**
 * The browser and the system of a device, as its `User-Agent` tells: "Chrome on Windows". It only helps people to tell
 * their own devices apart, so it knows what players use (docs/decisions/0019-worker-size.md).
 */
export function nameDevice(userAgent: string | null): string {
  const browser = nameIn(BROWSERS, userAgent ?? "");
  const system = nameIn(SYSTEMS, userAgent ?? "");
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown device";
}
