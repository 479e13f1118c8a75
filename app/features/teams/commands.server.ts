import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { transact } from "#db/statements";
import { hasRoomForPost } from "~/features/lfg/shared/open-posts.server";
import { blockBetween } from "~/features/messages/shared/blocks.server";
import { forgetNews, notify } from "~/features/notifications/shared/notify.server";
import { nameOf } from "~/features/players/shared/name.server";
import type { Role } from "~/game/roles";
import { type JoinState, mayAsk, RENEWABLE } from "./rules";

/*
 * Who is in a team is what `join_requests` says; `lfg_posts.taken_spots` is recounted in the transaction that changes it.
 * So, until that recount, the two differ: by that the statements of one transaction know that it has changed something,
 * and a button pressed twice does nothing twice.
 */

const isOpen = (now: number) => sql`p.is_active = 1 AND p.expires_at > ${now}`;

/** How many players a post has accepted. @param postId an SQL expression with its table's alias */
const accepted = (postId: SQL) => sql`(
  SELECT count(*) FROM join_requests AS t WHERE t.post_id = ${postId} AND t.state = 'accepted'
)`;
const acceptedByP = accepted(sql`p.id`);

const list = (states: readonly JoinState[]) =>
  sql`(${sql.join(
    states.map((state) => sql`${state}`),
    sql`, `,
  )})`;

/** The subject of news about a post. */
const aboutPost = (postId: string) => sql`'post:' || ${postId}`;

