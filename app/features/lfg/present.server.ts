import { formatDistanceStrict } from "date-fns";
import { currentPresence, shortAgo } from "~/features/messages/rules";
import { displayName, initial } from "~/features/players/rules";
import { type Match, type MatchProfile, type MatchReason, match, strongest } from "~/features/players/shared/match";
import { type MatchClock, matchProfileOf, NO_PROFILE } from "~/features/players/shared/match-profile";
import { type VerifiedMark, verifiedMark } from "~/features/riot/rules";
import type { JoinState } from "~/features/teams/rules";
import { hasSpotFor } from "~/features/teams/shared/standing.server";
import type { Agent } from "~/game/agents";
import type { Rank } from "~/game/ranks";
import type { Region } from "~/game/regions";
import type { Role } from "~/game/roles";
import type { Clock } from "~/platform/dates/dates";
import { type ShownMoment, showMoment, soonTime, timeLeft } from "~/platform/dates/time";
import type { Presence } from "~/ui/avatar";
import type { PostRow } from "./queries.server";
import { BUMP_INTERVAL, isOpen } from "./rules";

/** A post as pages show it: only data that others may see, with times in words. */
export interface PostView {
  id: string;
  title: string;
  message: string | null;
  /** The number of players that the post still needs. */
  openSpots: number;
  takenSpots: number;
  requiredRank: Rank | null;
  requiredRole: Role | null;
  region: Region | null;
  isOpen: boolean;
  listed: ShownMoment;
  timeLeft: string;
  /** When it closes, in the reader's time zone: "tomorrow, 14:20". */
  closes: string;
  /** The time until it can be bumped: in words, as "12 minutes", and in milliseconds. Null if it can be bumped now. */
  bumpIn: { words: string; duration: number } | null;
  author: {
    id: string;
    name: string;
    letter: string;
    /** The key of the author's picture; null without one. */
    picture: string | null;
    verified: VerifiedMark | null;
    rank: Rank | null;
    role: Role | null;
    agents: Agent[];
    /** Whether they are online; null if the post isn't open, or the viewer may not see it. */
    presence: { state: Presence; words: string } | null;
  };
  /** The reasons why the post fits the viewer or doesn't; empty for visitors, for its author and for its team. */
  reasons: MatchReason[];
  /** Whether the open spots are drawn as the viewer's: see `fitsViewer`. */
  fits: boolean;
}

/** An object in which properties that may be null may also be absent. */
type Sparse<Whole> = {
  [Name in keyof Whole as null extends Whole[Name] ? never : Name]: Whole[Name];
} & {
  [Name in keyof Whole as null extends Whole[Name] ? Name : never]?: Whole[Name] | undefined;
};

/** A reason on a card: whether the post fits, and the sentence. */
type CardReason = readonly [fits: boolean, text: string];

/** A post as its card needs it: the parts that change while the page is open, and the details, which don't. */
export type CardView = Sparse<Pick<PostView, "id" | "openSpots" | "isOpen" | "requiredRole">> & {
  /** Absent for none. */
  takenSpots?: number;
  /** Absent for false. */
  fits?: boolean;
  /** This and the details are missing in the browser until the first navigation: see `Prerendered`. */
  listed?: ShownMoment;
  details?: CardDetails;
};

type CardDetails = Sparse<Pick<PostView, "title" | "message" | "requiredRank" | "region" | "timeLeft">> & {
  author: Sparse<PostView["author"]>;
  reasons: readonly CardReason[];
};

/** The relation of the viewer to a post. */
interface Relation {
  isOwn: boolean;
  /** The state of their request to join; null if there is none. */
  asked: JoinState | null;
  /** From `matchPost`; null for visitors and for the viewer's own posts. */
  match: Match | null;
  /** Whether they may see the author's presence: a player who isn't the author, without a block between the two. */
  seesPresence: boolean;
}

/** The relation of a visitor, about whom nothing is known. */
const VISITOR: Relation = { isOwn: false, asked: null, match: null, seesPresence: false };

