import Bowser from "bowser";

/** The browser and the system of a device, as its `User-Agent` tells: "Chrome on Windows". */
export function nameDevice(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name && os.name) return `${browser.name} on ${os.name}`;
  return browser.name || os.name || "Unknown device";
}
