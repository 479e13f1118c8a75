import { initial } from "~/features/players/rules";
import type { OwnTeam } from "~/features/teams/shared/own-part";
import type { Banner } from "./five";

const listed = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Presents one of the viewer's teams: its banners, and in words its players and which of them are online. */
export function presentOwnTeam({ members, conversationId, ...team }: OwnTeam, viewerId: string) {
  const others = members.filter(({ userId }) => userId !== viewerId);
  const online = others.filter(({ presence }) => presence === "online").map(({ name }) => name);
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
    chat: `/dashboard/messages/${conversationId}`,
  };
}

export type OwnTeamView = ReturnType<typeof presentOwnTeam>;
