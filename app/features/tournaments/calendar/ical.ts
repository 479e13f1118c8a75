/*
 * Calendar files by RFC 5545: what little of it a tournament needs. A library for all of it (ical-generator) was weighed: 9 kB
 * gzip of the Worker, and it asks for Node 22.
 */

export interface CalendarEvent {
  /** The same in every file that speaks of this event. */
  uid: string;
  /** Higher with every change. */
  sequence: number;
  /** When it last changed. */
  changed: Date;
  start: Date;
  /** Left out while nobody knows. */
  end?: Date | null;
  title: string;
  description: string;
  /** Its page. */
  url: string;
  cancelled: boolean;
}

/** A calendar of events, as a file to keep or a feed to follow. */
export function calendarFile(name: string, events: readonly CalendarEvent[], now: Date): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Lineup//Tournaments//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escapeText(name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    ...events.flatMap((event) => eventLines(event, now)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

const eventLines = (
  { uid, sequence, changed, start, end, title, description, url, cancelled }: CalendarEvent,
  now: Date,
) => [
  "BEGIN:VEVENT",
  `UID:${escapeText(uid)}`,
  `DTSTAMP:${moment(now)}`,
  `LAST-MODIFIED:${moment(changed)}`,
  `SEQUENCE:${sequence}`,
  `DTSTART:${moment(start)}`,
  ...(end && end > start ? [`DTEND:${moment(end)}`] : []),
  `SUMMARY:${escapeText(title)}`,
  `DESCRIPTION:${escapeText(description)}`,
  `URL:${url}`,
  `STATUS:${cancelled ? "CANCELLED" : "CONFIRMED"}`,
  "END:VEVENT",
];

/** A moment in UTC: `20261205T180000Z`. */
const moment = (date: Date) => date.toISOString().replace(/[-:]|\.\d{3}/g, "");

/** A text as a value: backslash, semicolon, comma and line breaks written out, other control characters left out. */
export const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\n/g, "\\n")
    .replace(/[^\P{Cc}\t]/gu, "");

const MAX_OCTETS = 75;
const encoder = new TextEncoder();

/** A line in pieces of at most 75 octets, of which all but the first begin with a space. No character is taken apart. */
export function foldLine(line: string): string {
  const pieces: string[] = [];
  let piece = "";
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MAX_OCTETS) {
      pieces.push(piece);
      piece = " ";
      octets = 1;
    }
    piece += character;
    octets += size;
  }
  return [...pieces, piece].join("\r\n");
}
