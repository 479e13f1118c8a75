import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calendarFile, escapeText, foldLine } from "../../app/features/tournaments/calendar/ical";

const octets = (text: string) => new TextEncoder().encode(text).length;
const text = fc.string({ unit: "binary", maxLength: 400 });

const unfold = (file: string) => file.replace(/\r\n[ \t]/g, "");
const plainText = (value: string) =>
  value.replace(/\\([\\;,nN])/g, (_, sign) => (sign === "n" || sign === "N" ? "\n" : sign));

describe("calendar files", () => {
  it("fold lines at 75 octets between characters, and unfold to the same line", () => {
    fc.assert(
      fc.property(text, (value) => {
        const line = `DESCRIPTION:${escapeText(value)}`;
        const folded = foldLine(line);
        for (const piece of folded.split("\r\n")) expect(octets(piece)).toBeLessThanOrEqual(75);
        expect(unfold(folded)).toBe(line);
      }),
    );
  });

  it("escape special characters, and contain no raw line break", () => {
    fc.assert(
      fc.property(text, (value) => {
        const escaped = escapeText(value);
        expect(escaped).not.toMatch(/[\r\n]|(?<!\\)(\\\\)*[;,]/);
        const shown = value.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\t\n]/gu, "");
        expect(plainText(escaped)).toBe(shown);
      }),
    );
  });

  it("contain a tournament and its cancellation", () => {
    const event = {
      uid: "1@lineup",
      sequence: 7,
      changed: new Date("2026-11-22T02:00:00Z"),
      start: new Date("2026-12-05T17:00:00Z"),
      title: "Łódź Night Cup, autumn",
      description: "Be early;\nquestions to the host.",
      url: "https://lineup.test/tournaments/1",
      status: "CANCELLED" as const,
    };
    const file = calendarFile("Lineup tournaments", [event], new Date("2026-11-22T03:04:05.678Z"));
    expect(file.split("\r\n")).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Lineup//Tournaments//EN",
      "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH",
      "X-WR-CALNAME:Lineup tournaments",
      "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
      "BEGIN:VEVENT",
      "UID:1@lineup",
      "DTSTAMP:20261122T030405Z",
      "LAST-MODIFIED:20261122T020000Z",
      "SEQUENCE:7",
      "DTSTART:20261205T170000Z",
      "SUMMARY:Łódź Night Cup\\, autumn",
      "DESCRIPTION:Be early\\;\\nquestions to the host.",
      "URL:https://lineup.test/tournaments/1",
      "STATUS:CANCELLED",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ]);
  });
});
