import type { PresenceState, SeenPresence } from "#party/wire/presence";
import { HIDDEN_MESSAGE } from "~/features/blocks/rules";
import { initial } from "~/features/players/rules";
import { verifiedMark } from "~/features/riot/rules";
import type { Clock } from "~/platform/dates/dates";
import { type ShownMoment, showMoment } from "~/platform/dates/time";
import type { ConversationSummary } from "./list/queries.server";
import type { ConversationHead } from "./queries.server";
import { currentPresence, shortAgo } from "./rules";

/** A conversation as the list shows it. */
export interface ConversationView {
  id: string;
  name: string;
  letters: Letters;
  picture: string | null;
  presence: PresenceState;
  time: ShownMoment;
  preview: string;
  unread: number;
}

/**
 * Presents a conversation for the list. The preview of the viewer's own message begins with "You: "; in a party, the
 * preview of another member's begins with their name.
 */
export function presentConversation(summary: ConversationSummary, clock: Clock): ConversationView {
  const { id, name, picture, others, presence, preview, senderName, isHidden, isOwn, listedAt, unread } = summary;
  const time = showMoment(new Date(listedAt), clock);
  const sender = isOwn ? "You" : senderName;
  const words = preview === null ? "Say hi to your team." : sender ? `${sender}: ${preview}` : preview;
  const shown = isHidden ? HIDDEN_MESSAGE : words;
  return { id, name, letters: lettersOf(name, others), picture, presence, time, preview: shown, unread };
}

/** The letters on the banners: the first letter of the other player's name, or those of two members of a party. */
export type Letters = [string] | [string, string];

function lettersOf(name: string, others: readonly string[] | null): Letters {
  const [first, second] = others ?? [name];
  if (first === undefined) return [initial(name)];
  return second === undefined ? [initial(first)] : [initial(first), initial(second)];
}

/** A player's presence and when they were last seen, as text rendered by the server. */
interface PresenceView {
  state: PresenceState;
  lastSeen: (ShownMoment & { short: string }) | null;
}

function presentPresence(presence: SeenPresence | null, clock: Clock): PresenceView {
  return {
    state: currentPresence(presence, clock.now.getTime()),
    lastSeen: presence && {
      ...showMoment(new Date(presence.seenAt), clock),
      short: shortAgo(presence.seenAt, clock.now.getTime()),
    },
  };
}

/** Presents the head of a thread. */
export function presentHead({ other, ...head }: ConversationHead, clock: Clock) {
  const names = head.party?.members.map(({ name }) => name) ?? null;
  return {
    ...head,
    letters: lettersOf(head.name, names),
    other: other && presentOther(other, clock),
    isGone: other !== null && other.id === null,
  };
}

function presentOther(
  { verified, riotProven, presence, ...other }: NonNullable<ConversationHead["other"]>,
  clock: Clock,
) {
  return {
    ...other,
    verified: verifiedMark({ verified, riotProven }),
    presence: presentPresence(presence, clock),
  };
}

export type HeadView = ReturnType<typeof presentHead>;
