import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isCaseShownTo } from "#db/cases";
import { users } from "#db/schema";
import { type CaseColumns, hasReported, isReviewOf } from "./involvement.server";
import { isActing, type ModerationActor, mayAct } from "./log.server";

/*
 * The conditions under which a person may decide a case. An operator at the command line has no account, and ranks
 * above admins.
 */

const about = alias(users, "about");
const settler = alias(users, "settler");

type SettledCase = CaseColumns & Record<"playerId" | "isForAdmin", SQLiteColumn>;

/** Returns an actor's player id; null for operators. */
export const playerOf = (actor: ModerationActor): string | null => ("userId" in actor ? actor.userId : null);

/** True if a case is about the actor, who therefore doesn't see it. */
export const isOwn = (actor: ModerationActor, theCase: Pick<SettledCase, "playerId">): SQL =>
  sql`(NOT (${isCaseShownTo(playerOf(actor), theCase)}))`;

/** True if a case is about the actor or about a review of them, or if they have reported it. */
export const isInvolved = (actor: ModerationActor, theCase: SettledCase): SQL =>
  sql`(${isOwn(actor, theCase)} OR ${hasReported(playerOf(actor), theCase)}
    OR ${isReviewOf(playerOf(actor), theCase)})`;

/** True if the player whom a case is about is an admin. */
const isPlayerAdmin = ({ playerId }: Pick<SettledCase, "playerId">): SQL =>
  sql`EXISTS (SELECT 1 FROM ${users} AS ${about} WHERE ${about.id} = ${playerId} AND ${about.role} = 'admin')`;

/** True if a case is about an admin, and the actor isn't an operator: only operators decide such cases. */
export const isAboutAdmin = (actor: ModerationActor, theCase: Pick<SettledCase, "playerId">): SQL =>
  "userId" in actor ? isPlayerAdmin(theCase) : sql`0`;

/** True if a case was handed to the admins, and the actor may not currently act as one. */
export const isForOthers = (actor: ModerationActor, now: Date, { isForAdmin }: Pick<SettledCase, "isForAdmin">): SQL =>
  sql`(${isForAdmin} AND NOT ${mayAct(actor, now, "admin")})`;

/**
 * True for the accounts that may decide a case, hand it over, or take it on.
 * @param account the query's name for `users`
 */
export const maySettleAs = (account: Parameters<typeof isActing>[0], now: Date, theCase: SettledCase): SQL =>
  sql`(${isActing(account, now)} AND ${isCaseShownTo(account.id, theCase)} AND NOT ${hasReported(account.id, theCase)}
    AND NOT ${isReviewOf(account.id, theCase)} AND NOT ${isPlayerAdmin(theCase)}
    AND (NOT ${theCase.isForAdmin} OR ${account.role} = 'admin'))`;

/** True if the actor may decide a case, hand it over, or take it on. */
export const maySettle = (actor: ModerationActor, now: Date, theCase: SettledCase): SQL =>
  "userId" in actor
    ? sql`EXISTS (
        SELECT 1 FROM ${users} AS ${settler}
        WHERE ${settler.id} = ${actor.userId} AND ${maySettleAs(settler, now, theCase)}
      )`
    : sql`1`;
