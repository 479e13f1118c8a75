import { and, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isMarkedSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, profiles, userFeedback, users } from "#db/schema";
import { haveMet } from "~/features/encounters/shared/met.server";
import { shownTitle } from "~/features/lfg/shared/hide-post.server";
import { displayName, UNKNOWN_PLAYER } from "~/features/players/rules";
import {
  type PlayerSummary,
  readSummary,
  type SummaryRow,
  summaryColumns,
} from "~/features/players/shared/summary.server";
import type { Role } from "~/game/roles";
import { type Cursor, type Page, pageOf } from "~/platform/lists/keyset";
import { planWalk } from "~/platform/lists/keyset.server";
import { type FeedbackTag, type OwnFeedback, REVIEWS_PER_PAGE, type Stars } from "./rules";
import { isShown } from "./shared/visible-reviews.server";

const f = alias(userFeedback, "f");
const latest = alias(userFeedback, "latest");
const p = alias(lfgPosts, "p");
const post = alias(lfgPosts, "post");
const r = alias(joinRequests, "r");

/** The latest feedback from one player for another; `me` and `them` are SQL expressions. */
const lastGiven = (me: SQL, them: SQL) => sql`(
  SELECT ${latest.id} FROM ${userFeedback} AS ${latest}
  WHERE ${latest.reviewerId} = ${me} AND ${latest.reviewedId} = ${them} ORDER BY ${latest.createdAt} DESC LIMIT 1
)`;

interface OwnColumns {
  id: string | null;
  rating: Stars;
  comment: string | null;
  tags: string | null;
  createdAt: number;
  updatedAt: number;
  dueAt: number;
  revealedAt: number | null;
  isHidden: number;
}

const ownColumns = sql`
  ${f.id} AS id, ${f.rating} AS rating, ${f.comment} AS comment, ${f.tags} AS tags, ${f.createdAt} AS createdAt,
    ${f.updatedAt} AS updatedAt, ${f.dueAt} AS dueAt, ${f.revealedAt} AS revealedAt,
    ${f.hiddenAt} IS NOT NULL AS isHidden`;

const ownOf = ({
  id,
  rating,
  comment,
  tags,
  createdAt,
  updatedAt,
  dueAt,
  revealedAt,
  isHidden,
}: OwnColumns): OwnFeedback | null =>
  id === null
    ? null
    : {
        id,
        rating,
        comment,
        tags: parseTags(tags),
        createdAt,
        updatedAt,
        dueAt,
        revealedAt,
        isHidden: Boolean(isHidden),
      };

const parseTags = (json: string | null) => (json === null ? [] : (JSON.parse(json) as FeedbackTag[]));

/**
 * Finds whether a player may give another feedback, and the latest that they gave. Blocks don't matter: otherwise a
 * player could avoid bad feedback by blocking first.
 */
export async function findGivenFeedback(
  db: Database,
  reviewerId: string,
  reviewedId: string,
): Promise<{ mayReview: boolean; last: OwnFeedback | null }> {
  const [row] = await db.all<OwnColumns & { mayReview: number }>(sql`
    SELECT ${haveMet(sql`${reviewerId}`, sql`${reviewedId}`)} AS mayReview, ${ownColumns}
    FROM (SELECT 1) LEFT
      JOIN ${userFeedback} AS ${f} ON ${f.id} = ${lastGiven(sql`${reviewerId}`, sql`${reviewedId}`)}`);
  return { mayReview: Boolean(row?.mayReview), last: row ? ownOf(row) : null };
}

/** A player of a session, as the feedback page shows them. */
interface SessionPlayer extends PlayerSummary {
  role: Role | null;
  /** The viewer's latest feedback for them. */
  last: OwnFeedback | null;
}

