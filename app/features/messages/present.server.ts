import { initial } from "~/features/players/rules";
import { verifiedMark } from "~/features/riot/rules";
import type { RequestContext } from "~/platform/context";
import { type ShownMoment, showMoment } from "~/platform/time";
import type { ConversationHead, ConversationSummary, ReportableMessage } from "./queries.server";
import { currentPresence, type PresenceState, previewOf, type SeenPresence } from "./rules";

/** A conversation as the list shows it. */
export interface ConversationView {
  id: string;
  name: string;
  letter: string;
  picture: string | null;
  presence: PresenceState;
  time: ShownMoment;
  preview: string;
  unread: number;
}

type Clock = Pick<RequestContext, "now" | "timeZone">;

/** One's own last message begins with "You: ". */
export function presentConversation(summary: ConversationSummary, { now, timeZone }: Clock): ConversationView {
  const { id, name, picture, presence, preview, isOwn, listedAt, unread } = summary;
  const time = showMoment(new Date(listedAt), now, timeZone);
  return {
    id,
    name,
    letter: initial(name),
    picture,
    presence,
    time,
    preview: isOwn ? `You: ${preview}` : preview,
    unread,
  };
}

/** Whether a player is there, and when they last were, in words of the server's. */
export interface PresenceView {
  state: PresenceState;
  lastSeen: ShownMoment | null;
}

export function presentPresence(presence: SeenPresence | null, { now, timeZone }: Clock): PresenceView {
  return {
    state: currentPresence(presence, now.getTime()),
    lastSeen: presence && showMoment(new Date(presence.seenAt), now, timeZone),
  };
}

/** The head of a thread as the page shows it. */
export function presentHead({ other, hasBlocked, isBlocked, ...head }: ConversationHead, clock: Clock) {
  const { presence, verified, riotProven, ...player } = other;
  return {
    ...head,
    other: {
      ...player,
      verified: verifiedMark({ verified, riotProven }),
      letter: initial(player.name),
      presence: presentPresence(presence, clock),
    },
    hasBlocked,
    isBlocked,
    isGone: player.id === null,
  };
}

export type HeadView = ReturnType<typeof presentHead>;

/** A message among those that can be reported: its beginning, and when it came. */
export function presentReportable({ id, content, createdAt }: ReportableMessage, { now, timeZone }: Clock) {
  return { id, words: `“${previewOf(content)}” · ${showMoment(new Date(createdAt), now, timeZone).ago}` };
}
