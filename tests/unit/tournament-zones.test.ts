import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { zoneOffset } from "../../app/features/players/availability";
import { fromLocal, toLocal } from "../../app/features/tournaments/zones";
import { HOUR } from "../../app/platform/dates/durations";

const ZONES = Intl.supportedValuesOf("timeZone");
const zone = fc.constantFrom(...ZONES);
const minute = fc
  .date({ min: new Date("2026-01-01T00:00Z"), max: new Date("2036-01-01T00:00Z"), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000));

/** The moments of a year at which a zone's clock jumps, and by how many hours. */
function jumps(timeZone: string): { at: Date; by: number }[] {
  const found: { at: Date; by: number }[] = [];
  for (let month = 0; month < 12; month += 1) {
    let [low, high] = [Date.UTC(2026, month, 1), Date.UTC(2026, month + 1, 1)];
    const before = zoneOffset(timeZone, new Date(low));
    const after = zoneOffset(timeZone, new Date(high));
    if (before === after) continue;
    while (high - low > 60_000) {
      const middle = low + Math.floor((high - low) / 120_000) * 60_000;
      if (zoneOffset(timeZone, new Date(middle)) === before) low = middle;
      else high = middle;
    }
    found.push({ at: new Date(high), by: after - before });
  }
  return found;
}

describe("local times", () => {
  it("are the moments at which the zone's clock shows them, the earlier one if there are two", () => {
    fc.assert(
      fc.property(zone, minute, (timeZone, moment) => {
        const local = toLocal(moment, timeZone);
        const { moment: back } = fromLocal(local, timeZone);
        expect(back && toLocal(back, timeZone)).toBe(local);
        expect(back?.getTime()).toBeLessThanOrEqual(moment.getTime());
        expect(moment.getTime() - (back?.getTime() ?? 0)).toBeLessThanOrEqual(3 * HOUR);
      }),
      { numRuns: 500 },
    );
  });

  it("don't exist where a clock jumps forward, and exist twice where it jumps back, in every zone", () => {
    let counted = 0;
    for (const timeZone of ZONES) {
      for (const { at, by } of jumps(timeZone)) {
        counted += 1;
        const shownBefore = new Date(at.getTime() + zoneOffset(timeZone, new Date(at.getTime() - 60_000)) * HOUR);
        const local = (minutes: number) =>
          new Date(shownBefore.getTime() + minutes * 60_000).toISOString().slice(0, 16);
        if (by > 0) {
          expect(fromLocal(local(0), timeZone), timeZone).toEqual({ problem: "gap" });
          expect(fromLocal(local(by * 60 - 1), timeZone), timeZone).toEqual({ problem: "gap" });
          expect(fromLocal(local(by * 60), timeZone), timeZone).toEqual({ moment: at });
          expect(fromLocal(local(-1), timeZone).moment).toEqual(new Date(at.getTime() - 60_000));
        } else {
          expect(fromLocal(local(-1), timeZone), timeZone).toEqual({ moment: new Date(at.getTime() - 60_000) });
          expect(fromLocal(local(0), timeZone), timeZone).toEqual({ moment: new Date(at.getTime() - by * HOUR) });
          expect(fromLocal(local(by * 60), timeZone).moment, timeZone).toEqual(new Date(at.getTime() + by * HOUR));
        }
      }
    }
    expect(counted).toBeGreaterThan(200);
  });

  it.each([
    "",
    "tomorrow",
    "2026-02-30T18:00",
    "2026-13-01T18:00",
    "2026-12-05T25:00",
    "2026-12-05",
    "0000-01-01T00:00",
  ])("can't be read from '%s'", (text) => {
    expect(fromLocal(text, "Europe/Warsaw")).toEqual({ problem: "no-date" });
  });

  it("may include seconds, as some browsers send them", () => {
    expect(fromLocal("2026-12-05T18:00:00", "UTC")).toEqual({ moment: new Date("2026-12-05T18:00Z") });
  });
});
