import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, presence, profiles, teamReady } from "#db/schema";
import type { PresenceState } from "#party/wire/presence";
import { blockBetween, pictureFor } from "~/features/blocks/shared/blocks.server";
import { isOpenPost } from "~/features/lfg/shared/post-state.server";
import { currentPresence } from "~/features/messages/rules";
import { nameOf } from "~/features/players/shared/name.server";
import {
  type PlayerSummary,
  readSummary,
  type SummaryRow,
  summaryColumns,
} from "~/features/players/shared/summary.server";
import { type Rank, rankAt } from "~/game/ranks";
import type { Role } from "~/game/roles";
import { isInTeam, type TeamRef } from "./room/membership.server";
import { type JoinState, sayMisfit } from "./rules";
import { awaitsAnswer } from "./shared/request-news.server";
import { isApart } from "./spots.server";

const aRow = alias(joinRequests, "a");
const ownPost = alias(lfgPosts, "own");
const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/** Maximum number of requests that the author sees at a time, oldest first. Answering some reveals later ones. */
const REQUESTS_SHOWN = 50;

/** A player's own request to join a post. */
export interface OwnRequest {
  state: JoinState;
  role: Role | null;
  note: string | null;
  /** Whether they were in the team when its session ended. */
  hasPlayed: boolean;
}

/** Finds the viewer's request to join a post; undefined if there is none. */
export async function findOwnRequest(db: Database, postId: string, userId: string): Promise<OwnRequest | undefined> {
  const [request] = await db.all<Omit<OwnRequest, "hasPlayed"> & { hasPlayed: number }>(sql`
    SELECT ${joinRequests.state},
      ${joinRequests.role}, ${joinRequests.note}, ${joinRequests.playedAt} IS NOT NULL AS hasPlayed FROM ${joinRequests}
    WHERE ${joinRequests.postId} = ${postId} AND ${joinRequests.userId} = ${userId}`);
  return request && { ...request, hasPlayed: Boolean(request.hasPlayed) };
}

/** A request waiting for the author's answer. */
export interface JoinRequest extends PlayerSummary {
  id: string;
  /** The role they would play. */
  role: Role | null;
  note: string | null;
  /** Whether there is a block between them and someone in the team. */
  isApart: boolean;
}

/**
 * Lists the unanswered requests to join a post, for its author alone. Leaves out players who have blocked the author or
 * are blocked by them.
 */
export async function listRequests(db: Database, postId: string, userId: string): Promise<JoinRequest[]> {
  const rows = await db.all<SummaryRow & { id: string; role: Role | null; note: string | null; isApart: number }>(sql`
    SELECT ${r.id} AS id, ${r.userId} AS userId, ${r.role} AS role, ${r.note} AS note,
      ${isApart(postId, sql`${r.userId}`)} AS isApart, ${summaryColumns(userId)}
    FROM ${joinRequests} AS ${r} LEFT JOIN ${profiles} ON ${profiles.userId} = ${r.userId}
    WHERE ${r.postId} = ${postId} AND ${awaitsAnswer(r, userId)}
      AND EXISTS (SELECT 1 FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${r.postId} AND ${p.userId} = ${userId})
    ORDER BY ${r.createdAt} LIMIT ${REQUESTS_SHOWN}`);
  return rows.map((row) => ({
    ...readSummary(row),
    id: row.id,
    role: row.role,
    note: row.note,
    isApart: Boolean(row.isApart),
  }));
}

/** Maximum number of requests per post that its author can answer without opening the post's own page. */
const BRIEF_REQUESTS = 3;

/** A request that the author can answer without opening the post's own page: the player, and their note. */
export interface BriefRequest {
  id: string;
  userId: string;
  name: string;
  rank: Rank | null;
  role: Role | null;
  note: string | null;
  /** The post's requirements that they don't meet, in words. */
  misfit: string;
}

/**
 * Lists the oldest unanswered requests to join each of a player's open posts. Leaves out players who have blocked the
 * author or are blocked by them.
 * @param askerId lists only this player's requests
 * @returns each post's title and requests, keyed by the post's id
 */
