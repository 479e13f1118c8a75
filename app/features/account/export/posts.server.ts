import { and, eq, getTableColumns, gt } from "drizzle-orm";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, teamDetails, teamReady } from "#db/schema";
import { PAGE_SIZE, paginate } from "./pages.server";

export async function* listPosts(db: Database, userId: string) {
  const { userId: _, searchText: __, ...columns } = getTableColumns(lfgPosts);
  yield* paginate<{ id: string }>((last) =>
    db
      .select(columns)
      .from(lfgPosts)
      .where(and(eq(lfgPosts.userId, userId), gt(lfgPosts.id, last?.id ?? "")))
      .orderBy(lfgPosts.id)
      .limit(PAGE_SIZE),
  );
}

export async function* listJoinRequests(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(joinRequests);
  yield* paginate<{ id: string }>((last) =>
    db
      .select(columns)
      .from(joinRequests)
      .where(and(eq(joinRequests.userId, userId), gt(joinRequests.id, last?.id ?? "")))
      .orderBy(joinRequests.id)
      .limit(PAGE_SIZE),
  );
}

/**
 * Lists the details that a player has set for teams whose session isn't over. There are only a few, because a team has
 * at most two.
 */
export async function* listTeamDetails(db: Database, userId: string) {
  const { setBy: _, ...columns } = getTableColumns(teamDetails);
  yield* await db.select(columns).from(teamDetails).where(eq(teamDetails.setBy, userId));
}

/** Lists the teams for which a player has pressed `Ready` and whose session isn't over. There are only a few. */
export async function* listTeamReady(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(teamReady);
  yield* await db.select(columns).from(teamReady).where(eq(teamReady.userId, userId));
}
