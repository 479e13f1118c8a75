import { SESSION_LENGTH } from "../../app/features/teams/rules";
import { HOUR } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import type { joinRequests, notifications } from "../../db/schema";
import { POST_TEXTS, type PostText } from "./copy";
import type { Player } from "./players";
import { makePost, type Post } from "./posts";

/** The teams of a world, as rows. */
export interface Teams {
  posts: Post[];
  requests: (typeof joinRequests.$inferInsert)[];
  notifications: (typeof notifications.$inferInsert)[];
}

/**
 * Player numbers of the demo world's one team: its author and its members. They have not given each other feedback
 * recently.
 */
const AUTHOR = 5;
const MEMBERS = [1, 3];

/** The team of the demo and busy worlds: it has played, and its players are asked for feedback. */
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
