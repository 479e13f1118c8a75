import type { ContactPolicy } from "#db/words/contact-policies";
import { PRESENCE_LIFETIME, type PresenceState, type SeenPresence } from "#party/wire/presence";
import { CANT_WRITE } from "~/features/blocks/rules";
import { dateIn } from "~/platform/dates/dates";
import { MINUTE } from "~/platform/dates/durations";
import { countCharacters, firstCharacters, type TextRules } from "~/platform/forms/text-length";

/** The most characters of a message. */
export const MAX_CONTENT_LENGTH = 2_000;
/** The rules for a message's text, with the name that its errors use. */
export const MESSAGE_TEXT: TextRules = { max: MAX_CONTENT_LENGTH, name: "message" };
/** The number of messages of a thread that are loaded at a time. */
export const THREAD_PAGE = 50;

/** Consecutive messages of one player belong to one run if less than this time lies between them, in milliseconds. */
const RUN_GAP = 5 * MINUTE;
/** The most characters of a message that the conversation list shows. */
export const PREVIEW_LENGTH = 120;

/** Returns the key of the conversation of two players: the same in either order. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a}:${b}` : `${b}:${a}`;
}

/** The error for a message that could not be sent for an unknown reason (specification, section 8). */
export const UNEXPLAINED = "Failed to send message. Please try again.";

/** The greeting in the contact dialog: quotes the post's title (specification, section 2). */
export function greeting(postTitle: string): string {
  return `Hi! I saw your LFG post “${postTitle}” and would like to play.`;
}

/** Returns a message's preview for the conversation list: one line, cut between characters. */
export function previewOf(content: string): string {
  const line = content.replace(/\s+/gu, " ").trim();
  if (countCharacters(line) <= PREVIEW_LENGTH) return line;
  return `${firstCharacters(line, PREVIEW_LENGTH - 1).trimEnd()}…`;
}

/** Returns the current presence. A presence that hasn't been renewed for too long counts as offline. */
export function currentPresence(presence: SeenPresence | null, now: number): PresenceState {
  if (!presence || now - presence.seenAt > PRESENCE_LIFETIME) return "offline";
  return presence.state;
}

/**
 * Says briefly how long ago a player was seen, where there is little room: "just now", "5 min ago", "2 h ago", "3 d
 * ago".
 */
export function shortAgo(seenAt: number, now: number): string {
  const minutes = Math.floor((now - seenAt) / MINUTE);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}

/** One message, as pages and rooms exchange it. */
export interface ThreadMessage {
  id: string;
  seq: number;
  /** Null once the account is gone. */
  senderId: string | null;
  /** The sender's name; only in a party, whose head doesn't name members who have left. */
  senderName?: string;
  content: string;
  /** Milliseconds since 1970, by the server's clock. */
  createdAt: number;
  /** The leaving page's path for each suspicious address in the text: see `leavingLinks`. */
  leaving?: Record<string, string>;
  /** The reader of a party's chat has blocked the sender: `content` is empty, until the reader asks for it. */
  isHidden?: true;
  /** Moderators have just hidden it, or shown it again: it replaces the message in the tabs that show it. */
  isChanged?: true;
}

/** Replaces a message that moderators have hidden, in threads, previews and exports. */
export const REMOVED_MESSAGE = "Message removed by moderators";

/** Returns the text that a reader sees of a message that moderators have hidden: its sender still sees the original. */
export const removedText = (content: string, isOwn: boolean): string =>
  isOwn ? `${REMOVED_MESSAGE}. Only you still see it:\n${content}` : REMOVED_MESSAGE;

/** Returns a message without its text and its sender's name, for a reader who has blocked the sender. */
export const hideMessage = ({
  id,
  seq,
  senderId,
  createdAt,
  isChanged,
}: Pick<ThreadMessage, "id" | "seq" | "senderId" | "createdAt" | "isChanged">): ThreadMessage => ({
  id,
  seq,
  senderId,
  content: "",
  createdAt,
  isHidden: true,
  ...(isChanged && { isChanged }),
});

/** Consecutive messages of one player, each within five minutes of the one before. */
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
 * Groups a thread by days and runs for display. The given order (by `seq`) stays; times only decide where a day or a
 * run ends.
 * @param timeZone the reader's time zone, in which days begin
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

/** An event in the match that a conversation is about, such as a reported score. */
export interface ThreadEvent {
  id: string;
  words: string;
  createdAt: number;
  /** Unique to each event, so that an event ends the run before it. */
  senderId: `event ${string}`;
}

export const threadEvent = (id: string, words: string, createdAt: number): ThreadEvent => ({
  id,
  words,
  createdAt,
  senderId: `event ${id}`,
});

/**
 * Puts events between messages, each before the first message that was sent after it. Both are sorted already.
 * @param edges whether the events before the first message and after the last one belong to the thread: not if there
 *   are older or newer messages that it doesn't show
 */
export function mergeEvents<Message extends { createdAt: number }>(
  messages: readonly Message[],
  events: readonly ThreadEvent[],
  edges: { older: boolean; newer: boolean },
): (Message | ThreadEvent)[] {
  const from = edges.older ? -Infinity : (messages[0]?.createdAt ?? Infinity);
  const to = edges.newer ? Infinity : (messages.at(-1)?.createdAt ?? -Infinity);
  const waiting = events.filter(({ createdAt }) => createdAt >= from && createdAt <= to);
  const merged: (Message | ThreadEvent)[] = [];
  for (const message of messages) {
    while (waiting[0] && waiting[0].createdAt <= message.createdAt) merged.push(waiting.shift() as ThreadEvent);
    merged.push(message);
  }
  return [...merged, ...waiting];
}

