import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, joinRequests, lfgPosts, notifications } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { transact } from "#db/statements";
import { STORED_PRESENCE, setPresence } from "~/features/lfg/shared/author-presence.server";
import { shownTitle, titleFor } from "~/features/lfg/shared/hide-post.server";
import { authorVoice, mayOpenByItself } from "~/features/lfg/shared/open-posts.server";
import { isOpenPost, opensWhenFreed } from "~/features/lfg/shared/post-state.server";
import { forgetNews, notify, resolveOutdated } from "~/features/notifications/shared/notify.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { nameOf } from "~/features/players/shared/name.server";
import type { RequestReply } from "./commands.server";
import { leaveRoom } from "./room/clear.server";
import type { TeamRef } from "./room/membership.server";
import type { JoinState } from "./rules";
import { acceptedByP, countAccepted } from "./spots.server";

const g = alias(joinRequests, "g");
const ownRow = alias(lfgPosts, "own");
const p = alias(lfgPosts, "p");

/** The result of leaving a team, or of being removed from it. */
export interface Departure {
  postId: string;
  name: string;
  /** The team's conversation, which the player can no longer read. */
  conversationId: string | null;
  /** Whether the post is open now. */
  isOpen: boolean;
  /** The player who left or was removed. */
  playerId: string;
  /** The player who is notified of it. */
  recipientId: string;
}

/** The parts of a departure that open tabs are told of. */
export type AnnouncedDeparture = Pick<Departure, "postId" | "conversationId" | "playerId" | "recipientId">;

type LeaveOutcome =
  | ({ outcome: "gone" } & Departure)
  /** The player wasn't in the team. The name is null if the request no longer exists. */
  | { outcome: "absent"; name: string | null }
  /** There is no such post, or it has nothing to do with the player who pressed the button. */
  | { outcome: "missing" };

/**
 * Leaves a team, and notifies its author. Leaving twice has the same effect as leaving once.
 * @returns `missing` if there is no such post, or if the player has never asked to join
 */
export const leaveTeam = (db: Database, team: TeamRef, userId: string, now: number): Promise<LeaveOutcome> =>
  freeSpot(db, {
    team,
    request: sql`${g.userId} = ${userId}`,
    isKnown: sql`${g.id} IS NOT NULL`,
    state: "left",
    recipient: sql`${p.userId}`,
    title: shownTitle(p),
    by: sql`${userId}`,
    data: sql`json_object('title', to_tell.title, 'name', ${nameOf(sql`${userId}`)})`,
    now,
  });

/**
 * Removes a player from the author's team, and notifies the player. Removing twice has the same effect as removing
 * once.
 * @returns `missing` if there is no such post, or if it is another player's
 */
export const removeMember = (
  db: Database,
  { requestId, postId, authorId }: RequestReply,
  now: number,
): Promise<LeaveOutcome> =>
  freeSpot(db, {
    team: postId,
    request: sql`${g.id} = ${requestId} AND EXISTS (
      SELECT 1 FROM ${lfgPosts} AS ${ownRow} WHERE ${ownRow.id} = ${g.postId} AND ${ownRow.userId} = ${authorId}
    )`,
    isKnown: sql`${p.userId} = ${authorId}`,
    state: "removed",
    recipient: sql`${g.userId}`,
    // The player must be told even if they have blocked the author, but then not in the author's words.
    title: titleFor(sql`${g.userId}`, p),
    data: sql`json_object('title', to_tell.title, 'name', NULL)`,
    now,
  });

/**
 * Frees a spot, and removes the player from the team's conversation and its room; their messages stay. Marks as read
 * the news that they were accepted. A post that closed because its last spot was taken opens again. It stays closed if
 * it has expired, its session is over, moderators have hidden it or its author has closed it. If its author already has
 * three other posts open, may not post, or has an account that is suspended or about to be deleted, it stays closed
 * until its author reopens it.
 */
