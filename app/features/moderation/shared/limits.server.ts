import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { restrictions } from "#db/schema";
import type { RestrictionScope } from "#db/words/restriction-scopes";
import type { RequestContext } from "~/platform/context";
import { exactMoment } from "~/platform/dates/dates";
import type { FormFailure } from "~/platform/forms/forms.server";
import { OWN_DECISIONS, SCOPE_WORDS } from "../rules";

/*
 * Limits that moderators set. Every statement for a forbidden action checks `isLimited`, so a limit takes effect from
 * the next statement on, and ends by itself.
 */

const r = alias(restrictions, "r");

/** The end of a player's current limit as an SQL expression, in milliseconds; NULL if they have none. */
export const limitEnd = (userId: SQL | string, scope: RestrictionScope, now: number): SQL => sql`(
  SELECT ${r.until} FROM ${restrictions} AS ${r}
  WHERE ${r.userId} = ${userId} AND ${r.scope} = ${scope} AND ${r.until} > ${now}
)`;

/** True if a player is limited. @param userId an id, or an SQL expression with its table's name or alias */
export const isLimited = (userId: SQL | string, scope: RestrictionScope, now: number): SQL =>
  sql`(${limitEnd(userId, scope, now)} IS NOT NULL)`;

/** The outcome of a command that a limit forbids. */
export interface Limited {
  outcome: "limited";
  scope: RestrictionScope;
  /** The end, in milliseconds since 1970. */
  until: number;
}

/** Builds the statement that reads a player's limit, for the transaction of an action that the limit may forbid. */
export const readLimit = (db: Database, userId: string, scope: RestrictionScope, now: number) =>
  db.all<Omit<Limited, "outcome">>(sql`SELECT ${scope} AS scope, ${r.until} AS until FROM ${restrictions} AS ${r}
    WHERE ${r.userId} = ${userId} AND ${r.scope} = ${scope} AND ${r.until} > ${now}`);

/** Returns the outcome for the limit that `readLimit` has read; undefined if there is none. */
export const limitedBy = ([limit]: Omit<Limited, "outcome">[]): Limited | undefined =>
  limit && { outcome: "limited", ...limit };

/** Refuses an action that a limit forbids: names the limit's end, and links to the decision. */
export async function refuseLimited(
  context: Pick<RequestContext, "clock">,
  { scope, until }: Omit<Limited, "outcome">,
): Promise<FormFailure> {
  const end = exactMoment(until, await context.clock());
  return {
    status: 403,
    error: `You can't ${SCOPE_WORDS[scope]} until ${end}. Why, and how to appeal: ${OWN_DECISIONS}.`,
    toastTitle: "Limited by moderators",
    next: { to: OWN_DECISIONS, label: "See the decision" },
  };
}
