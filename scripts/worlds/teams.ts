import { SESSION_LENGTH } from "../../app/features/teams/rules";
import { HOUR } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import type { joinRequests, notifications } from "../../db/schema";
import { POST_TEXTS, type PostText } from "./copy";
import type { Player } from "./players";
import { makePost, type Post } from "./posts";

/** What the teams of a world consist of. */
export interface Teams {
  posts: Post[];
  requests: (typeof joinRequests.$inferInsert)[];
  notifications: (typeof notifications.$inferInsert)[];
}

/** Player numbers of the demo world's one team: its author, and who joined. They have not given each other feedback of late. */
const AUTHOR = 5;
const MEMBERS = [1, 3];

/** The demo world's, which the busy one has, too: one team that has played, whose players are asked for feedback. */
export function demoTeams(players: readonly Player[], now: Date): Teams {
  const playerOf = (number: number) => players[number - 1] as Player;
  const endedAt = new Date(now.getTime() - HOUR);
  const filledAt = new Date(endedAt.getTime() - SESSION_LENGTH);
  const askedAt = new Date(filledAt.getTime() - HOUR);
  const text = POST_TEXTS.find(({ neededPlayers }) => neededPlayers === MEMBERS.length) as PostText;
  const post: Post = {
    ...makePost(playerOf(AUTHOR), { ...text, age: now.getTime() - askedAt.getTime() + HOUR }, now),
    takenSpots: MEMBERS.length,
    isActive: false,
    filledAt,
    sessionEndedAt: endedAt,
    updatedAt: endedAt,
  };
  return {
    posts: [post],
    requests: MEMBERS.map((number) => ({
      id: uuidv7(askedAt.getTime()),
      postId: post.id,
      userId: playerOf(number).user.id,
      role: playerOf(number).profile.preferredRole ?? null,
      state: "accepted",
      createdAt: askedAt,
      decidedAt: filledAt,
      playedAt: endedAt,
    })),
    notifications: [AUTHOR, ...MEMBERS].map((number) => ({
      id: uuidv7(endedAt.getTime()),
      userId: playerOf(number).user.id,
      kind: "feedback",
      subject: `team:${post.id}`,
      data: { title: post.title, count: 1 },
      createdAt: endedAt,
    })),
  };
}
