import { and, eq, gt, inArray, or, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { blocks, hiddenOriginals, profiles, reportCases, reports } from "#db/schema";
import { findLimits, type OwnDecision, readOwnDecisions } from "~/features/moderation/shared/own-decisions.server";
import { originWords, quoteOf } from "~/features/moderation/shared/statement";
import { displayName, type NamedPlayer, UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameColumns } from "~/features/players/shared/name.server";
import { PAGE_SIZE, paginate } from "./pages.server";

export async function* listBlocks(db: Database, userId: string) {
  const rows = paginate<{ blockedId: string; createdAt: Date; player: NamedPlayer | null }>((last) =>
    db
      .select({ blockedId: blocks.blockedId, createdAt: blocks.createdAt, player: nameColumns })
      .from(blocks)
      .leftJoin(profiles, eq(profiles.userId, blocks.blockedId))
      .where(and(eq(blocks.blockerId, userId), gt(blocks.blockedId, last?.blockedId ?? "")))
      .orderBy(blocks.blockedId)
      .limit(PAGE_SIZE),
  );
  for await (const { player, createdAt } of rows)
    yield { name: player ? displayName(player) : UNKNOWN_PLAYER, createdAt };
}

/**
 * Exports the player's reports, oldest first: by row id, the order in which the index on the reporter holds them. Each
 * includes the reported thing as the player saw it.
 */
export async function* listReports(db: Database, userId: string) {
  const { id, reason, details, createdAt } = reports;
  const { kind } = reportCases;
  const asReported = sql`coalesce(${reports.snapshot}, ${reportCases.snapshot})`.mapWith(JSON.parse);
  const place = sql<number>`reports.rowid`;
  const rows = paginate<{ place: number }>((last) =>
    db
      .select({ place, id, kind, reason, details, asReported, createdAt })
      .from(reports)
      .innerJoin(reportCases, eq(reportCases.id, reports.caseId))
      .where(and(eq(reports.reporterId, userId), gt(place, last?.place ?? 0)))
      .orderBy(place)
      .limit(PAGE_SIZE),
  );
  for await (const { place: _, ...report } of rows) yield report;
}

/**
 * Exports the decisions about the player, newest first, with their appeals. Names neither moderators nor reporters, as
 * on `/account/decisions`.
 */
export async function* listDecisions(db: Database, userId: string) {
  const found = paginate<OwnDecision>((last) => readOwnDecisions(db, userId, last?.id, PAGE_SIZE));
  for await (const decision of found) {
    const { id, kind, action, scopes, rule, reason, until, undoneBy, createdAt, snapshot, appeal } = decision;
    yield {
      ...{ id, kind, action, scopes, rule, reason, until },
      asReported: snapshot ? quoteOf(kind, snapshot, decision) : [],
      origin: originWords(decision),
      isTakenBack: undoneBy !== null,
      ...{ createdAt, appeal },
    };
  }
}

/** Exports the player's current limits. */
export async function* listLimits(db: Database, userId: string, now: Date) {
  yield* await findLimits(db, userId, now);
}

/**
 * Exports the player's hidden content that we still keep: the profile's texts, name and picture, the notes on requests
 * and searches, and the names that the player gave to teams. A team's name belongs to the player whom the case is
 * about, not to the team's captain, who may have taken over since. Hidden posts and messages are in other lists.
 * `restored` holds texts of the profile that are shown again, or that newer texts had replaced.
 */
export async function* listHidden(db: Database, userId: string) {
  const { kind, subjectId, original, createdAt: hiddenAt } = hiddenOriginals;
  const teams = db
    .select({ id: reportCases.subjectId })
    .from(reportCases)
    .where(and(eq(reportCases.playerId, userId), eq(reportCases.kind, "team")));
  yield* await db
    .select({ kind, original, hiddenAt })
    .from(hiddenOriginals)
    .where(
      or(
        and(inArray(kind, ["player", "restored"]), eq(subjectId, userId)),
        and(eq(kind, "team"), inArray(subjectId, teams)),
      ),
    );
}
