import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { conversationMembers, conversations, joinRequests, lfgPosts, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { NO_PRESENCE, setPresence } from "~/features/lfg/shared/author-presence.server";
import { isOpenPost } from "~/features/lfg/shared/post-state.server";
import { isLimited, type Limited, limitedBy, readLimit } from "~/features/moderation/shared/limits.server";
import { notify, unreadSince } from "~/features/notifications/shared/notify.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { noteUnlessHidden } from "~/features/players/shared/hide-player.server";
import { nameOf } from "~/features/players/shared/name.server";
import type { Role } from "~/game/roles";
import type { RequestContext } from "~/platform/context";
import { prepareUsesOfEach } from "~/platform/limits/uses.server";
import { type JoinState, mayAsk, RENEWABLE } from "./rules";
import { joinNewsSubject, lapse } from "./shared/lapse-requests.server";
import { removeRequestNews, resolveNewsOfClosing, resolveRequestNews } from "./shared/request-news.server";
import { acceptedByP, countAccepted, hasOpenSpot, isApart, isFull } from "./spots.server";

const a = alias(joinRequests, "a");
const c = alias(conversations, "c");
const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

const list = (states: readonly JoinState[]) =>
  sql`(${sql.join(
    states.map((state) => sql`${state}`),
    sql`, `,
  )})`;

/** A request to join, as the form submits it. */
export interface NewRequest {
  id: string;
  postId: string;
  userId: string;
  role: Role | null;
  note: string | null;
}

export type AskOutcome =
  | { outcome: "asked"; authorId: string }
  /** No such post. */
  | { outcome: "missing" }
  /** It is the player's own post. */
  | { outcome: "own" }
  /** The state of an earlier request, which rules out another. */
  | { outcome: "pending" | "accepted" | "declined" | "removed" }
  | { outcome: "blocked" | "full" | "closed" }
  /** Another request already has the form's id: one sent from the same form, or someone else's. */
  | { outcome: "used" }
  /** The player's messaging is limited, so the request can't have a note. */
  | Limited;

/**
 * Asks for a spot in a post, and notifies its author: once a day at most, unless the last request lapsed. There is one
 * request per player and post, which is renewed if the rules allow it. Submitting the same form twice asks once. A note
 * whose words moderators have hidden is left out. One transaction.
 */
export async function requestToJoin(
  context: Writing & Pick<RequestContext, "env">,
  { id, postId, userId, role, note }: NewRequest,
): Promise<AskOutcome> {
  const { db } = context;
  const now = context.now.getTime();
  const isAsked = sql`${r.id} = ${id} AND ${r.postId} = ${postId} AND ${r.userId} = ${userId}
    AND ${r.state} = 'pending' AND ${r.createdAt} = ${now}`;
  const newsSubject = joinNewsSubject(r);
  const news = prepareUsesOfEach(
    context,
    "joinNews",
    sql`SELECT ${newsSubject} AS subject FROM ${joinRequests} AS ${r} WHERE ${isAsked}`,
  );
  const shownNote = noteUnlessHidden(userId, note);
  const mayWrite = note === null ? sql`1` : sql`NOT ${isLimited(userId, "messaging", now)}`;
  const { found, limits } = await transact(db, {
    ask: db.run(sql`
      INSERT INTO ${joinRequests} ${columnsOf(
        joinRequests,
        "id",
        "postId",
        "userId",
        "role",
        "note",
        "state",
        "createdAt",
      )}
      SELECT ${id}, ${p.id}, ${userId}, ${role}, ${shownNote}, 'pending', ${now} FROM ${lfgPosts} AS ${p}
      WHERE ${p.id} = ${postId} AND ${p.userId} <> ${userId} AND ${isOpenPost(now, p)} AND ${hasOpenSpot}
        AND NOT ${blockBetween(sql`${p.userId}`, userId)} AND ${mayWrite}
        AND NOT EXISTS (SELECT 1 FROM ${joinRequests} WHERE ${joinRequests.id} = ${id})
      ON CONFLICT ${columnsOf(joinRequests, "postId", "userId")} DO UPDATE SET
        ${bare(joinRequests.id)} = excluded.${bare(joinRequests.id)},
          ${bare(joinRequests.role)} = excluded.${bare(joinRequests.role)},
          ${bare(joinRequests.note)} = excluded.${bare(joinRequests.note)}, ${bare(joinRequests.state)} = 'pending',
        ${bare(joinRequests.createdAt)} = excluded.${bare(joinRequests.createdAt)},
          ${bare(joinRequests.decidedAt)} = NULL
      WHERE ${joinRequests.state} IN ${list(RENEWABLE)}`),
    // `changes()` refers to the statement above. The same form may have been sent twice within a millisecond.
    tell: notify(db, {
      kind: "join-request",
      subject: subjectSql("post", sql`${postId}`),
      data: sql`json_object('name', ${nameOf(sql`${userId}`)}, 'title', to_tell.title, 'since', to_tell.since)`,
      by: sql`${userId}`,
      recipients: sql`
        SELECT ${p.userId} AS user_id, ${p.title} AS title,
          ${unreadSince(sql`${p.userId}`, "join-request", subjectSql("post", sql`${postId}`), now)} AS since
        FROM ${joinRequests} AS ${r} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
        WHERE ${isAsked} AND changes() > 0 AND ${news.hasUsesLeft(newsSubject)}`,
      now,
    }),
    countNews: news.count,
    flag: note === null ? undefined : raiseFlags(context, { kind: "player", id: userId }, { requests: note }, userId),
    found: db.all<{
      authorId: string;
      isOpen: number;
      isFull: number;
      isBlocked: number;
      requestId: string | null;
      state: JoinState | null;
      isSame: number;
    }>(sql`
      SELECT ${p.userId} AS authorId, ${isOpenPost(now, p)} AS isOpen, ${isFull} AS isFull,
        ${blockBetween(sql`${p.userId}`, userId)} AS isBlocked, ${r.id} AS requestId, ${r.state} AS state,
        ${r.role} IS ${role} AND ${r.note} IS ${shownNote} AS isSame
      FROM ${lfgPosts} AS ${p} LEFT JOIN ${joinRequests} AS ${r} ON ${r.postId} = ${p.id} AND ${r.userId} = ${userId}
      WHERE ${p.id} = ${postId}`),
    limits: note === null ? undefined : readLimit(db, userId, "messaging", now),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  const { authorId, state } = row;
  if (authorId === userId) return { outcome: "own" };
  // If the role or note differs, this form isn't confirmed, because the author has only received the first version.
  const isSame = row.requestId === id && row.isSame === 1;
  if (isSame && (state === "pending" || state === "accepted")) return { outcome: "asked", authorId };
  if (!mayAsk(state)) return { outcome: state as "pending" | "accepted" | "declined" | "removed" };
  if (row.isBlocked) return { outcome: "blocked" };
  if (row.isFull) return { outcome: "full" };
  return limitedBy(limits ?? []) ?? { outcome: row.isOpen ? "used" : "closed" };
}

/**
 * Withdraws a player's unanswered request. The author's unread news of it is removed or, if other players are waiting
 * for an answer, names the latest of them.
 * @returns the request's new state, and the post's author; undefined if there is no request
 */
export async function withdrawRequest(
  db: Database,
  postId: string,
  userId: string,
  now: number,
): Promise<{ state: JoinState; authorId: string } | undefined> {
  const { found } = await transact(db, {
    withdraw: db.run(sql`
      UPDATE ${joinRequests} SET ${bare(joinRequests.state)} = 'withdrawn', ${bare(joinRequests.decidedAt)} = ${now}
      WHERE ${joinRequests.postId} = ${postId} AND ${joinRequests.userId} = ${userId}
        AND ${joinRequests.state} = 'pending'`),
    news: removeRequestNews(
      db,
      sql`SELECT ${joinRequests.postId} FROM ${joinRequests} WHERE ${joinRequests.postId} = ${postId}
        AND ${joinRequests.userId} = ${userId} AND ${joinRequests.state} = 'withdrawn'`,
    ),
    found: db.all<{ state: JoinState; authorId: string }>(sql`
      SELECT ${r.state} AS state, ${p.userId} AS authorId FROM ${joinRequests} AS ${r}
        JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
      WHERE ${r.postId} = ${postId} AND ${r.userId} = ${userId}`),
  });
  return found[0];
}

/** The author's reply to one request: the request, its post, and the player who must be the post's author. */
export interface RequestReply {
  requestId: string;
  postId: string;
  authorId: string;
}

type AcceptOutcome =
  /** `concerned` are the player, and those whose requests have lapsed because of it. */
  | { outcome: "accepted"; name: string; conversationId: string; isFull: boolean; concerned: string[] }
  /** No such post, or someone else's. */
  | { outcome: "missing" }
  /** The author's post has no such request: its player has asked again, which gives it another id. */
  | { outcome: "gone" }
  /** It has already been answered or withdrawn. */
  | { outcome: "answered"; name: string; state: JoinState }
  /** The last spot is taken. */
  | { outcome: "full" }
  | { outcome: "closed" | "blocked" }
  /** The player's account is suspended. */
  | { outcome: "suspended"; name: string }
  /** The player has blocked, or is blocked by, another member of the team. */
  | { outcome: "apart"; name: string };

/**
 * Accepts a request if a spot is left when the transaction runs, so that only one of two simultaneous acceptances fills
 * the last spot. The first acceptance opens the team's conversation, and later ones add a member to it. The last spot
 * closes the post, and the players still waiting are notified. A suspended player can't be accepted: they leave their
 * teams only after the decision's response. The author's news of the post follows (`followAnswer`,
 * `resolveNewsOfClosing`). Has no effect if the request is already accepted.
 * @param reply.isSure whether to accept the player despite a block between them and another member of the team
 */
export async function acceptRequest(
  db: Database,
  { requestId, postId, authorId, isSure }: RequestReply & { isSure: boolean },
  now: number,
): Promise<AcceptOutcome> {
  const isPlayerSuspended = (userId: SQL) => sql`EXISTS (
    SELECT 1 FROM ${users} WHERE ${users.id} = ${userId} AND ${isSuspended(new Date(now))}
  )`;
  const conversationId = uuidv7(now);
  const justAccepted = sql`EXISTS (
    SELECT 1 FROM ${joinRequests} AS ${a} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${a.postId}
    WHERE ${a.id} = ${requestId} AND ${a.postId} = ${postId} AND ${p.userId} = ${authorId}
      AND ${a.state} = 'accepted' AND ${a.decidedAt} = ${now} AND ${p.takenSpots} <> ${acceptedByP}
  )`;
  const isComplete = sql`EXISTS (SELECT 1 FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${postId}
    AND ${isFull})`;
  const waiting = sql`${joinRequests.postId} = ${postId} AND ${joinRequests.state} = 'pending' AND ${isComplete}
    AND ${justAccepted}`;
  const { found, concerned } = await transact(db, {
    accept: db.run(sql`
      UPDATE ${joinRequests} SET ${bare(joinRequests.state)} = 'accepted', ${bare(joinRequests.decidedAt)} = ${now}
      WHERE ${joinRequests.id} = ${requestId} AND ${joinRequests.postId} = ${postId}
        AND ${joinRequests.state} = 'pending'
        AND NOT ${blockBetween(sql`${joinRequests.userId}`, authorId)}
        AND NOT ${isPlayerSuspended(sql`${joinRequests.userId}`)}
        ${isSure ? sql`` : sql`AND NOT ${isApart(postId, sql`${joinRequests.userId}`)}`}
        AND EXISTS (
          SELECT 1 FROM ${lfgPosts} AS ${p}
          WHERE ${p.id} = ${postId} AND ${p.userId} = ${authorId} AND ${isOpenPost(now, p)}
            AND ${hasOpenSpot}
        )`),
    openConversation: db.run(sql`
      INSERT INTO ${conversations} ${columnsOf(conversations, "id", "title", "createdAt")}
      SELECT ${conversationId}, ${p.title}, ${now} FROM ${lfgPosts} AS ${p}
      WHERE ${p.id} = ${postId} AND ${p.conversationId} IS NULL AND ${justAccepted}`),
    linkConversation: db.run(sql`
      UPDATE ${lfgPosts} SET ${bare(lfgPosts.conversationId)} = ${conversationId}
      WHERE ${lfgPosts.id} = ${postId} AND ${lfgPosts.conversationId} IS NULL AND ${justAccepted}`),
    // New members can see earlier messages, which count as read.
    addMembers: db.run(sql`
      INSERT INTO ${conversationMembers} ${columnsOf(
        conversationMembers,
        "conversationId",
        "userId",
        "listedAt",
        "lastReadSeq",
        "joinedAt",
      )}
      SELECT ${c.id}, ${users.id}, ${now}, ${c.lastSeq}, ${now}
      FROM ${lfgPosts} AS ${p}
      JOIN ${conversations} AS ${c} ON ${c.id} = ${p.conversationId}
      JOIN ${joinRequests} AS ${r} ON ${r.id} = ${requestId}
      JOIN ${users} ON ${users.id} IN (${p.userId}, ${r.userId})
      WHERE ${p.id} = ${postId} AND ${justAccepted}
      ON CONFLICT DO NOTHING`),
    tellAccepted: notify(db, {
      kind: "join-accepted",
      subject: subjectSql("post", sql`${postId}`),
      data: sql`json_object('name', ${nameOf(sql`${authorId}`)}, 'title', to_tell.title)`,
      by: sql`${authorId}`,
      recipients: sql`
        SELECT ${r.userId} AS user_id, ${p.title} AS title FROM ${joinRequests} AS ${r}
          JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
        WHERE ${r.id} = ${requestId} AND ${justAccepted}`,
      now,
    }),
    tellDeclined: notifyDeclined(db, { postId, authorId, waiting, reason: "full", now }),
    declineOthers: lapse(db, waiting, now),
    recount: db.run(sql`
      UPDATE ${lfgPosts} SET
        ${bare(lfgPosts.takenSpots)} = ${countAccepted(sql`${lfgPosts.id}`)},
        ${bare(lfgPosts.filledAt)} = iif(${isComplete}, ${now}, NULL), ${bare(lfgPosts.isActive)} = iif(${isComplete},
          0, 1), ${bare(lfgPosts.updatedAt)} = ${now}, ${setPresence(NO_PRESENCE, isComplete)}
      WHERE ${lfgPosts.id} = ${postId} AND ${justAccepted}`),
    news: followAnswer(db, postId, authorId, now),
    newsOfClosing: resolveNewsOfClosing(db, sql`${selectOwn(postId, authorId)} AND ${isComplete}`, now),
    // Doesn't check whether this transaction notified them: the response to an earlier one may have been lost.
    concerned: db.all<{ userId: string }>(sql`
      SELECT ${r.userId} AS userId FROM ${joinRequests} AS ${a}
        JOIN ${joinRequests} AS ${r} ON ${r.postId} = ${a.postId}
      WHERE ${a.id} = ${requestId} AND ${a.postId} = ${postId}
        AND (${r.id} = ${a.id} OR (${r.state} = 'lapsed' AND ${r.decidedAt} = ${a.decidedAt}))`),
    found: db.all<{
      state: JoinState | null;
      name: string;
      conversationId: string;
      isOpen: number;
      isFull: number;
      isBlocked: number;
      isSuspended: number;
      isApart: number;
    }>(sql`
      SELECT ${r.state} AS state, ${nameOf(sql`${r.userId}`)} AS name, ${p.conversationId} AS conversationId,
        ${isOpenPost(now, p)} AS isOpen, ${isFull} AS isFull,
        ${blockBetween(sql`${r.userId}`, authorId)} AS isBlocked, ${isPlayerSuspended(sql`${r.userId}`)} AS isSuspended,
        ${isApart(postId, sql`${r.userId}`)} AS isApart
      FROM ${lfgPosts} AS ${p} LEFT JOIN ${joinRequests} AS ${r} ON ${r.id} = ${requestId} AND ${r.postId} = ${p.id}
      WHERE ${p.id} = ${postId} AND ${p.userId} = ${authorId}`),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  const { state, name } = row;
  if (state === null) return { outcome: "gone" };
  if (state === "accepted") {
    const { conversationId } = row;
    const players = concerned.map(({ userId }) => userId);
    return { outcome: "accepted", name, conversationId, isFull: Boolean(row.isFull), concerned: players };
  }
  if (row.isFull) return { outcome: "full" };
  if (state !== "pending" && (state !== "lapsed" || row.isOpen)) return { outcome: "answered", name, state };
  if (row.isBlocked) return { outcome: "blocked" };
  if (row.isOpen && row.isSuspended) return { outcome: "suspended", name };
  return row.isOpen && row.isApart ? { outcome: "apart", name } : { outcome: "closed" };
}

/**
 * Builds the statements that adapt the author's unread news of requests to join a post after they have answered one
 * (`resolveRequestNews`). They may have answered on a page that doesn't show the others.
 */
const followAnswer = (db: Database, postId: string, authorId: string, now: number) =>
  resolveRequestNews(db, selectOwn(postId, authorId), now);

/** Selects a post's id if it is the author's. */
const selectOwn = (postId: string, authorId: string): SQL =>
  sql`SELECT ${lfgPosts.id} FROM ${lfgPosts} WHERE ${lfgPosts.id} = ${postId} AND ${lfgPosts.userId} = ${authorId}`;

/**
 * Builds the statement that tells players that they got no spot.
 * @param waiting an SQL condition that selects the requests of these players
 */
function notifyDeclined(
  db: Database,
  {
    postId,
    authorId,
    waiting,
    reason,
    now,
  }: { postId: string; authorId: string; waiting: SQL; reason: "declined" | "full"; now: number },
) {
  return notify(db, {
    kind: "join-declined",
    subject: subjectSql("post", sql`${postId}`),
    data: sql`json_object('title', to_tell.title, 'reason', ${reason})`,
    by: sql`${authorId}`,
    recipients: sql`
      SELECT ${joinRequests.userId}, (SELECT ${lfgPosts.title} FROM ${lfgPosts}
        WHERE ${lfgPosts.id} = ${postId}) AS title FROM ${joinRequests} WHERE ${waiting}`,
    now,
  });
}

/**
 * Declines a request, and notifies the player; the author's news of requests follows (`followAnswer`). Has no effect if
 * it is already declined.
 * @returns the request's new state, and its player; `missing` if it isn't the author's post, `gone` if the post has no
 *   such request
 */
export async function declineRequest(
  db: Database,
  { requestId, postId, authorId }: RequestReply,
  now: number,
): Promise<{ state: JoinState; name: string; playerId: string } | "missing" | "gone"> {
  const own = sql`EXISTS (SELECT 1 FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${postId} AND ${p.userId} = ${authorId})`;
  const { found } = await transact(db, {
    tell: notifyDeclined(db, {
      postId,
      authorId,
      waiting: sql`${joinRequests.id} = ${requestId} AND ${joinRequests.postId} = ${postId}
        AND ${joinRequests.state} = 'pending' AND ${own}`,
      reason: "declined",
      now,
    }),
    decline: db.run(sql`
      UPDATE ${joinRequests} SET ${bare(joinRequests.state)} = 'declined', ${bare(joinRequests.decidedAt)} = ${now}
      WHERE ${joinRequests.id} = ${requestId} AND ${joinRequests.postId} = ${postId}
        AND ${joinRequests.state} = 'pending' AND ${own}`),
    news: followAnswer(db, postId, authorId, now),
    found: db.all<{ state: JoinState | null; name: string; playerId: string }>(sql`
      SELECT ${r.state} AS state, ${nameOf(sql`${r.userId}`)} AS name, ${r.userId} AS playerId
      FROM ${lfgPosts} AS ${p} LEFT JOIN ${joinRequests} AS ${r} ON ${r.id} = ${requestId} AND ${r.postId} = ${p.id}
      WHERE ${p.id} = ${postId} AND ${p.userId} = ${authorId}`),
  });
  const [row] = found;
  if (!row) return "missing";
  const { state, ...player } = row;
  return state === null ? "gone" : { state, ...player };
}
