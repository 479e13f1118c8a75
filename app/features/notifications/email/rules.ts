import type { NewsGroup } from "#db/words/news-groups";
import { DAY, MINUTE } from "~/platform/dates/durations";
import type { Email } from "~/platform/email/email";
import { GROUP_WORDS } from "../switches";

/** How long news waits to be read before it is emailed, in milliseconds. */
export const UNREAD_FOR = 30 * MINUTE;

/** The shortest time between two e-mails to a player who hasn't been back in between, in milliseconds. */
export const PAUSE = DAY;

/** The most sentences in an e-mail; the bell shows the rest. */
const MAX_LISTED = 10;

const LIST = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Joins the names of groups, as they stand in a sentence: "messages, your team and tournaments". */
export const listGroups = (groups: readonly NewsGroup[]): string =>
  LIST.format(groups.map((group) => GROUP_WORDS[group].inText));

/**
 * Words the e-mail about news that a player hasn't read. It quotes no messages: a mailbox is read on other screens and
 * by other people.
 * @param news.sentences of the bell, newest first
 * @param news.unsubscribeUrl where the player switches off e-mails about `groups`
 */
export function newsEmail({
  recipient,
  sentences,
  groups,
  origin,
  unsubscribeUrl,
}: {
  recipient: string;
  sentences: readonly string[];
  groups: readonly NewsGroup[];
  origin: string;
  unsubscribeUrl: string;
}): Email {
  const [first = ""] = sentences;
  const more = sentences.length - MAX_LISTED;
  return {
    recipient,
    subject: sentences.length === 1 ? first : `${sentences.length} things are waiting for you on Lineup`,
    paragraphs: [
      sentences.length === 1 ? "This came while you were away:" : "These came while you were away:",
      ...sentences.slice(0, MAX_LISTED).map((sentence) => `• ${sentence}`),
      ...(more > 0 ? [`And ${more} more.`] : []),
    ],
    action: { label: "See what's new", link: `${origin}/dashboard/notifications` },
    notes: [`Choose what we email you: ${origin}/dashboard/settings/notifications`],
    unsubscribe: { label: `Stop emails about ${listGroups(groups)}`, link: unsubscribeUrl },
  };
}
