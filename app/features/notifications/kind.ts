import type * as z from "zod";
import type { NewsKind, StaffKind } from "#db/words/news-kinds";

/** The wording of a notification. */
export interface Words {
  /** One sentence, which is the link. */
  sentence: string;
  /** A line below the sentence, cut to the row's width, such as the beginning of a message. */
  detail?: string;
  /** The name of the player whose banner is shown beside the notification. */
  from?: string;
}

/**
 * The player whom a notification names: the sender of the conversation's messages, the player who asked to join the
 * post, or the post's author.
 */
export type NamedAs = "sender" | "asker" | "author";

/** A kind of notification, with everything that the bell and the settings need. */
export interface NotificationKind<Data = unknown, Name extends NewsKind = NewsKind> {
  /** The value of `notifications.kind`. */
  name: Name;
  /**
   * The schema of `notifications.data`; `count` is how often the event has happened since the notification was last
   * read.
   */
  data: z.ZodType<Data>;
  words(data: Data): Words;
  /**
   * The player whose name is in `data.name`; null if the data names no player. The name changes when that player is
   * hidden, restored or erased (`shared/naming.server.ts`).
   */
  names: NamedAs | null;
  /**
   * Returns the address of the notification's link. Visiting that page must mark the notification as read
   * (`resolveNewsLater`).
   * @param ids the ids in the notification's subject
   */
  href(...ids: string[]): string;
  /**
   * The kind's checkbox in the settings: a label, and a sentence that says when such notifications are sent. Null for
   * the kinds that only moderators get.
   */
  setting: Name extends StaffKind ? null : { label: string; sentence: string };
}

/**
 * Defines a kind. TypeScript infers the argument of `words` from the schema in `data`, and refuses `names: null` if the
 * schema has a `name`.
 */
export const defineKind = <Data, Name extends NewsKind>(
  kind: NotificationKind<Data, Name> & { names: "name" extends keyof Data ? NamedAs : null },
) => kind as NotificationKind<Data, Name> as NotificationKind<never, Name>;
