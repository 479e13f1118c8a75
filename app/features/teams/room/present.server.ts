import { isNewAccount } from "~/features/flags/rules";
import { leavingLinks, type Signing } from "~/features/flags/shared/leaving.server";
import type { Clock } from "~/platform/dates/dates";
import { soonTime } from "~/platform/dates/time";
import { sessionEnd } from "../rules";
import type { Room } from "./queries.server";
import { sayNextStep, sortRoles } from "./rules";

const listed = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Presents a team's room to one of its members. */
export function presentRoom(room: Room, viewerId: string, clock: Clock, signing: Signing) {
  const { postId, isHidden, isOver, members, details } = room;
  const others = members.filter(({ userId }) => userId !== viewerId);
  const isReady = members.some((member) => member.userId === viewerId && member.isReady);
  const openSpots = room.isOpen ? room.openSpots : 0;
  const detailOf = (kind: "party-code" | "voice-link") => details.find((detail) => detail.kind === kind) ?? null;
  const code = detailOf("party-code");
  const voice = detailOf("voice-link");
  const setter = ({ setBy, name }: { setBy: string; name: string }) =>
    setBy === viewerId ? null : { id: setBy, name };
  return {
    members,
    /** Null once the team's session is over. */
    now: isOver
      ? null
      : {
          nextStep: sayNextStep({ viewerId, members, openSpots, hasCode: code !== null }),
          isReady,
          readyCount: members.filter((member) => member.isReady).length,
          roles: sortRoles(members),
          code: code && { value: code.value as string, by: setter(code), setAt: code.setAt },
          voice: voice && {
            /** Null if the viewer has blocked the player who set it. */
            link: voice.value && {
              address: voice.value,
              text: shorten(voice.value),
              ...linkTo(voice.value, isNewAccount(voice.since, voice.setAt), signing),
            },
            by: setter(voice),
            setAt: voice.setAt,
          },
          /** The time at which all of this is cleared, in words. */
          ends: soonTime(new Date(sessionEnd(room)), clock),
        },
    feedback: room.hasPlayed
      ? { to: `/dashboard/feedback/${postId}`, question: `How was playing with ${nameAll(others)}?` }
      : null,
    /** Whether the post's page, which has `Leave Team`, is hidden from the viewer. */
    isHidden,
  };
}

export type RoomView = ReturnType<typeof presentRoom>;

const nameAll = (members: readonly { name: string }[]) => listed.format(members.map(({ name }) => name));

/** Shortens an address to the parts that a reader can check, without `https://` and the numbers of a channel. */
const shorten = (link: string) => link.replace("https://", "").replace(/(\/channels\/).*/, "$1…");

/** Returns where a link leads: to the leaving page if the rules for players' links require it. */
function linkTo(link: string, isNewAuthor: boolean, signing: Signing) {
  const leaving = leavingLinks(signing, link, isNewAuthor)?.[link];
  return { href: leaving ?? link, isLeaving: leaving !== undefined };
}
