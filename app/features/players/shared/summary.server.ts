import { sql } from "drizzle-orm";
import { profiles } from "#db/schema";
import { type VerifiedMark, verifiedMark } from "~/features/riot/rules";
import { type Rank, rankAt } from "~/game/ranks";
import { displayName, type NamedPlayer } from "../rules";

/** What others see of a player at a glance: in a list, a team or a request. */
export interface PlayerSummary {
  userId: string;
  name: string;
  picture: string | null;
  verified: VerifiedMark | null;
  rank: Rank | null;
}

/** What `summaryColumns` answers, with the player's id beside it. */
export interface SummaryRow extends NamedPlayer {
  picture: string | null;
  verifiedAt: number | null;
  provenAt: number | null;
  rank: number | null;
}

/** The columns of a summary but `userId`, for a statement that joins `profiles` under that name. */
export const summaryColumns = sql`
  ${profiles.riotId} AS riotId, ${profiles.riotGameName} AS riotGameName, ${profiles.avatarId} AS picture,
  ${profiles.riotVerifiedAt} AS verifiedAt, ${profiles.riotProvenAt} AS provenAt, ${profiles.currentRank} AS rank`;

/** A player as `summaryColumns` answers them. */
export const readSummary = (row: SummaryRow): PlayerSummary => ({
  userId: row.userId,
  name: displayName(row),
  picture: row.picture,
  verified: verifiedMark({ verified: row.verifiedAt !== null, riotProven: row.provenAt !== null }),
  rank: rankAt(row.rank),
});
