import type { MeasuredPage } from "./measured-pages";

/** The most that a page may cost on a first visit, in the world `busy`. */
export interface PageBudget {
  /** JavaScript in bytes: each body compressed by gzip, then added up. */
  scripts: number;
  /** The HTML document in bytes, before compression. */
  html: number;
  /** Requests until the network is idle: the document and all its files and sockets. */
  requests: number;
  /** Statements to the database; all of them leave in one round trip. */
  statements: number;
}

const kB = 1_000;

/** Lower a number when its page has come down. The HTML varies by two or three per cent with the hour and the names. */
export const PAGE_BUDGETS: Record<MeasuredPage, PageBudget> = {
  landing: { scripts: 0, html: 19 * kB, requests: 9, statements: 0 },
  "sign-in": { scripts: 123 * kB, html: 18.5 * kB, requests: 46, statements: 0 },
  LFG: { scripts: 115 * kB, html: 121 * kB, requests: 31, statements: 12 },
  Messages: { scripts: 110 * kB, html: 52 * kB, requests: 29, statements: 3 },
  thread: { scripts: 123 * kB, html: 63 * kB, requests: 47, statements: 7 },
  Players: { scripts: 115 * kB, html: 109 * kB, requests: 34, statements: 5 },
  player: { scripts: 121 * kB, html: 43 * kB, requests: 52, statements: 14 },
  Tournaments: { scripts: 113 * kB, html: 71 * kB, requests: 31, statements: 5 },
  bracket: { scripts: 130 * kB, html: 102 * kB, requests: 58, statements: 16 },
};

/** A conversation opened from the list of conversations, with the script of its room: JavaScript in bytes. */
export const CONVERSATION_SCRIPTS = 125 * kB;
/** The style sheets of LFG or the landing page in bytes, each compressed by gzip. */
export const STYLES = 20 * kB;
/** The preloaded fonts of LFG in bytes, and all fonts of the landing page. */
export const FONTS = 60 * kB;
