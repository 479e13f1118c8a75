import { sql } from "drizzle-orm";
import { staysOpen } from "#db/accounts";
import type { Database } from "#db/client";
import { presence, profiles, users } from "#db/schema";
import { SEEN_SLOT } from "#db/words/presence";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { type Rank, rankAt } from "~/game/ranks";
import { displayName, initial } from "./rules";
import { type MatchProfile, match } from "./shared/match";
import { type MatchClock, matchProfileOf, NO_PROFILE } from "./shared/match-profile";

/** Maximum number of candidates: the most recently seen players, from whom the best matches are chosen. */
const CANDIDATES = 60;
/** Maximum number of players shown as online. */
const SHOWN = 4;

/** A player who is online, for the column beside the posts. */
export interface OnlinePlayer {
  id: string;
  name: string;
  letter: string;
  picture: string | null;
  rank: Rank | null;
}

/**
 * Lists players who are online, out of the `CANDIDATES` most recently seen. Leaves out the viewer, players with a block
 * between them and the viewer, players who don't show their presence to everyone, and players who aren't in the
 * directory.
 */
export const listOnlinePlayers = (db: Database, viewerId: string, now: Date) =>
  db.all<OnlineRow>(sql`
    SELECT seen.online_id AS userId, ${profiles.riotId} AS riotId, ${profiles.riotGameName} AS riotGameName,
      ${profiles.avatarId} AS picture, ${profiles.currentRank} AS rank, ${profiles.preferredRole} AS role,
      ${profiles.region} AS region, ${profiles.voiceCommsPreference} AS voice
    FROM (
      SELECT ${presence.userId} AS online_id FROM ${presence}
      WHERE ${presence.state} = 'online' AND ${presence.seenAt} > ${now.getTime() - SEEN_SLOT}
      ORDER BY ${presence.seenAt} DESC, ${presence.userId} LIMIT ${CANDIDATES}
    ) AS seen
    CROSS JOIN ${profiles} ON ${profiles.userId} = seen.online_id
    CROSS JOIN ${users} ON ${users.id} = seen.online_id
    WHERE seen.online_id <> ${viewerId} AND ${profiles.presencePolicy} = 'everyone' AND ${profiles.isListed} = 1
      AND ${staysOpen(users)}
      AND NOT ${blockBetween(sql`seen.online_id`, viewerId)}`);

interface OnlineRow {
  userId: string;
  riotId: string | null;
  riotGameName: string | null;
  picture: string | null;
  rank: number | null;
  role: MatchProfile["role"];
  region: MatchProfile["region"];
  voice: MatchProfile["voice"];
}

/** Chooses the viewer's best matches among the players they can play with. */
export function chooseOnlinePlayers(
  rows: readonly OnlineRow[],
  viewer: MatchProfile,
  clock: MatchClock,
): OnlinePlayer[] {
  return rows
    .map((row) => {
      const rank = rankAt(row.rank);
      const profile = { ...NO_PROFILE, currentRank: rank, preferredRole: row.role, region: row.region };
      const fit = match(viewer, matchProfileOf({ ...profile, voiceCommsPreference: row.voice }, clock));
      return { row, rank, fit };
    })
    .filter(({ fit }) => !fit.ruledOut)
    .sort((a, b) => b.fit.score - a.fit.score)
    .slice(0, SHOWN)
    .map(({ row, rank }) => {
      const name = displayName(row);
      return { id: row.userId, name, letter: initial(name), picture: row.picture, rank };
    });
}