/**
 * Whether an open spot could become the viewer's. Every page then draws it solid, in sky blue. The post must be someone
 * else's, the state of the viewer's request must leave them a spot, and the post's requirements and the queue's rules
 * must allow them.
 */
const fitsViewer = ({ isOwn, asked, match }: Relation): boolean =>
  !isOwn && hasSpotFor(asked) && !match?.ruledOut && !match?.against.some(({ about }) => about === "role");

/** Returns how well a post's author and requirements fit the viewer. */
export function matchPost(post: PostRow, viewer: MatchProfile, clock: MatchClock): Match {
  const author = matchProfileOf(post.author ?? NO_PROFILE, clock);
  return match(viewer, author, {
    rank: post.requiredRank,
    role: post.requiredRole,
    region: post.region,
    partySize: post.neededPlayers + 1,
  });
}

/** Presents whether a post's author is online: "Online", "Away", "Last seen 2 h ago". */
function authorPresence({ authorState, authorSeenAt }: PostRow, now: number): PostView["author"]["presence"] {
  if (!authorState || !authorSeenAt) return null;
  const seenAt = authorSeenAt.getTime();
  const state = currentPresence({ state: authorState, seenAt }, now);
  if (state === "offline") return { state: "none", words: `Last seen ${shortAgo(seenAt, now)}` };
  return { state, words: state === "online" ? "Online" : "Away" };
}

/** Returns how long until a post can be bumped, in words rounded up to minutes. */
function bumpIn(listedAt: Date, now: Date): PostView["bumpIn"] {
  const duration = listedAt.getTime() + BUMP_INTERVAL - now.getTime();
  if (duration <= 0) return null;
  return { words: formatDistanceStrict(duration, 0, { unit: "minute", roundingMethod: "ceil" }), duration };
}

/**
 * Presents a post.
 * @param relation the viewer's; left out for visitors
 * @param reasons how many of the match's reasons to show
 */
export function presentPost(post: PostRow, clock: Clock, relation = VISITOR, reasons = 2): PostView {
  const { author } = post;
  const open = isOpen(post, clock.now);
  const name = displayName({
    userId: post.userId,
    riotGameName: author?.riotGameName ?? null,
    riotId: author?.riotId ?? null,
  });
  return {
    id: post.id,
    title: post.title,
    message: post.message,
    openSpots: post.neededPlayers - post.takenSpots,
    takenSpots: post.takenSpots,
    requiredRank: post.requiredRank,
    requiredRole: post.requiredRole,
    region: post.region,
    isOpen: open,
    listed: showMoment(post.listedAt, clock),
    timeLeft: timeLeft(post.expiresAt, clock.now),
    closes: soonTime(post.expiresAt, clock),
    bumpIn: bumpIn(post.listedAt, clock.now),
    author: {
      id: post.userId,
      name,
      letter: initial(name),
      picture: author?.avatarId ?? null,
      verified: verifiedMark({ verified: author?.riotVerifiedAt != null, riotProven: author?.riotProvenAt != null }),
      rank: author?.currentRank ?? null,
      role: author?.preferredRole ?? null,
      agents: author?.mainAgents ?? [],
      presence: open && relation.seesPresence ? authorPresence(post, clock.now.getTime()) : null,
    },
    reasons: relation.match && relation.asked !== "accepted" ? strongest(relation.match, reasons) : [],
    fits: fitsViewer(relation),
  };
}

/** Leaves out what a card doesn't need, and each null. */
export function cardOf({ id, openSpots, takenSpots, isOpen, fits, requiredRole, listed, ...post }: PostView) {
  const { title, message, requiredRank, region, timeLeft, author, reasons } = post;
  return {
    ...withoutNulls({ id, openSpots, isOpen, requiredRole }),
    ...(takenSpots > 0 && { takenSpots }),
    ...(fits && { fits }),
    listed,
    details: {
      ...withoutNulls({ title, message, requiredRank, region, timeLeft }),
      author: withoutNulls(author),
      reasons: reasons.map(({ fits, text }) => [fits, text] as const),
    },
  } satisfies CardView;
}

const withoutNulls = <Whole extends object>(whole: Whole) =>
  Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== null)) as Sparse<Whole>;
