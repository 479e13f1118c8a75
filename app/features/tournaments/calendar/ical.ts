/*
 * Calendar files as defined in RFC 5545, limited to the parts that a tournament needs. The library ical-generator was
 * considered: it would add 9 kB gzip to the Worker (docs/decisions/0025-hosting.md).
 */

export interface CalendarEvent {
  /** The same in every file that contains this event. */
  uid: string;
  /** Increases with every change. */
  sequence: number;
  /** When it last changed. */
  changed: Date;
  start: Date;
  /** Absent while the end is unknown. */
  end?: Date | null;
  title: string;
  description: string;
  /** The address of the event's page. */
  url: string;
  status: "CONFIRMED" | "TENTATIVE" | "CANCELLED";
}

/** Formats a calendar of events, as a file to download or a feed to subscribe to. */
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
  { uid, sequence, changed, start, end, title, description, url, status }: CalendarEvent,
  now: Date,
) => [
  "BEGIN:VEVENT",
  `UID:${escapeText(uid)}`,
  `DTSTAMP:${formatMoment(now)}`,
  `LAST-MODIFIED:${formatMoment(changed)}`,
  `SEQUENCE:${sequence}`,
  `DTSTART:${formatMoment(start)}`,
  ...(end && end > start ? [`DTEND:${formatMoment(end)}`] : []),
  `SUMMARY:${escapeText(title)}`,
  `DESCRIPTION:${escapeText(description)}`,
  `URL:${url}`,
  `STATUS:${status}`,
  "END:VEVENT",
];

/** Formats a moment in UTC: `20261205T180000Z`. */
const formatMoment = (date: Date) => date.toISOString().replace(/[-:]|\.\d{3}/g, "");

/**
 * Escapes a text value: backslashes, semicolons, commas and line breaks are escaped, other control characters except
 * tabs are dropped.
 */
export const escapeText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\n/g, "\\n")
    .replace(/[^\P{Cc}\t]/gu, "");

const MAX_OCTETS = 75;
const encoder = new TextEncoder();

/**
 * Folds a line into pieces of at most 75 octets, each but the first beginning with a space. Never splits a character.
 */
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
