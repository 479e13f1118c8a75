import { type SQL, sql } from "drizzle-orm";
import { profiles } from "#db/schema";
import { pictureFor } from "~/features/blocks/shared/blocks.server";
import { type VerifiedMark, verifiedMark } from "~/features/riot/rules";
import { type Rank, rankAt } from "~/game/ranks";
import { displayName, type NamedPlayer } from "../rules";

/** The short public form of a player, for a list, a team or a request. */
export interface PlayerSummary {
  userId: string;
  name: string;
  picture: string | null;
  verified: VerifiedMark | null;
  rank: Rank | null;
}

/** A row with `summaryColumns` and the player's id. */
export interface SummaryRow extends NamedPlayer {
  picture: string | null;
  verifiedAt: number | null;
  provenAt: number | null;
  rank: number | null;
}

/**
 * Returns the columns of a summary except `userId`, for a statement that joins `profiles` under that name.
 * @param viewerId undefined for a visitor
 */
export const summaryColumns = (viewerId: string | undefined): SQL => sql`
  ${profiles.riotId} AS riotId, ${profiles.riotGameName} AS riotGameName,
  ${pictureFor(viewerId, profiles.userId, profiles.avatarId)} AS picture,
  ${profiles.riotVerifiedAt} AS verifiedAt, ${profiles.riotProvenAt} AS provenAt, ${profiles.currentRank} AS rank`;

/** Builds a summary from a row with `summaryColumns`. */
export const readSummary = (row: SummaryRow): PlayerSummary => ({
  userId: row.userId,
  name: displayName(row),
  picture: row.picture,
  verified: verifiedMark({ verified: row.verifiedAt !== null, riotProven: row.provenAt !== null }),
  rank: rankAt(row.rank),
});
