import type { ReportReason } from "#db/words/report-reasons";
import { PRESENCE_LAPSES, type PresenceState, type SeenPresence } from "#party/wire/presence";
import { dateIn } from "~/platform/dates/dates";
import { MINUTE } from "~/platform/dates/durations";
import { countCharacters, firstCharacters, type TextRules } from "~/platform/forms/text-length";

/** A message's or a report's most characters. */
export const MAX_CONTENT_LENGTH = 2_000;
/** The text of a message, as its errors say it. */
export const MESSAGE_TEXT: TextRules = { max: MAX_CONTENT_LENGTH, name: "message" };
/** Messages of a thread that are loaded at once. */
export const THREAD_PAGE = 50;

/** Messages of one player this close to each other are one run, with one time under it. Milliseconds. */
const RUN_GAP = 5 * MINUTE;
/** What the conversation list shows of a message. */
const PREVIEW_LENGTH = 120;

/** The reasons of a report, as the form says them. */
export const REPORT_REASON_WORDS: Record<ReportReason, string> = {
  harassment: "Insults or harassment",
  hate: "Hate speech",
  threats: "Threats",
  cheating: "Cheating or boosting",
  spam: "Spam or scams",
  other: "Something else",
};

/** The key of two players' one conversation, whoever begins it. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a}:${b}` : `${b}:${a}`;
}

/** What is said of a message that could not be sent, when nobody knows why (specification, section 8). */
export const UNEXPLAINED = "Failed to send message. Please try again.";

/** The greeting in the contact dialog: quotes the post's title (specification, section 2). */
export function greeting(postTitle: string): string {
  return `Hi! I saw your LFG post “${postTitle}” and would like to play.`;
}

/** A message as the conversation list shows it: one line, cut between characters. */
export function previewOf(content: string): string {
  const line = content.replace(/\s+/gu, " ").trim();
  if (countCharacters(line) <= PREVIEW_LENGTH) return line;
  return `${firstCharacters(line, PREVIEW_LENGTH - 1).trimEnd()}…`;
}

/** The state now: what was said too long ago no longer counts. */
export function currentPresence(presence: SeenPresence | null, now: number): PresenceState {
  if (!presence || now - presence.seenAt > PRESENCE_LAPSES) return "offline";
  return presence.state;
}

/** How long ago a player was seen, for where there is little room: "just now", "5 min ago", "2 h ago", "3 d ago". */
export function shortAgo(seenAt: number, now: number): string {
  const minutes = Math.floor((now - seenAt) / MINUTE);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}

/** One message as pages and rooms hand it around. */
export interface ThreadMessage {
  id: string;
  seq: number;
  /** Null once the account is gone. */
  senderId: string | null;
  /** What the sender is called: only in a party, whose head doesn't name those who have left. */
  senderName?: string;
  content: string;
  /** Milliseconds since 1970, by the server's clock. */
  createdAt: number;
}

/** Messages of one player that follow each other within five minutes. */
interface Run<Message extends Pick<ThreadMessage, "senderId" | "createdAt">> {
  senderId: string | null;
  messages: Message[];
}

/** A day of a thread, oldest run first. */
interface Day<Message extends Pick<ThreadMessage, "senderId" | "createdAt">> {
  /** As `2026-11-21`, in the reader's time zone. */
  date: string;
  runs: Run<Message>[];
}

/**
 * Groups a thread for reading. The order is the one given (by `seq`): clocks only tell where a day or a run ends.
 * @param timeZone the reader's, in which days begin
 */
export function groupThread<Message extends Pick<ThreadMessage, "senderId" | "createdAt">>(
  messages: readonly Message[],
  timeZone: string,
): Day<Message>[] {
  const days: Day<Message>[] = [];
  let before: Message | undefined;
  for (const message of messages) {
    const date = dateIn(timeZone, message.createdAt);
    let day = days.at(-1);
    if (day?.date !== date) {
      day = { date, runs: [] };
      days.push(day);
    }
    const run = day.runs.at(-1);
    const isClose = before !== undefined && Math.abs(message.createdAt - before.createdAt) < RUN_GAP;
    if (run && run.senderId === message.senderId && isClose) run.messages.push(message);
    else day.runs.push({ senderId: message.senderId, messages: [message] });
    before = message;
  }
  return days;
}

/** A piece of a message: words, or an address that can be followed. */
interface ContentPart {
  text: string;
  /** Where it begins in the message. */
  start: number;
  href?: string;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"“”]+/giu;

/**
 * Finds the addresses in a message. Only what is written out with http(s) is one; a full stop or bracket after it
 * belongs to the sentence. The parts' texts, put together, are the message.
 */
export function splitLinks(content: string): ContentPart[] {
  const parts: ContentPart[] = [];
  let end = 0;
  for (const match of content.matchAll(ADDRESS)) {
    const address = trimAddress(match[0]);
    if (!URL.canParse(address)) continue;
    if (match.index > end) parts.push({ text: content.slice(end, match.index), start: end });
    parts.push({ text: address, start: match.index, href: new URL(address).href });
    end = match.index + address.length;
  }
  if (end < content.length) parts.push({ text: content.slice(end), start: end });
  return parts;
}

function trimAddress(address: string): string {
  let trimmed = address.replace(/[.,;:!?'’*_~]+$/u, "");
  // A closing bracket is part of the address only if it was opened there, as in many encyclopedias' addresses.
  while (trimmed.endsWith(")") && trimmed.split("(").length < trimmed.split(")").length) {
    trimmed = trimmed.slice(0, -1).replace(/[.,;:!?'’*_~]+$/u, "");
  }
  return trimmed;
}

/** Messages from wherever they came (page, room, catching up), each once, in the conversation's order. */
export function mergeMessages(...sources: (readonly ThreadMessage[])[]): ThreadMessage[] {
  const byId = new Map(sources.flat().map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => a.seq - b.seq);
}

/**
 * Up to where nothing is missing: what comes after it has to be asked for.
 * @param messages in order, as of `mergeMessages`
 * @returns the place of the last message before the first gap; 0 when there are none
 */
export function lastWithoutGap(messages: readonly ThreadMessage[]): number {
  let last = messages[0]?.seq ?? 0;
  for (const { seq } of messages) {
    if (seq > last + 1) break;
    last = seq;
  }
  return last;
}

/** Whether two players have talked with each other, as far as these messages tell: then each may give the other feedback. */
export const haveBothWritten = (messages: readonly Pick<ThreadMessage, "senderId">[], viewerId: string): boolean =>
  messages.some(({ senderId }) => senderId === viewerId) &&
  messages.some(({ senderId }) => senderId !== viewerId && senderId !== null);

/** Where a conversation stands for its two players, in words that the thread shows in place of the composer. */
export function whyClosed(head: { hasBlocked: boolean; isBlocked: boolean; isGone: boolean }): string | null {
  if (head.isGone) return "This player's account is gone. You can still read what was said.";
  if (head.hasBlocked) return "You have blocked this player. Neither of you can write here.";
  if (head.isBlocked) return "You can't write to this player.";
  return null;
}