export async function listBriefRequests(
  db: Database,
  authorId: string,
  now: Date,
  askerId?: string,
): Promise<Map<string, { title: string; requests: BriefRequest[] }>> {
  const rows = await db.all<{
    postId: string;
    title: string;
    requiredRank: number | null;
    requiredRole: Role | null;
    requests: string;
  }>(sql`
    SELECT ${p.id} AS postId, ${p.title} AS title, ${p.requiredRank} AS requiredRank,
      ${p.requiredRole} AS requiredRole, (
      SELECT json_group_array(json_object('id', id, 'userId', userId, 'name', name, 'rank', rank, 'role', role,
        'note', note)) FROM (
        SELECT ${r.id} AS id, ${r.userId} AS userId, ${nameOf(sql`${r.userId}`)} AS name, ${r.role} AS role,
          ${r.note} AS note, ${profiles.currentRank} AS rank
        FROM ${joinRequests} AS ${r} LEFT JOIN ${profiles} ON ${profiles.userId} = ${r.userId}
        WHERE ${r.postId} = ${p.id} AND ${awaitsAnswer(r, authorId)}
          ${askerId === undefined ? sql`` : sql`AND ${r.userId} = ${askerId}`}
        ORDER BY ${r.createdAt} LIMIT ${BRIEF_REQUESTS}
      )
    ) AS requests
    FROM ${lfgPosts} AS ${p}
    WHERE ${p.userId} = ${authorId} AND ${isOpenPost(now.getTime(), p)}`);
  return new Map(
    rows.map(({ postId, title, requests, requiredRole, ...row }) => {
      const wanted = { requiredRank: rankAt(row.requiredRank), requiredRole };
      const asking = JSON.parse(requests) as (Omit<BriefRequest, "rank" | "misfit"> & { rank: number | null })[];
      const present = (request: (typeof asking)[number]): BriefRequest => {
        const rank = rankAt(request.rank);
        return { ...request, rank, misfit: sayMisfit({ ...request, rank }, wanted) };
      };
      return [postId, { title, requests: asking.map(present) }];
    }),
  );
}

/** A member of a team, as the other members see them. */
export interface TeamMember extends PlayerSummary {
  /** The role they asked for, otherwise their usual one. */
  role: Role | null;
  riotId: string | null;
  discordTag: string | null;
  /** The accepted request; null for the author. */
  requestId: string | null;
  /** Whether they have pressed `Ready` for the session. */
  isReady: boolean;
}

/**
 * Lists the team of a post, its author first; empty for viewers outside the team, and until someone has joined. Riot ID
 * and Discord tag are null if there is a block between the member and the viewer, since an author may have accepted a
 * player despite a block.
 */
export async function listTeam(db: Database, team: TeamRef, userId: string): Promise<TeamMember[]> {
  const isBlocked = blockBetween(sql`member.userId`, userId);
  const rows = await db.all<
    SummaryRow & {
      requestId: string | null;
      joinedAt: number;
      role: Role | null;
      discordTag: string | null;
      sharedRiotId: string | null;
      isReady: number;
    }
  >(sql`
    SELECT member.userId AS userId, member.requestId AS requestId, member.joinedAt AS joinedAt,
      coalesce(member.role, ${profiles.preferredRole}) AS role,
      iif(${isBlocked}, NULL, ${profiles.discordTag}) AS discordTag,
      iif(${isBlocked}, NULL, ${profiles.riotId}) AS sharedRiotId,
      EXISTS (SELECT 1 FROM ${teamReady} WHERE ${teamReady.postId} = member.postId
        AND ${teamReady.userId} = member.userId) AS isReady,
      ${summaryColumns(userId)}
    FROM (
      SELECT ${p.id} AS postId, ${p.userId} AS userId, NULL AS requestId, NULL AS role, 0 AS joinedAt
        FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${team}
      UNION ALL
      SELECT ${r.postId}, ${r.userId}, ${r.id}, ${r.role}, ${r.decidedAt} FROM ${joinRequests} AS ${r}
      WHERE ${r.postId} = ${team} AND ${r.state} = 'accepted'
    ) AS member
    JOIN ${lfgPosts} AS ${ownPost} ON ${ownPost.id} = member.postId
    LEFT JOIN ${profiles} ON ${profiles.userId} = member.userId
    WHERE ${isInTeam(ownPost, userId)}`);
  return rows
    .sort((a, b) => a.joinedAt - b.joinedAt)
    .map((row) => ({
      ...readSummary(row),
      role: row.role,
      riotId: row.sharedRiotId,
      discordTag: row.discordTag,
      requestId: row.requestId,
      isReady: Boolean(row.isReady),
    }));
}

/** Maximum number of the viewer's teams that a page shows. */
const OWN_TEAMS = 3;
/** How many of a player's latest posts, and of their latest memberships, are searched for teams. */
const SEARCHED = 20;