/** Finds a finished session and the players that the viewer played with; undefined if the viewer wasn't in it. */
export async function findSession(
  db: Database,
  postId: string,
  viewerId: string,
): Promise<{ title: string; endedAt: number; players: SessionPlayer[] } | undefined> {
  const rows = await db.all<
    OwnColumns & SummaryRow & { title: string; endedAt: number; joinedAt: number; role: Role | null }
  >(sql`
    SELECT iif(${post.userId} = ${viewerId}, ${post.title}, ${shownTitle(post)}) AS title,
      ${post.sessionEndedAt} AS endedAt, player.user_id AS userId,
      player.joined_at AS joinedAt,
      ${profiles.preferredRole} AS role, ${summaryColumns(viewerId)}, ${ownColumns}
    FROM (
      SELECT ${p.id} AS post_id, ${p.userId} AS user_id, 0 AS joined_at FROM ${lfgPosts} AS ${p}
        WHERE ${p.id} = ${postId}
      UNION ALL
      SELECT ${r.postId}, ${r.userId}, ${r.decidedAt} FROM ${joinRequests} AS ${r}
      WHERE ${r.postId} = ${postId} AND ${r.playedAt} IS NOT NULL
    ) AS player
    JOIN ${lfgPosts} AS ${post} ON ${post.id} = player.post_id
    LEFT JOIN ${profiles} ON ${profiles.userId} = player.user_id
    LEFT JOIN ${userFeedback} AS ${f} ON ${f.id} = ${lastGiven(sql`${viewerId}`, sql`player.user_id`)}
    WHERE ${post.sessionEndedAt} IS NOT NULL`);
  const [first] = rows;
  // If only the author remains, no session took place: everyone who had joined left before.
  if (!first || rows.length < 2 || !rows.some(({ userId }) => userId === viewerId)) return undefined;
  return {
    title: first.title,
    endedAt: first.endedAt,
    players: rows
      .filter(({ userId }) => userId !== viewerId)
      .sort((a, b) => a.joinedAt - b.joinedAt)
      .map((row) => ({
        ...readSummary(row),
        role: row.role,
        last: ownOf(row),
      })),
  };
}

/** A review as everyone sees it. */
export interface Review {
  id: string;
  /** Null if the account has been deleted. */
  reviewerId: string | null;
  /** `Unknown User` if the account has been deleted. */
  name: string;
  /** Whether the reviewer has a page: not if the account has been deleted or is suspended. */
  hasPage: boolean;
  rating: Stars;
  comment: string | null;
  tags: FeedbackTag[];
  /** Milliseconds since 1970. */
  revealedAt: number;
}

interface ReviewColumns {
  id: string;
  reviewerId: string | null;
  riotId: string | null;
  riotGameName: string | null;
  hasPage: number;
  rating: Stars;
  comment: string | null;
  tags: string | null;
  revealedAt: number;
}

const reviewColumns = sql`
  ${f.id} AS id, ${f.reviewerId} AS reviewerId, ${profiles.riotId} AS riotId, ${profiles.riotGameName} AS riotGameName,
  EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${f.reviewerId} AND NOT ${isMarkedSuspended(users)}) AS hasPage,
  ${f.rating} AS rating, ${f.comment} AS comment, ${f.tags} AS tags, ${f.revealedAt} AS revealedAt`;

const reviewOf = ({ riotId, riotGameName, ...row }: ReviewColumns): Review => ({
  ...row,
  hasPage: Boolean(row.hasPage),
  name: row.reviewerId === null ? UNKNOWN_PLAYER : displayName({ userId: row.reviewerId, riotId, riotGameName }),
  tags: parseTags(row.tags),
});

/** Lists a page of a player's reviews, latest first. */
export async function listReviews(db: Database, userId: string, cursor: Cursor | null): Promise<Page<Review>> {
  const walk = planWalk(cursor, { key: sql`${f.revealedAt}`, id: sql`${f.id}` });
  const rows = await db.all<ReviewColumns>(sql`
    SELECT ${reviewColumns} FROM ${userFeedback} AS ${f} LEFT JOIN ${profiles} ON ${profiles.userId} = ${f.reviewerId}
    WHERE ${and(sql`${f.reviewedId} = ${userId}`, isShown, walk.from)}
    ORDER BY ${sql.join(walk.orderBy, sql`, `)} LIMIT ${REVIEWS_PER_PAGE + 1}`);
  const placeOf = ({ revealedAt, id }: Review) => ({ key: revealedAt, id });
  return pageOf({ found: rows.map(reviewOf), end: null }, REVIEWS_PER_PAGE, cursor, placeOf);
}

/** Counts a player's reviews by number of stars; omits numbers without reviews. */
export function countRatings(db: Database, userId: string): Promise<{ rating: Stars; count: number }[]> {
  return db.all(sql`
    SELECT ${f.rating} AS rating, count(*) AS count FROM ${userFeedback} AS ${f}
    WHERE ${f.reviewedId} = ${userId} AND ${isShown} GROUP BY ${f.rating}`);
}