/** A part of a message: text, or an address to link. */
interface ContentPart {
  text: string;
  /** Where the part begins in the message. */
  start: number;
  href?: string;
  /** The host to which a link leads, if its text begins otherwise. */
  host?: string;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"“”]+/giu;

/**
 * Splits a message into text and links. Only addresses written with http(s) count; a full stop or bracket after one
 * belongs to the sentence. The texts of all parts, joined, are the message.
 */
export function splitLinks(content: string): ContentPart[] {
  const parts: ContentPart[] = [];
  let end = 0;
  for (const match of content.matchAll(ADDRESS)) {
    const address = trimAddress(match[0]);
    if (!URL.canParse(address)) continue;
    if (match.index > end) parts.push({ text: content.slice(end, match.index), start: end });
    const { href, protocol, hostname } = new URL(address);
    const isPlain = address.toLowerCase().startsWith(`${protocol}//${hostname}`);
    parts.push({ text: address, start: match.index, href, ...(!isPlain && { host: hostname }) });
    end = match.index + address.length;
  }
  if (end < content.length) parts.push({ text: content.slice(end), start: end });
  return parts;
}

function trimAddress(address: string): string {
  let trimmed = address.replace(/[.,;:!?'’*_~]+$/u, "");
  // A closing bracket belongs to the address only if the address also opens it, as in many of Wikipedia's.
  while (trimmed.endsWith(")") && trimmed.split("(").length < trimmed.split(")").length) {
    trimmed = trimmed.slice(0, -1).replace(/[.,;:!?'’*_~]+$/u, "");
  }
  return trimmed;
}

/** Merges messages from several sources (page, room, catching up), each once, in the conversation's order. */
export function mergeMessages(...sources: (readonly ThreadMessage[])[]): ThreadMessage[] {
  const byId = new Map(sources.flat().map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => a.seq - b.seq);
}

/** The part of a conversation that a thread shows. */
export interface Stretch {
  /** In the conversation's order. */
  messages: ThreadMessage[];
  /** Whether there are older messages before it. */
  hasOlder: boolean;
  /** Whether it ends before the conversation does, like a page of older messages. */
  isOlderPage: boolean;
}

/**
 * Shows a page that was loaded: adds it to the messages shown, or replaces them if messages between the two are
 * missing. If both reach the conversation's end, nothing is replaced: the tab has only missed the messages in between.
 */
export function showPage(shown: Stretch, page: Stretch): Stretch {
  const endsOf = ({ messages }: Stretch) => [messages[0]?.seq ?? 0, messages.at(-1)?.seq ?? 0] as const;
  const [[first, last], [pageFirst, pageLast]] = [endsOf(shown), endsOf(page)];
  const isApart = pageFirst > last + 1 || first > pageLast + 1;
  if (isApart && (shown.isOlderPage || page.isOlderPage)) return page;
  return {
    messages: mergeMessages(shown.messages, page.messages),
    hasOlder: (pageFirst < first ? page : shown).hasOlder,
    isOlderPage: shown.isOlderPage && page.isOlderPage,
  };
}

/**
 * Finds the last message before the first gap; the messages after it must be requested.
 * @param messages in order, as `mergeMessages` returns them
 * @param hasOlder whether older messages may be left out before the first one; otherwise a missing first message of the
 *   conversation is a gap, too
 * @returns the `seq` of that message; 0 if there is none, or if the conversation's first message is missing
 */
export function lastWithoutGap(messages: readonly ThreadMessage[], hasOlder: boolean): number {
  let last = hasOlder ? (messages[0]?.seq ?? 0) : 0;
  for (const { seq } of messages) {
    if (seq > last + 1) break;
    last = seq;
  }
  return last;
}

/** Explains why nobody can write in a conversation, in place of the composer; null if it is open. */
export function whyClosed(head: {
  hasBlocked: boolean;
  isBlocked: boolean;
  isGone: boolean;
  isUnwanted: boolean;
}): string | null {
  if (head.isGone) return "This player's account is gone. You can still read what was said.";
  if (head.hasBlocked) return "You've blocked this player. Neither of you can write here.";
  if (head.isBlocked) return CANT_WRITE;
  if (head.isUnwanted) return "You can write here once this player messages you.";
  return null;
}

/** The label and the explanation of each choice in the settings. */
export const CONTACT_POLICY_WORDS: Record<ContactPolicy, { label: string; hint: string }> = {
  everyone: { label: "Everyone", hint: "Any player can send you a first message." },
  met: {
    label: "Players I have met",
    hint: "Players you've been in a team or a match with, or have chatted with for a while.",
  },
  nobody: { label: "Nobody new", hint: "Only players you've messaged first." },
};

/** Says on a player's page who may send them a first message; null if everyone may. */
export const CONTACT_POLICY_NOTICES: Record<ContactPolicy, string | null> = {
  everyone: null,
  met: "This player only takes messages from players they've met.",
  nobody: "This player doesn't take messages from new players.",
};
