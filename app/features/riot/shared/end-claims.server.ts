import type { SQL } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles } from "#db/schema";
import { unmarkVerified } from "~/features/players/shared/facets.server";
import { endListing } from "~/features/tournaments/shared/listing.server";

/**
 * Builds the statements that end claims to Riot accounts: the players lose the `Verified` mark, their tournaments are
 * taken off the lists, and others can claim the accounts. The profiles keep showing the same names.
 * @param ending SQL condition on `profiles`: whose claims end
 */
export function endClaims(db: Database, ending: SQL, now: Date) {
  const players = db.select({ userId: profiles.userId }).from(profiles).where(ending);
  return {
    unmark: unmarkVerified(db, players),
    unlist: endListing(db, players),
    // Last, because the other statements find the players by their claims.
    claims: db
      .update(profiles)
      .set({
        riotPuuid: null,
        riotVerifiedAt: null,
        riotProvenAt: null,
        riotClaimLapsesAt: null,
        lastRankSync: null,
        updatedAt: now,
      })
      .where(ending),
  };
}
