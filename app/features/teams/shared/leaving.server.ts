import type { Database } from "#db/client";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { FOREVER } from "~/platform/lists/keyset.server";
import { settleAll } from "~/platform/settle-all";
import { announceDeparture } from "../actions.server";
import { withdrawRequest } from "../commands.server";
import { type AnnouncedDeparture, leaveTeam } from "../departures.server";
import type { JoinState } from "../rules";
import { selectCommitments } from "./commitments.server";

/** A row of `selectCommitments`. */
interface Commitment {
  postId: string;
  authorId: string;
  state: JoinState;
  /** The team's conversation; null before the first acceptance. */
  conversationId: string | null;
}

/**
 * The callbacks of `leaveTeams`. Each is called right after its step, because another step may fail. It is also called
 * if its own step fails: the change may have been stored although the database's response was lost.
 */
interface Listener {
  departed: (departure: AnnouncedDeparture) => void;
  /** The author's unread news of the withdrawn request may have been removed. */
  withdrew: (authorId: string) => void;
}

/**
 * Removes a suspended or deleted player from every team that has accepted them and whose session isn't over, and
 * notifies the teams' authors. Withdraws the player's unanswered requests; if an author has just accepted one, the
 * player leaves that team. If a step fails, the others are still carried out before the function throws.
 * @param joinedBy as for `selectCommitments`
 */
export async function leaveTeams(
  db: Database,
  userId: string,
  now: Date,
  listener?: Listener,
  joinedBy = FOREVER,
): Promise<void> {
  const commitments = await db.all<Commitment>(selectCommitments(userId, joinedBy));
  const leave = async ({ postId, authorId, conversationId }: Commitment) => {
    const departure = await leaveTeam(db, postId, userId, now.getTime()).catch((error: unknown) => {
      listener?.departed({ postId, conversationId, playerId: userId, recipientId: authorId });
      throw error;
    });
    if (departure.outcome === "gone") listener?.departed(departure);
  };
  const withdraw = async (commitment: Commitment) => {
    const { postId, authorId } = commitment;
    const request = await withdrawRequest(db, postId, userId, now.getTime()).finally(() => {
      listener?.withdrew(authorId);
    });
    if (request?.state === "accepted") await leave(commitment);
  };
  await settleAll(commitments.map((one) => (one.state === "accepted" ? leave : withdraw)(one)));
}

/** Calls `leaveTeams`, and updates the other players' open tabs. */
export const leaveTeamsAndAnnounce = (
  context: Parameters<typeof announceDeparture>[0],
  userId: string,
  now: Date,
  joinedBy?: number,
): Promise<void> => {
  const listener: Listener = {
    departed: (departure) => announceDeparture(context, departure),
    withdrew: (authorId) => tellUnread(context, authorId),
  };
  return leaveTeams(context.db, userId, now, listener, joinedBy);
};
