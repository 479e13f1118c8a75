import type * as z from "zod";
import type { NewsKind } from "#db/words/news-kinds";

/** What a player is told of one piece of news. */
export interface Words {
  /** One sentence; it is the link. */
  sentence: string;
  /** A line under it, cut to the row's width: the message's beginning. */
  detail?: string;
  /** The player whom it comes from; their banner hangs beside it. */
  from?: string;
}

/** One kind of news: everything that the bell and its settings need to know of it. */
export interface NotificationKind<Data = unknown, Name extends NewsKind = NewsKind> {
  /** As `notifications.kind` holds it. */
  name: Name;
  /** What `notifications.data` of this kind holds; `count` is how often it has happened since it was last read. */
  data: z.ZodType<Data>;
  words(data: Data): Words;
  /**
   * Where it leads. Being there must resolve it (`resolveNews`).
   * @param subject the id in `notifications.subject`
   */
  href(subject: string): string;
  /** Its checkbox in the settings: a name, and a sentence that says when it comes. */
  setting: { label: string; sentence: string };
}

/** Lets TypeScript follow from a kind's schema to its words. */
export const defineKind = <Data, Name extends NewsKind>(kind: NotificationKind<Data, Name>) =>
  kind as NotificationKind<never, Name>;
