import { previewOf } from "../../app/features/messages/rules";
import { subjectOf } from "../../app/features/notifications/shared/subjects";
import { SESSION_LENGTH } from "../../app/features/teams/rules";
import { HOUR, MINUTE } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import type {
  conversationMembers,
  conversations,
  joinRequests,
  messages,
  notifications,
  teamDetails,
  teamReady,
} from "../../db/schema";
import { POST_TEXTS, type PostText } from "./copy";
import type { Player } from "./players";
import { makePost, type Post } from "./posts";

/** The teams of a world, as rows. */
export interface Teams {
  posts: Post[];
  requests: (typeof joinRequests.$inferInsert)[];
  notifications: (typeof notifications.$inferInsert)[];
  conversations: (typeof conversations.$inferInsert)[];
  members: (typeof conversationMembers.$inferInsert)[];
  messages: (typeof messages.$inferInsert)[];
  details: (typeof teamDetails.$inferInsert)[];
  ready: (typeof teamReady.$inferInsert)[];
}

interface Sketch {
  text: PostText;
  /** Player numbers: the author, then those who joined. */
  team: readonly number[];
  /** When the team was complete, in milliseconds before now. */
  filledAge: number;
  /** Its chat: each line's writer and text, a minute apart. The last one is as old as `chatAge`, in milliseconds. */
  lines: readonly (readonly [number, string])[];
  chatAge: number;
}

/** A team that has played, and whose players are asked for feedback: they have not given each other any recently. */
const PLAYED: Sketch = {
  text: POST_TEXTS.find(({ neededPlayers }) => neededPlayers === 2) as PostText,
  team: [5, 1, 3],
  filledAge: HOUR + SESSION_LENGTH,
  lines: [
    [5, "Lobby's open. Lotus first?"],
    [3, "In. I'll flash for whoever goes."],
    [1, "Good games, both of you. That last retake!"],
  ],
  chatAge: HOUR + 10 * MINUTE,
};

/** A team that is getting ready right now. */
const ACTIVE: Sketch = {
  text: { title: "Two for Sunset, then bed", message: "Calm voices, one map, no tilt.", neededPlayers: 2 },
  team: [2, 1, 7],
  filledAge: 14 * MINUTE,
  lines: [
    [2, "Hi both! Lobby's up, the code is on the team's page."],
    [1, "On my way. I can play Sova, if nobody minds."],
    [7, "Please do. I'll hold A. Five minutes, the kettle's on."],
  ],
  chatAge: 8 * MINUTE,
};

/**
 * The demo world's teams: one has played, and one is getting ready. The first player is in both, so that a sign-in
 * shows `Your team`.
 */
export function demoTeams(players: readonly Player[], now: Date): Teams {
  const made = busyTeams(players, now);
  const { post, userIds } = addTeam(made, ACTIVE, players, now);
  const setAt = new Date(now.getTime() - 10 * MINUTE);
  made.details.push({ postId: post.id, kind: "party-code", value: "SUN5ET", setBy: post.userId, setAt });
  made.ready.push(...userIds.slice(2).map((userId) => ({ postId: post.id, userId, readyAt: setAt })));
  return made;
}

/** The one team that the busy world shares with the demo world, which has played. */
export function busyTeams(players: readonly Player[], now: Date): Teams {
  const made: Teams = {
    posts: [],
    requests: [],
    notifications: [],
    conversations: [],
    members: [],
    messages: [],
    details: [],
    ready: [],
  };
  const { post, userIds } = addTeam(made, PLAYED, players, now);
  const endedAt = new Date(now.getTime() - HOUR);
  Object.assign(post, { sessionEndedAt: endedAt, updatedAt: endedAt });
  for (const request of made.requests) request.playedAt = endedAt;
  made.notifications = userIds.map((userId) => ({
    id: uuidv7(endedAt.getTime()),
    userId,
    kind: "feedback",
    subject: subjectOf("team", post.id),
    data: { title: post.title, count: 1 },
    createdAt: endedAt,
  }));
  return made;
}

/** Adds a complete team and its chat, which everyone has read. */
function addTeam(
  made: Teams,
  { text, team, filledAge, lines, chatAge }: Sketch,
  players: readonly Player[],
  now: Date,
) {
  const playerOf = (number: number) => players[number - 1] as Player;
  const ago = (age: number) => new Date(now.getTime() - age);
  const [author, ...joined] = team.map(playerOf) as [Player, ...Player[]];
  const [askedAt, filledAt] = [ago(filledAge + HOUR), ago(filledAge)];
  const conversationId = uuidv7(filledAt.getTime());
  const post: Post = {
    ...makePost(author, { ...text, age: filledAge + 2 * HOUR }, now),
    takenSpots: joined.length,
    isActive: false,
    filledAt,
    updatedAt: filledAt,
    conversationId,
  };
  const said = lines.map(([writer, content], index) => ({
    senderId: playerOf(writer).user.id,
    content,
    createdAt: ago(chatAge + (lines.length - 1 - index) * MINUTE),
  }));
  const last = said.at(-1) as (typeof said)[number];
  const userIds = team.map((number) => playerOf(number).user.id);

  made.posts.push(post);
  made.requests.push(
    ...joined.map(({ user, profile }) => ({
      id: uuidv7(askedAt.getTime()),
      postId: post.id,
      userId: user.id,
      role: profile.preferredRole ?? null,
      state: "accepted" as const,
      createdAt: askedAt,
      decidedAt: filledAt,
    })),
  );
  made.conversations.push({
    id: conversationId,
    title: post.title,
    lastSeq: said.length,
    lastPreview: previewOf(last.content),
    lastSenderId: last.senderId,
    lastMessageAt: last.createdAt,
    createdAt: filledAt,
  });
  made.members.push(
    ...userIds.map((userId) => ({
      conversationId,
      userId,
      listedAt: last.createdAt,
      lastReadSeq: said.length,
      hasWritten: said.some(({ senderId }) => senderId === userId),
      joinedAt: filledAt,
    })),
  );
  made.messages.push(
    ...said.map((line, index) => ({
      ...line,
      id: uuidv7(line.createdAt.getTime()),
      conversationId,
      seq: index + 1,
    })),
  );
  return { post, userIds };
}