async function freeSpot(
  db: Database,
  change: {
    team: TeamRef;
    /** The request to end, as an SQL condition on `g`. */
    request: SQL;
    /** An SQL condition on `p` and `g`; false makes the outcome `missing`. `g` is NULL if there is no request. */
    isKnown: SQL;
    state: "left" | "removed";
    /** The player to notify, as an SQL expression on `g` and the post `p`. */
    recipient: SQL;
    /** The post's title for the news, as an SQL expression on `g` and `p`. */
    title: SQL;
    data: SQL;
    /** The player who caused it: see `News`. */
    by?: SQL;
    now: number;
  },
): Promise<LeaveOutcome> {
  const { team, request, state, now } = change;
  const fromRequest = sql`FROM ${joinRequests} AS ${g} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${g.postId}
    WHERE ${g.postId} = ${team} AND ${g.state} = ${state} AND ${request}`;
  const hasJustLeft = sql`${g.decidedAt} = ${now} AND ${p.takenSpots} <> ${acceptedByP}`;
  const subject = subjectSql("post", sql`${team}`);
  const leaver = sql`SELECT ${g.userId} ${fromRequest} AND ${hasJustLeft}`;
  const shouldOpen = opensWhenFreed(now);
  const opens = sql`(${shouldOpen} AND ${mayOpenByItself(now)})`;
  const { found } = await transact(db, {
    leave: db.run(sql`
      UPDATE ${joinRequests} AS ${g}
        SET ${bare(joinRequests.state)} = ${state}, ${bare(joinRequests.decidedAt)} = ${now}
      WHERE ${g.postId} = ${team} AND ${g.state} = 'accepted' AND ${request}`),
    leaveConversation: db.run(sql`
      DELETE FROM ${conversationMembers}
      WHERE (${conversationMembers.conversationId}, ${conversationMembers.userId}) IN (SELECT ${p.conversationId},
        ${g.userId} ${fromRequest} AND ${hasJustLeft})`),
    leaveRoom: leaveRoom(db, team, leaver),
    forgetNews: forgetNews(
      db,
      leaver,
      subjectSql(
        "conversation",
        sql`(SELECT ${lfgPosts.conversationId} FROM ${lfgPosts} WHERE ${lfgPosts.id} = ${team})`,
      ),
    ),
    resolveAccepted: resolveOutdated(
      db,
      sql`${notifications.userId} IN (${leaver}) AND ${notifications.kind} = ${newsKinds("join-accepted")}
        AND ${notifications.subject} = ${subject}`,
      now,
    ),
    tell: notify(db, {
      kind: "team-change",
      subject,
      data: change.data,
      ...(change.by && { by: change.by }),
      recipients: sql`SELECT ${change.recipient} AS user_id, ${change.title} AS title ${fromRequest} AND ${hasJustLeft}`,
      now,
    }),
    recount: db.run(sql`
      UPDATE ${lfgPosts} SET
        ${bare(lfgPosts.takenSpots)} = ${countAccepted(sql`${lfgPosts.id}`)},
        ${bare(lfgPosts.filledAt)} = iif(${opens}, NULL, ${lfgPosts.filledAt}),
        ${bare(lfgPosts.isActive)} = iif(${opens}, 1, ${lfgPosts.isActive}),
        ${bare(lfgPosts.closedAt)} = iif(${shouldOpen} AND NOT ${opens}, ${now}, ${lfgPosts.closedAt}),
        ${bare(lfgPosts.updatedAt)} = ${now}, ${bare(lfgPosts.voiceComms)} = ${authorVoice},
        ${setPresence(STORED_PRESENCE, opens)}
      WHERE ${lfgPosts.id} = ${team} AND EXISTS (SELECT 1 ${fromRequest} AND ${hasJustLeft})`),
    found: db.all<{
      postId: string;
      state: JoinState | null;
      name: string;
      conversationId: string | null;
      isOpen: number;
      playerId: string;
      recipientId: string;
    }>(sql`
      SELECT ${p.id} AS postId, ${g.state} AS state, ${nameOf(sql`${g.userId}`)} AS name,
        ${p.conversationId} AS conversationId, ${isOpenPost(now, p)} AS isOpen, ${g.userId} AS playerId,
        ${change.recipient} AS recipientId
      FROM ${lfgPosts} AS ${p} LEFT JOIN ${joinRequests} AS ${g} ON ${g.postId} = ${p.id} AND ${request}
      WHERE ${p.id} = ${team} AND ${change.isKnown}`),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  const { state: reached, ...departure } = row;
  if (reached !== state) return { outcome: "absent", name: reached && row.name };
  return { outcome: "gone", ...departure, isOpen: Boolean(row.isOpen) };
}
