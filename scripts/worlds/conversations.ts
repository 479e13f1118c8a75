import { greeting, pairKey, previewOf } from "../../app/features/messages/rules";
import { subjectOf } from "../../app/features/notifications/shared/subjects";
import { DAY, HOUR, MINUTE } from "../../app/platform/dates/durations";
import { randomId, uuidv7 } from "../../db/ids";
import type * as schema from "../../db/schema";
import { DIALOGUES, SMALL_TALK } from "./copy";
import type { Player } from "./players";
import type { Post } from "./posts";
import { Random } from "./random";

/** The conversations of a world, as rows. */
export interface Conversations {
  conversations: (typeof schema.conversations.$inferInsert)[];
  members: (typeof schema.conversationMembers.$inferInsert)[];
  messages: (typeof schema.messages.$inferInsert)[];
  notifications: (typeof schema.notifications.$inferInsert)[];
  presence: (typeof schema.presence.$inferInsert)[];
}

interface Sketch {
  /** Player numbers: the first writer and the recipient. The recipient is null if that account is deleted. */
  between: readonly [number, number | null];
  /** The age of the last message, in milliseconds. */
  age: number;
  lines: readonly (readonly [0 | 1, string])[];
  /** How many messages the recipient of the last one hasn't read. */
  unread?: number;
  /** Milliseconds between two messages. */
  pace?: number;
}

const dialogue = (number: number) => DIALOGUES[number % DIALOGUES.length] as (typeof DIALOGUES)[number];

/** The demo world's conversations: the first player has some of every kind; of players 6 to 12, only 8 has one. */
function demoSketches(): Sketch[] {
  const talk = Array.from({ length: 130 }, (_, index): [0 | 1, string] => [
    index % 3 === 0 ? 1 : 0,
    SMALL_TALK[(index * 5) % SMALL_TALK.length] as string,
  ]);
  return [
    { between: [3, 1], age: 2 * MINUTE, lines: dialogue(0), unread: 1 },
    { between: [1, 2], age: 64 * MINUTE, lines: dialogue(2), unread: 2 },
    { between: [1, 5], age: 5 * HOUR, lines: dialogue(3) },
    { between: [1, 4], age: 26 * HOUR, lines: talk, pace: 3 * HOUR },
    { between: [8, 1], age: 30 * HOUR, lines: [] },
    { between: [1, null], age: 3 * DAY, lines: dialogue(5) },
    { between: [2, 3], age: 7 * HOUR, lines: dialogue(1) },
  ];
}

export function demoConversations(players: readonly Player[], posts: readonly Post[], now: Date): Conversations {
  return make(demoSketches(), players, posts, now);
}

/**
 * The demo world's conversations, and more: several pages of them for the first player, and up to six conversations for
 * each of the others.
 */
export function busyConversations(players: readonly Player[], posts: readonly Post[], now: Date): Conversations {
  const random = new Random(4101);
  const sketches = demoSketches();
  for (let number = 13; number < players.length; number += 1) {
    const partner = number < 60 ? 1 : number - random.between(20, 40);
    const lines = dialogue(random.between(0, DIALOGUES.length - 1));
    const unread = random.chance(0.15) ? 1 : 0;
    sketches.push({ between: [number, partner], age: random.between(HOUR, 60 * DAY), lines, unread });
  }
  return make(sketches, players, posts, now);
}

function make(
  sketches: readonly Sketch[],
  players: readonly Player[],
  posts: readonly Post[],
  now: Date,
): Conversations {
  const made: Conversations = { conversations: [], members: [], messages: [], notifications: [], presence: [] };
  for (const sketch of sketches) addConversation(made, sketch, players, posts, now);
  const known = new Set(made.members.map(({ userId }) => userId));
  players.forEach(({ user }, index) => {
    if (!known.has(user.id)) return;
    const seenAt = new Date(now.getTime() - (index + 1) * 47 * MINUTE);
    made.presence.push({ userId: user.id, state: "offline", seenAt });
  });
  return made;
}

function addConversation(
  made: Conversations,
  { between, age, lines, unread = 0, pace = 2 * MINUTE }: Sketch,
  players: readonly Player[],
  posts: readonly Post[],
  now: Date,
): void {
  const [from, to] = between.map((number) => number && (players[number - 1] as Player));
  const ids = [from ? from.user.id : randomId(), to ? to.user.id : randomId()] as const;
  const post = posts.find(({ userId }) => userId === ids[1]);
  const said = [[0, greeting(post?.title ?? "Looking for a fifth")] as const, ...lines];
  const lastAt = now.getTime() - age;
  const momentOf = (index: number) => new Date(lastAt - (said.length - 1 - index) * pace);
  const conversationId = uuidv7(momentOf(0).getTime());
  const last = said.at(-1) as (typeof said)[number];
  const [lastSender, preview] = [ids[last[0]], previewOf(last[1])];
  // The last writer has read everything.
  const reader = last[0] === 0 ? 1 : 0;

  made.conversations.push({
    id: conversationId,
    pairKey: pairKey(ids[0], ids[1]),
    lastSeq: said.length,
    lastPreview: preview,
    lastSenderId: lastSender,
    lastMessageAt: momentOf(said.length - 1),
    createdAt: momentOf(0),
  });
  for (const [side, player] of [from, to].entries()) {
    if (!player) continue;
    const unreadCount = side === reader ? unread : 0;
    made.members.push({
      conversationId,
      userId: player.user.id,
      listedAt: momentOf(said.length - 1),
      unreadCount,
      lastReadSeq: said.length - unreadCount,
      hasWritten: said.some(([writer]) => writer === side),
      joinedAt: momentOf(0),
    });
  }
  for (const [index, [side, content]] of said.entries()) {
    made.messages.push({
      id: uuidv7(momentOf(index).getTime()),
      conversationId,
      seq: index + 1,
      senderId: [from, to][side] ? ids[side] : null,
      receiverId: ids[side === 0 ? 1 : 0],
      content,
      postId: index === 0 ? (post?.id ?? null) : null,
      createdAt: momentOf(index),
    });
  }
  const writer = [from, to][last[0]];
  if (unread > 0 && writer) {
    made.notifications.push({
      id: uuidv7(lastAt),
      userId: ids[reader],
      kind: "message",
      subject: subjectOf("conversation", conversationId),
      data: { name: writer.profile.riotGameName ?? `Player ${lastSender.slice(0, 8)}`, preview, count: unread },
      createdAt: new Date(lastAt),
    });
  }
}
