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
  landing: { scripts: 0, html: 18 * kB, requests: 9, statements: 0 },
  "sign-in": { scripts: 112.4 * kB, html: 16 * kB, requests: 23, statements: 0 },
  LFG: { scripts: 106.1 * kB, html: 60 * kB, requests: 22, statements: 13 },
  Messages: { scripts: 99.9 * kB, html: 48 * kB, requests: 21, statements: 3 },
  thread: { scripts: 113.7 * kB, html: 62 * kB, requests: 29, statements: 8 },
  Players: { scripts: 107 * kB, html: 77 * kB, requests: 25, statements: 5 },
  player: { scripts: 107.7 * kB, html: 40 * kB, requests: 25, statements: 14 },
  Tournaments: { scripts: 104 * kB, html: 51 * kB, requests: 21, statements: 5 },
  bracket: { scripts: 117.8 * kB, html: 99 * kB, requests: 29, statements: 17 },
};

/** A conversation opened from the list of conversations, with the script of its room: JavaScript in bytes. */
export const CONVERSATION_SCRIPTS = 114 * kB;
/** The style sheets and icons of LFG or the landing page in bytes, each file compressed by gzip. */
export const STYLES = 22.8 * kB;
/** The preloaded fonts of LFG in bytes, and all fonts of the landing page. */
export const FONTS = 41 * kB;
