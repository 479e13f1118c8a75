import { and, desc, eq, sql } from "drizzle-orm";
import { tournaments } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { configuredLimit } from "~/platform/limits/limits.server";
import type { Viewer } from "~/platform/session/viewer";
import { type ListingGap, sayGaps } from "../listing";

type Settings = Pick<RequestContext, "env">;
type Host = Pick<Viewer, "verified" | "emailConfirmed">;

/** Returns the reasons that keep a host's tournaments off the lists; empty if there are none. */
export function listingGaps({ env }: Settings, host: Host): ListingGap[] {
  const gaps: ListingGap[] = host.verified ? [] : ["riot"];
  return env.REQUIRE_CONFIRMED_EMAIL && !host.emailConfirmed ? [...gaps, "email"] : gaps;
}

/** Lists a host's open tournaments, newest first, up to the highest number that any host may have open. */
export function listOpenHosted({ db, env }: Pick<RequestContext, "db" | "env">, userId: string) {
  return (
    db
      .select({ id: tournaments.id, title: tournaments.title })
      .from(tournaments)
      // A literal, not a parameter, so that SQLite uses the partial index.
      .where(and(eq(tournaments.userId, userId), sql`state = 'open'`))
      .orderBy(desc(tournaments.id))
      .limit(configuredLimit(env, "openTournaments").times)
  );
}

/** Presents the limit that a host has reached, with their open tournaments; null if they may host another. */
export function presentFull(context: Settings, host: Host, open: Awaited<ReturnType<typeof listOpenHosted>>) {
  const limit = openLimit(context, host);
  if (open.length < limit) return null;
  return {
    limit: sayLimit(limit),
    open: open.map(({ id, title }) => ({ to: `/tournaments/${id}`, name: title })),
  };
}

/** Returns the number of tournaments that a host may have open at a time. */
function openLimit(context: Settings, host: Host): number {
  const isListed = listingGaps(context, host).length === 0;
  return configuredLimit(context.env, isListed ? "openTournaments" : "openUnlistedTournaments").times;
}

/** Words the number of tournaments that a host may have open at a time. */
function sayLimit(limit: number): string {
  return `You can have ${limit === 1 ? "one tournament" : `${limit} tournaments`} open at a time.`;
}

/** Words the refusal of another open tournament. */
export function tooManyOpen(context: Settings, host: Host): string {
  const gaps = listingGaps(context, host);
  const limit = openLimit(context, host);
  const way = gaps.length > 0 ? `, or ${sayGaps(gaps)} to host more` : " before you host another";
  return `${sayLimit(limit)} Start or cancel ${limit === 1 ? "it" : "one"}${way}.`;
}
