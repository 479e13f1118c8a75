import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, teamDetails, users } from "#db/schema";
import { type TeamDetail, VOICE_LINK } from "#db/words/team-details";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { isOpenPost } from "~/features/lfg/shared/post-state.server";
import { nameOf } from "~/features/players/shared/name.server";
import { listTeam, type TeamMember } from "../queries.server";
import { isInTeam, type TeamRef } from "./membership.server";

const account = alias(users, "account");
const d = alias(teamDetails, "d");
const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/** A detail set by a member of a team. */
interface StoredDetail {
  kind: TeamDetail;
  /** Null if it is a voice link set by a player whom the viewer has blocked. */
  value: string | null;
  setBy: string;
  /** The name of the player who set it. */
  name: string;
  /** When it was set, in milliseconds since 1970. */
  setAt: number;
  /** When that player's account was created, in milliseconds since 1970. */
  since: number;
}

/** A team's room, as its members see it. */
export interface Room {
  postId: string;
  openSpots: number;
  /** Whether the post is open, and players can still ask for its spots. */
  isOpen: boolean;
  /** Whether moderators have hidden the post from the viewer. */
  isHidden: boolean;
  filledAt: number | null;
  closedAt: number | null;
  expiresAt: number;
  /** Whether the team's session is over. If so, details can no longer be set. */
  isOver: boolean;
  /** Whether the viewer was in the team when its session ended. */
  hasPlayed: boolean;
  details: StoredDetail[];
  /** The author first. */
  members: TeamMember[];
}

type Flag = "isOpen" | "isHidden" | "isOver" | "hasPlayed";
type RoomRow = Omit<Room, Flag | "details" | "members"> & Record<Flag, number> & { details: string };

/** Finds a team's room for one of its members; null for anyone else, and until someone has joined. One round trip. */
export async function findRoom(db: Database, team: TeamRef, userId: string, now: Date): Promise<Room | null> {
  const [[row], members] = await Promise.all([
    db.all<RoomRow>(sql`
      SELECT ${p.id} AS postId, ${p.neededPlayers} - ${p.takenSpots} AS openSpots,
        ${isOpenPost(now.getTime(), p)} AS isOpen,
        ${p.hiddenAt} IS NOT NULL AND ${p.userId} <> ${userId} AS isHidden, ${p.filledAt} AS filledAt,
        ${p.closedAt} AS closedAt, ${p.expiresAt} AS expiresAt, ${p.sessionEndedAt} IS NOT NULL AS isOver,
        EXISTS (
          SELECT 1 FROM ${joinRequests} AS ${r} WHERE ${r.postId} = ${p.id} AND ${r.playedAt} IS NOT NULL
            AND (${r.userId} = ${userId} OR ${p.userId} = ${userId})
        ) AS hasPlayed,
        ${listDetails(userId)} AS details
      FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${team} AND ${isInTeam(p, userId)}`),
    listTeam(db, team, userId),
  ]);
  if (!row) return null;
  return {
    ...row,
    isOpen: Boolean(row.isOpen),
    isHidden: Boolean(row.isHidden),
    isOver: Boolean(row.isOver),
    hasPlayed: Boolean(row.hasPlayed),
    details: JSON.parse(row.details) as StoredDetail[],
    members,
  };
}

/** Selects the details of the post `p` as a JSON array; none once the team's session is over. */
const listDetails = (viewerId: string): SQL => sql`(
  SELECT json_group_array(json_object(
    'kind', ${d.kind},
    'value', iif(${d.kind} = ${VOICE_LINK} AND ${hasBlocked(viewerId, sql`${d.setBy}`)}, NULL, ${d.value}),
    'setBy', ${d.setBy}, 'name', ${nameOf(sql`${d.setBy}`)}, 'setAt', ${d.setAt}, 'since', ${account.createdAt}
  ))
  FROM ${teamDetails} AS ${d} JOIN ${users} AS ${account} ON ${account.id} = ${d.setBy}
  WHERE ${d.postId} = ${p.id} AND ${p.sessionEndedAt} IS NULL
)`;
