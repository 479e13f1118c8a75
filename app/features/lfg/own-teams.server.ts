import { initial } from "~/features/players/rules";
import type { OwnTeam } from "~/features/teams/shared/own-part";
import type { Banner } from "./five";

const listed = new Intl.ListFormat("en-GB", { type: "conjunction" });

/**
 * Presents one of the viewer's teams: its banners, and sentences that say who is in it, who else is online and, once
 * the team is complete, how many are ready.
 */
export function presentOwnTeam({ members, conversationId, ...team }: OwnTeam, viewerId: string) {
  const others = members.filter(({ userId }) => userId !== viewerId);
  const online = others.filter(({ presence }) => presence === "online").map(({ name }) => name);
  const readyCount = members.filter(({ isReady }) => isReady).length;
  const isReady = members.some((member) => member.userId === viewerId && member.isReady);
  const [author, ...joined] = members.map(
    ({ userId, name, picture, presence }): Banner => ({
      letter: initial(name),
      picture,
      isYou: userId === viewerId,
      // The viewer is online by definition.
      presence: userId === viewerId ? "online" : presence === "offline" ? "none" : presence,
    }),
  );
  return {
    ...team,
    banners: [author as Banner, ...joined] as [Banner, ...Banner[]],
    who: listed.format(["You", ...others.map(({ name }) => name)]),
    online: online.length > 0 ? `${listed.format(online)} online now.` : "Nobody else is online.",
    ready:
      team.openSpots > 0
        ? null
        : `${readyCount} of ${members.length} ready.${isReady ? "" : " Press Ready in team chat."}`,
    chat: `/dashboard/messages/${conversationId}`,
  };
}

export type OwnTeamView = ReturnType<typeof presentOwnTeam>;
