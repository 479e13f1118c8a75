import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { users } from "#db/schema";
import { type ModerationActor, mayAct } from "./log.server";
import { type CaseColumns, hasReported, isReviewOf } from "./party.server";

/*
 * The conditions under which a person may decide a case. An operator at the command line has no account, and ranks
 * above admins.
 */

const about = alias(users, "about");

type SettledCase = CaseColumns & Record<"playerId" | "isForAdmin", SQLiteColumn>;

/** Returns an actor's player id; null for operators. */
export const playerOf = (actor: ModerationActor): string | null => ("userId" in actor ? actor.userId : null);

/** True if a case is about the actor. */
export const isOwn = (actor: ModerationActor, { playerId }: Pick<SettledCase, "playerId">): SQL =>
  "userId" in actor ? sql`${playerId} IS ${actor.userId}` : sql`0`;

/** True if a case is about an admin, which only operators decide. */
export const isAboutAdmin = (actor: ModerationActor, { playerId }: Pick<SettledCase, "playerId">): SQL =>
  "userId" in actor
    ? sql`EXISTS (SELECT 1 FROM ${users} AS ${about} WHERE ${about.id} = ${playerId} AND ${about.role} = 'admin')`
    : sql`0`;

/** True if a case was handed to the admins, and the actor isn't one. */
export const isForOthers = (actor: ModerationActor, { isForAdmin }: Pick<SettledCase, "isForAdmin">): SQL =>
  sql`(${isForAdmin} AND NOT ${mayAct(actor, "admin")})`;

/** True if the actor may decide a case, hand it over, or take it on. */
export const maySettle = (actor: ModerationActor, theCase: SettledCase): SQL =>
  sql`(${mayAct(actor)} AND NOT ${isOwn(actor, theCase)} AND NOT ${hasReported(playerOf(actor), theCase)}
    AND NOT ${isReviewOf(playerOf(actor), theCase)} AND NOT ${isAboutAdmin(actor, theCase)}
    AND NOT ${isForOthers(actor, theCase)})`;