/** One of the viewer's teams, whose session isn't over yet. */
export interface OwnTeam {
  id: string;
  title: string;
  openSpots: number;
  role: Role | null;
  conversationId: string;
  /** The author first. Across a block no presence is shown, and the blocker doesn't see the other's picture. */
  members: { userId: string; name: string; picture: string | null; presence: PresenceState; isReady: boolean }[];
}

/**
 * Lists the teams that a player is in, as author or member, until their session is over: first those that are playing,
 * the latest first, and then those whose posts close first. The cost doesn't grow with the player's history.
 * @returns at most `OWN_TEAMS` teams, and whether there are more
 */
export async function listOwnTeams(
  db: Database,
  userId: string,
  now: Date,
): Promise<{ teams: OwnTeam[]; hasMore: boolean }> {
  const rows = await db.all<Omit<OwnTeam, "members"> & PlayingTime & { members: string }>(sql`
    SELECT ${p.id} AS id, ${p.title} AS title, ${p.neededPlayers} - ${p.takenSpots} AS openSpots,
      ${p.requiredRole} AS role, ${p.conversationId} AS conversationId,
      coalesce(${p.filledAt}, ${p.closedAt}) AS playingSince, ${p.expiresAt} AS expiresAt, (
        SELECT json_group_array(json_object(
          'userId', member.userId, 'joinedAt', member.joinedAt, 'name', ${nameOf(sql`member.userId`)},
          'picture', ${pictureFor(userId, profiles.userId, profiles.avatarId)},
          'state', ${presence.state}, 'seenAt', ${presence.seenAt},
          'isBlocked', ${blockBetween(sql`member.userId`, userId)},
          'isReady', EXISTS (SELECT 1 FROM ${teamReady} WHERE ${teamReady.postId} = ${p.id}
            AND ${teamReady.userId} = member.userId)
        )) FROM (
          SELECT ${p.userId} AS userId, 0 AS joinedAt
          UNION ALL
          SELECT ${r.userId}, ${r.decidedAt} FROM ${joinRequests} AS ${r}
          WHERE ${r.postId} = ${p.id} AND ${r.state} = 'accepted'
        ) AS member
        LEFT JOIN ${profiles} ON ${profiles.userId} = member.userId
        LEFT JOIN ${presence} ON ${presence.userId} = member.userId
      ) AS members
    FROM (
      SELECT id FROM (
        SELECT ${ownPost.id} AS id FROM ${lfgPosts} AS ${ownPost} WHERE ${ownPost.userId} = ${userId}
        ORDER BY ${ownPost.id} DESC LIMIT ${SEARCHED}
      )
      UNION ALL
      SELECT id FROM (
        SELECT ${aRow.postId} AS id FROM ${joinRequests} AS ${aRow}
        WHERE ${aRow.userId} = ${userId} AND ${aRow.state} = 'accepted'
        ORDER BY ${aRow.createdAt} DESC LIMIT ${SEARCHED}
      )
    ) AS mine JOIN ${lfgPosts} AS ${p} ON ${p.id} = mine.id
    WHERE ${p.takenSpots} > 0 AND ${p.sessionEndedAt} IS NULL AND ${p.hiddenAt} IS NULL
      AND ${p.conversationId} IS NOT NULL`);
  const shown = rows.sort(byPlayingTime).slice(0, OWN_TEAMS);
  const teams = shown.map(({ playingSince, expiresAt, ...row }) => ({
    ...row,
    members: (JSON.parse(row.members) as MemberRow[])
      .sort((a, b) => a.joinedAt - b.joinedAt)
      .map(({ userId: id, name, picture, state, seenAt, isBlocked, isReady }) => ({
        userId: id,
        name,
        picture,
        presence: currentPresence(state && !isBlocked ? { state, seenAt } : null, now.getTime()),
        isReady: Boolean(isReady),
      })),
  }));
  return { teams, hasMore: rows.length > OWN_TEAMS };
}

/** When a team plays; in milliseconds since 1970. */
interface PlayingTime {
  /** When its session began; null while its post is open. */
  playingSince: number | null;
  expiresAt: number;
}

/** Sorts teams that are playing first, the latest first, and then those whose posts close first. */
const byPlayingTime = (a: PlayingTime, b: PlayingTime): number =>
  (b.playingSince ?? 0) - (a.playingSince ?? 0) || a.expiresAt - b.expiresAt;

interface MemberRow {
  userId: string;
  joinedAt: number;
  name: string;
  picture: string | null;
  state: PresenceState | null;
  seenAt: number;
  isBlocked: number;
  isReady: number;
}
