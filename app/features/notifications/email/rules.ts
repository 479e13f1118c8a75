import type { NewsGroup } from "#db/words/news-groups";
import { DAY, MINUTE } from "~/platform/dates/durations";
import type { Email } from "~/platform/email/email";
import { GROUP_WORDS } from "../switches";

/** The time that news stays unread before it is emailed, in milliseconds. */
export const UNREAD_FOR = 30 * MINUTE;

/** Minimum time between two emails to a player who hasn't returned in between, in milliseconds. */
export const PAUSE = DAY;

/** Maximum number of sentences in an email; the bell shows the rest. */
const MAX_LISTED = 10;

const LIST = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Joins the names of groups for a sentence: "messages, your team and tournaments". */
export const listGroups = (groups: readonly NewsGroup[]): string =>
  LIST.format(groups.map((group) => GROUP_WORDS[group].inText));

/**
 * Writes the email about a player's unread news. It quotes no messages, because a mailbox may be visible on other
 * screens and to other people.
 * @param news.sentences the bell's sentences, newest first
 * @param news.groups the news's groups; none if all of it is for moderators, who can't turn it off
 * @param news.unsubscribeUrl the link that turns off emails about `groups`
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
    ...(groups.length > 0
      ? {
          notes: [`Choose what we email you: ${origin}/dashboard/settings/notifications`],
          unsubscribe: { label: `Stop emails about ${listGroups(groups)}`, link: unsubscribeUrl },
        }
      : { notes: ["You get this because you're a moderator. It can't be turned off."] }),
  };
}
