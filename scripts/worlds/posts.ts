import { POST_LIFETIME, searchTextOf } from "../../app/features/lfg/rules";
import { RANKS, type Rank, rankPosition } from "../../app/game/ranks";
import type { Role } from "../../app/game/roles";
import { HOUR, MINUTE } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import type { lfgPosts } from "../../db/schema";
import { seenSlot } from "../../db/words/presence";
import { POST_TEXTS, type PostText } from "./copy";
import type { Player } from "./players";
import { Random } from "./random";

export type Post = typeof lfgPosts.$inferInsert;

/** The text, requirements and times that `makePost` turns into a post. */
interface Sketch extends PostText {
  /** When it was made, in milliseconds before now. */
  age: number;
  rank?: Rank | undefined;
  role?: Role;
  /** When it was bumped, in milliseconds before now. */
  bumpedAge?: number;
  /** When its author closed it, in milliseconds before now. */
  closedAge?: number;
  /** Expired, and not yet closed by the cron. */
  unswept?: boolean;
}

/**
 * The demo world's posts, each with its author's number: an open one for each of the first six players, then closed and
 * expired ones.
 */
const DEMO: readonly (readonly [number, Sketch])[] = [
  [
    1,
    {
      ...text(0),
      age: 2 * HOUR - 10 * MINUTE,
      rank: "Platinum 1",
      message:
        "I call early and nobody shouts. Haven and Lotus most nights, 19:00 to 23:00 CET, and we stop after two losses in a row.",
    },
  ],
  [2, { ...text(1), age: 4 * HOUR + 5 * MINUTE, rank: "Gold 1" }],
  [3, { ...text(2), age: 5 * HOUR + 12 * MINUTE }],
  [
    4,
    {
      ...text(3),
      age: 6 * HOUR - 8 * MINUTE,
      title: "One for scrims, Immortal 3 and up",
      message: "Practice partner for aim duels and retakes, two evenings a week.",
      role: "Sentinel",
      rank: "Immortal 3",
    },
  ],
  [5, { ...text(4), age: 15 * HOUR, bumpedAge: 9 * HOUR }],
  [6, { ...text(5), age: 14 * HOUR + 20 * MINUTE }],
  [7, { ...text(6), age: 7 * HOUR, closedAge: 3 * HOUR, rank: "Diamond 1" }],
  [8, { ...text(20), age: 18 * HOUR, closedAge: 17 * HOUR }],
  [2, { ...text(13), age: 19 * HOUR, closedAge: 12 * HOUR }],
  [9, { ...text(8), age: 25 * HOUR, unswept: true }],
  [1, { ...text(10), age: 31 * HOUR }],
  [4, { ...text(23), age: 50 * HOUR, rank: "Ascendant 1" }],
];

export function demoPosts(players: readonly Player[], now: Date): Post[] {
  return DEMO.map(([number, sketch]) => makePost(players[number - 1] as Player, sketch, now));
}

/**
 * Builds the demo world's posts, and more by players 13 and up, so that `open` posts are open and as many are closed or
 * expired. Players 7 to 12 still have no open post.
 */
export function busyPosts(players: readonly Player[], now: Date, open: number): Post[] {
  const random = new Random(2024);
  const posts = demoPosts(players, now);
  const demoOpen = posts.filter(({ isActive, expiresAt }) => isActive && expiresAt > now).length;
  const authors = players.slice(12);
  for (let number = demoOpen; number < open; number += 1) {
    const author = authors[(number * 3) % authors.length] as Player;
    const age = Math.round(((number + random.next()) / open) * 20 * HOUR);
    const bumped = age > 2 * HOUR && random.chance(0.1) && { bumpedAge: random.between(5 * MINUTE, age - HOUR) };
    posts.push(makePost(author, { ...sketchFor(author, random), age, ...bumped }, now));
  }
  while (posts.length < open * 2) {
    const author = random.pick(authors);
    const closed = random.chance(0.6);
    const age = closed ? random.between(2 * HOUR, 20 * HOUR) : random.between(25 * HOUR, 30 * 24 * HOUR);
    posts.push(
      makePost(
        author,
        { ...sketchFor(author, random), age, ...(closed && { closedAge: random.between(HOUR, age) }) },
        now,
      ),
    );
  }
  return posts;
}

function sketchFor({ profile }: Player, random: Random): Omit<Sketch, "age"> {
  const position = profile.currentRank ? rankPosition(profile.currentRank) : 9;
  const rank = random.chance(0.65) ? RANKS[Math.max(0, position - random.between(0, 4))] : undefined;
  return { ...random.pick(POST_TEXTS), rank };
}

export function makePost({ user, profile }: Player, sketch: Sketch, now: Date): Post {
  const ago = (age: number) => new Date(now.getTime() - age);
  const { title, message = null, age, bumpedAge, closedAge, unswept = false } = sketch;
  const createdAt = ago(age);
  const listedAt = bumpedAge === undefined ? createdAt : ago(bumpedAge);
  const expiresAt = new Date(createdAt.getTime() + POST_LIFETIME);
  const expired = expiresAt <= now;
  const endedAt = closedAge !== undefined ? ago(closedAge) : expired && !unswept ? expiresAt : null;
  return {
    id: uuidv7(createdAt.getTime()),
    userId: user.id,
    title,
    message,
    neededPlayers: sketch.neededPlayers,
    requiredRank: sketch.rank ?? null,
    requiredRole: sketch.role ?? null,
    region: profile.region ?? null,
    voiceComms: profile.voiceCommsPreference ?? null,
    searchText: searchTextOf({ title, message }),
    isActive: endedAt === null,
    closedAt: closedAge === undefined ? null : ago(closedAge),
    createdAt,
    listedAt,
    expiresAt,
    updatedAt: endedAt ?? listedAt,
    ...(isSeen(user.email) ? seenAt(ago(MINUTE)) : {}),
  };
}

const seenAt = (authorSeenAt: Date) => ({
  authorState: "online" as const,
  authorSeenAt,
  authorSlot: seenSlot("online", authorSeenAt.getTime()),
});

/** One author in four was just seen; the others have no presence on their posts. */
const isSeen = (email: string) => Number(/\d+/.exec(email)?.[0]) % 4 === 1;

function text(index: number): PostText {
  return POST_TEXTS[index] as PostText;
}
