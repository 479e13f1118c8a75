import type * as z from "zod";
import type { NewsKind } from "#db/words/news-kinds";

/** The wording of a notification. */
export interface Words {
  /** One sentence, which is the link. */
  sentence: string;
  /** A line below it, cut to the row's width: the beginning of the message. */
  detail?: string;
  /** The player it comes from, whose banner is shown beside it. */
  from?: string;
}

/** One kind of notification: everything that the bell and its settings need. */
export interface NotificationKind<Data = unknown, Name extends NewsKind = NewsKind> {
  /** The value of `notifications.kind`. */
  name: Name;
  /** The schema of `notifications.data`; `count` is how often it has happened since it was last read. */
  data: z.ZodType<Data>;
  words(data: Data): Words;
  /**
   * Returns the address it links to. Visiting it must resolve the notification (`resolveNews`).
   * @param subject the id in `notifications.subject`
   */
  href(subject: string): string;
  /** Its checkbox in the settings: a name, and a sentence that says when it is sent. */
  setting: { label: string; sentence: string };
}

/** Defines a kind; lets TypeScript infer the argument of its `words` from its schema. */
export const defineKind = <Data, Name extends NewsKind>(kind: NotificationKind<Data, Name>) =>
  kind as NotificationKind<never, Name>;