/** A wish to join, as the form holds it. */
export interface Wish {
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
  /** What became of an earlier request forbids another one. */
  | { outcome: "pending" | "accepted" | "declined" | "removed" }
  | { outcome: "blocked" | "full" | "closed" }
  /** The form's id is taken: by what it has sent before, or by somebody else's request. */
  | { outcome: "used" };

/**
 * Asks a post for a spot, and tells its author. One request per player and post, renewed where the rules allow it; the
 * same form sent twice has asked once. One transaction.
 */
export async function requestToJoin(
  db: Database,
  { id, postId, userId, role, note }: Wish,
  now: number,
): Promise<AskOutcome> {
  const { found } = await transact(db, {
    ask: db.run(sql`
      INSERT INTO join_requests (id, post_id, user_id, role, note, state, created_at)
      SELECT ${id}, p.id, ${userId}, ${role}, ${note}, 'pending', ${now} FROM lfg_posts AS p
      WHERE p.id = ${postId} AND p.user_id <> ${userId} AND ${isOpen(now)} AND p.needed_players > ${acceptedByP}
        AND NOT ${blockBetween(sql`p.user_id`, userId)} AND NOT EXISTS (SELECT 1 FROM join_requests WHERE id = ${id})
      ON CONFLICT (post_id, user_id) DO UPDATE SET
        id = excluded.id, role = excluded.role, note = excluded.note, state = 'pending',
        created_at = excluded.created_at, decided_at = NULL
      WHERE join_requests.state IN ${list(RENEWABLE)}`),
    tell: notify(db, {
      kind: "join-request",
      subject: aboutPost(postId),
      data: sql`json_object('name', ${nameOf(sql`${userId}`)}, 'title', to_tell.title)`,
      recipients: sql`
        SELECT p.user_id AS user_id, p.title AS title
        FROM join_requests AS r JOIN lfg_posts AS p ON p.id = r.post_id
        WHERE r.id = ${id} AND r.post_id = ${postId} AND r.user_id = ${userId}
          AND r.state = 'pending' AND r.created_at = ${now}`,
      now,
    }),
    found: db.all<{
      authorId: string;
      isOpen: number;
      isFull: number;
      isBlocked: number;
      requestId: string | null;
      state: JoinState | null;
    }>(sql`
      SELECT p.user_id AS authorId, ${isOpen(now)} AS isOpen, p.needed_players <= ${acceptedByP} AS isFull,
        ${blockBetween(sql`p.user_id`, userId)} AS isBlocked, r.id AS requestId, r.state AS state
      FROM lfg_posts AS p LEFT JOIN join_requests AS r ON r.post_id = p.id AND r.user_id = ${userId}
      WHERE p.id = ${postId}`),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  const { authorId, state } = row;
  if (authorId === userId) return { outcome: "own" };
  if (row.requestId === id && (state === "pending" || state === "accepted")) return { outcome: "asked", authorId };
  if (!mayAsk(state)) return { outcome: state as "pending" | "accepted" | "declined" | "removed" };
  if (row.isBlocked) return { outcome: "blocked" };
  if (row.isFull) return { outcome: "full" };
  return { outcome: row.isOpen ? "used" : "closed" };
}

/**
 * Takes one's request back, as long as it is not answered. The author's news of it goes, too, once nobody else asks.
 * @returns the state that the request is in now, and whose post it is; undefined when nothing was asked
 */
export async function withdrawRequest(
  db: Database,
  postId: string,
  userId: string,
  now: number,
): Promise<{ state: JoinState; authorId: string } | undefined> {
  const { found } = await transact(db, {
    withdraw: db.run(sql`
      UPDATE join_requests SET state = 'withdrawn', decided_at = ${now}
      WHERE post_id = ${postId} AND user_id = ${userId} AND state = 'pending'`),
    forget: db.run(sql`
      DELETE FROM notifications
      WHERE user_id = (SELECT user_id FROM lfg_posts WHERE id = ${postId}) AND kind = 'join-request'
        AND subject = ${aboutPost(postId)} AND read_at IS NULL
        AND EXISTS (SELECT 1 FROM join_requests WHERE post_id = ${postId} AND user_id = ${userId} AND state = 'withdrawn')
        AND NOT EXISTS (SELECT 1 FROM join_requests WHERE post_id = ${postId} AND state = 'pending')`),
    found: db.all<{ state: JoinState; authorId: string }>(sql`
      SELECT r.state AS state, p.user_id AS authorId FROM join_requests AS r JOIN lfg_posts AS p ON p.id = r.post_id
      WHERE r.post_id = ${postId} AND r.user_id = ${userId}`),
  });
  return found[0];
}

/** The author's answer to one request: which, on which post, and whose post it must be. */
export interface Answer {
  requestId: string;
  postId: string;
  authorId: string;
}

export type AcceptOutcome =
  | { outcome: "accepted"; name: string; conversationId: string; isFull: boolean; told: string[] }
  /** No such request, or somebody else's post. */
  | { outcome: "missing" }
  /** It was answered or taken back before. */
  | { outcome: "answered"; name: string; state: JoinState }
  /** The last spot is taken. */
  | { outcome: "full" }
  | { outcome: "closed" | "blocked" };

/**
 * Accepts a request if there is a spot left at this very moment: one transaction, so that of two acceptances for the last
 * spot one wins. The first opens the team's conversation, later ones add to it. With the last spot the post closes
 * itself, and those who still waited are told. Accepting an accepted one is done already.
 */
export async function acceptRequest(
  db: Database,
  { requestId, postId, authorId }: Answer,
  now: number,
): Promise<AcceptOutcome> {
  const conversationId = uuidv7(now);
  const justAccepted = sql`EXISTS (
    SELECT 1 FROM join_requests AS a JOIN lfg_posts AS p ON p.id = a.post_id
    WHERE a.id = ${requestId} AND a.post_id = ${postId} AND p.user_id = ${authorId}
      AND a.state = 'accepted' AND a.decided_at = ${now} AND p.taken_spots <> ${acceptedByP}
  )`;
  const isFull = sql`EXISTS (SELECT 1 FROM lfg_posts AS p WHERE p.id = ${postId} AND p.needed_players <= ${acceptedByP})`;
  const waiting = sql`post_id = ${postId} AND state = 'pending' AND ${isFull} AND ${justAccepted}`;
  const { found, toldAccepted, toldDeclined } = await transact(db, {
    accept: db.run(sql`
      UPDATE join_requests SET state = 'accepted', decided_at = ${now}
      WHERE id = ${requestId} AND post_id = ${postId} AND state = 'pending'
        AND NOT ${blockBetween(sql`join_requests.user_id`, authorId)}
        AND EXISTS (
          SELECT 1 FROM lfg_posts AS p
          WHERE p.id = ${postId} AND p.user_id = ${authorId} AND ${isOpen(now)} AND p.needed_players > ${acceptedByP}
        )`),
    openConversation: db.run(sql`
      INSERT INTO conversations (id, title, created_at)
      SELECT ${conversationId}, p.title, ${now} FROM lfg_posts AS p
      WHERE p.id = ${postId} AND p.conversation_id IS NULL AND ${justAccepted}`),
    linkConversation: db.run(sql`
      UPDATE lfg_posts SET conversation_id = ${conversationId}
      WHERE id = ${postId} AND conversation_id IS NULL AND ${justAccepted}`),
    // Latecomers find what was said before, as read.
    addMembers: db.run(sql`
      INSERT INTO conversation_members (conversation_id, user_id, listed_at, last_read_seq, joined_at)
      SELECT c.id, users.id, ${now}, c.last_seq, ${now}
      FROM lfg_posts AS p
      JOIN conversations AS c ON c.id = p.conversation_id
      JOIN join_requests AS r ON r.id = ${requestId}
      JOIN users ON users.id IN (p.user_id, r.user_id)
      WHERE p.id = ${postId} AND ${justAccepted}
      ON CONFLICT DO NOTHING`),
    toldAccepted: notify(db, {
      kind: "join-accepted",
      subject: aboutPost(postId),
      data: sql`json_object('name', ${nameOf(sql`${authorId}`)}, 'title', to_tell.title)`,
      recipients: sql`
        SELECT r.user_id AS user_id, p.title AS title FROM join_requests AS r JOIN lfg_posts AS p ON p.id = r.post_id
        WHERE r.id = ${requestId} AND ${justAccepted}`,
      now,
    }),
    toldDeclined: tellDeclined(db, { postId, waiting, reason: "full", now }),
    declineOthers: db.run(sql`UPDATE join_requests SET state = 'lapsed', decided_at = ${now} WHERE ${waiting}`),
    recount: db.run(sql`
      UPDATE lfg_posts SET
        taken_spots = ${accepted(sql`lfg_posts.id`)},
        filled_at = iif(${isFull}, ${now}, NULL), is_active = iif(${isFull}, 0, 1), updated_at = ${now}
      WHERE id = ${postId} AND ${justAccepted}`),
    found: db.all<{
      state: JoinState;
      name: string;
      conversationId: string;
      isOpen: number;
      isFull: number;
      isBlocked: number;
    }>(sql`
      SELECT r.state AS state, ${nameOf(sql`r.user_id`)} AS name, p.conversation_id AS conversationId,
        ${isOpen(now)} AS isOpen, p.needed_players <= ${acceptedByP} AS isFull,
        ${blockBetween(sql`r.user_id`, authorId)} AS isBlocked
      FROM join_requests AS r JOIN lfg_posts AS p ON p.id = r.post_id
      WHERE r.id = ${requestId} AND p.id = ${postId} AND p.user_id = ${authorId}`),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  const { state, name } = row;
  if (state === "accepted") {
    const told = [...toldAccepted, ...toldDeclined].map(({ userId }) => userId);
    return { outcome: "accepted", name, conversationId: row.conversationId, isFull: Boolean(row.isFull), told };
  }
  if (row.isFull) return { outcome: "full" };
  if (state !== "pending" && (state !== "lapsed" || row.isOpen)) return { outcome: "answered", name, state };
  return { outcome: row.isBlocked ? "blocked" : "closed" };
}

/** Tells players that they get no spot. @param waiting which of the post's requests, as an SQL condition */
function tellDeclined(
  db: Database,
  { postId, waiting, reason, now }: { postId: string; waiting: SQL; reason: "declined" | "full"; now: number },
) {
  return notify(db, {
    kind: "join-declined",
    subject: aboutPost(postId),
    data: sql`json_object('title', to_tell.title, 'reason', ${reason})`,
    recipients: sql`
      SELECT user_id, (SELECT title FROM lfg_posts WHERE id = ${postId}) AS title FROM join_requests WHERE ${waiting}`,
    now,
  });
}

/**
 * Declines a request, and tells its player. Declining a declined one is done already.
 * @returns the state that the request is in now, and who was told; undefined when it is not on a post of the author's
 */
export async function declineRequest(
  db: Database,
  { requestId, postId, authorId }: Answer,
  now: number,
): Promise<{ state: JoinState; name: string; told: string[] } | undefined> {
  const own = sql`EXISTS (SELECT 1 FROM lfg_posts AS p WHERE p.id = ${postId} AND p.user_id = ${authorId})`;
  const { told, found } = await transact(db, {
    told: tellDeclined(db, {
      postId,
      waiting: sql`id = ${requestId} AND post_id = ${postId} AND state = 'pending' AND ${own}`,
      reason: "declined",
      now,
    }),
    decline: db.run(sql`
      UPDATE join_requests SET state = 'declined', decided_at = ${now}
      WHERE id = ${requestId} AND post_id = ${postId} AND state = 'pending' AND ${own}`),
    found: db.all<{ state: JoinState; name: string }>(sql`
      SELECT state, ${nameOf(sql`join_requests.user_id`)} AS name FROM join_requests
      WHERE id = ${requestId} AND post_id = ${postId} AND ${own}`),
  });
  const [row] = found;
  return row && { ...row, told: told.map(({ userId }) => userId) };
}

/** What a team is like after somebody has gone. */
export interface Departure {
  name: string;
  /** The team's conversation, which the player can no longer read. */
  conversationId: string | null;
  /** Whether the post is in the list again. */
  isOpen: boolean;
  /** The player who has gone. */
  playerId: string;
  told: string[];
}

/**
 * Leaves a team. The author is told. Leaving twice is leaving once.
 * @returns undefined when the player was not in it
 */
export const leaveTeam = (db: Database, postId: string, userId: string, now: number): Promise<Departure | undefined> =>
  vacate(db, {
    postId,
    who: sql`g.user_id = ${userId}`,
    state: "left",
    tells: sql`p.user_id`,
    data: sql`json_object('title', to_tell.title, 'name', ${nameOf(sql`${userId}`)})`,
    now,
  });

/**
 * Removes a player from the author's team; the player is told. Removing twice is removing once.
 * @returns undefined when there is no such player in a team of the author's
 */
export const removeMember = (
  db: Database,
  { requestId, postId, authorId }: Answer,
  now: number,
): Promise<Departure | undefined> =>
  vacate(db, {
    postId,
    who: sql`g.id = ${requestId} AND EXISTS (
      SELECT 1 FROM lfg_posts AS own WHERE own.id = g.post_id AND own.user_id = ${authorId}
    )`,
    state: "removed",
    tells: sql`g.user_id`,
    data: sql`json_object('title', to_tell.title, 'name', NULL)`,
    now,
  });

/**
 * Frees a spot, and with it the place in the team's conversation; what was said there stays. A post that had closed
 * itself opens again, unless its time is over, its session is, or its author has closed it, has three others open or left.
 */
async function vacate(
  db: Database,
  change: {
    postId: string;
    /** Which request, as an SQL condition on `g`. */
    who: SQL;
    state: "left" | "removed";
    /** Who is told, of `g` and the post `p`. */
    tells: SQL;
    data: SQL;
    now: number;
  },
): Promise<Departure | undefined> {
  const { postId, who, state, now } = change;
  const gone = sql`FROM join_requests AS g JOIN lfg_posts AS p ON p.id = g.post_id
    WHERE g.post_id = ${postId} AND g.state = ${state} AND ${who}`;
  const justGone = sql`g.decided_at = ${now} AND p.taken_spots <> ${acceptedByP}`;
  const opensAgain = sql`(
    lfg_posts.filled_at IS NOT NULL AND lfg_posts.is_active = 0 AND lfg_posts.expires_at > ${now}
    AND lfg_posts.closed_at IS NULL AND lfg_posts.session_ended_at IS NULL
    AND EXISTS (
      SELECT 1 FROM users AS author
      WHERE author.id = lfg_posts.user_id AND author.suspended_at IS NULL AND author.deletion_due_at IS NULL
    )
    AND ${hasRoomForPost(sql`lfg_posts.user_id`, sql`lfg_posts.id`, now)}
  )`;
  const { told, found } = await transact(db, {
    leave: db.run(sql`
      UPDATE join_requests AS g SET state = ${state}, decided_at = ${now}
      WHERE g.post_id = ${postId} AND g.state = 'accepted' AND ${who}`),
    leaveConversation: db.run(sql`
      DELETE FROM conversation_members
      WHERE (conversation_id, user_id) IN (SELECT p.conversation_id, g.user_id ${gone} AND ${justGone})`),
    forgetNews: forgetNews(
      db,
      sql`SELECT g.user_id ${gone} AND ${justGone}`,
      sql`'conversation:' || (SELECT conversation_id FROM lfg_posts WHERE id = ${postId})`,
    ),
    told: notify(db, {
      kind: "team-change",
      subject: aboutPost(postId),
      data: change.data,
      recipients: sql`SELECT ${change.tells} AS user_id, p.title AS title ${gone} AND ${justGone}`,
      now,
    }),
    recount: db.run(sql`
      UPDATE lfg_posts SET
        taken_spots = ${accepted(sql`lfg_posts.id`)},
        filled_at = iif(${opensAgain}, NULL, filled_at),
        is_active = iif(${opensAgain}, 1, is_active),
        updated_at = ${now}
      WHERE id = ${postId} AND EXISTS (SELECT 1 ${gone} AND ${justGone})`),
    found: db.all<{ name: string; conversationId: string | null; isOpen: number; playerId: string }>(sql`
      SELECT ${nameOf(sql`g.user_id`)} AS name, p.conversation_id AS conversationId, ${isOpen(now)} AS isOpen,
        g.user_id AS playerId ${gone}`),
  });
  const [row] = found;
  return row && { ...row, isOpen: Boolean(row.isOpen), told: told.map(({ userId }) => userId) };
}
