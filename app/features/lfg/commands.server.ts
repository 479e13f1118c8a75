import { and, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { lfgPosts, profiles } from "#db/schema";
import { BUMP_INTERVAL, isOpen, POST_LIFETIME, searchTextOf } from "./rules";
import type { PostFields } from "./schema";

/**
 * Why a post could not be changed. `missing` covers another player's post too, so that ids tell nothing beyond what
 * the post's public page shows.
 */
export type PostChange = "done" | "missing" | "closed" | "too-soon";

/**
 * Makes a post. Its id comes from the form, so a doubled submit finds the post of the first.
 * @returns whether the post is there and the player's own
 */
export async function createPost(
  db: Database,
  { id, ...fields }: PostFields & { id: string },
  userId: string,
  now: Date,
): Promise<boolean> {
  const [, own] = await Promise.all([
    db
      .insert(lfgPosts)
      .values({
        id,
        userId,
        ...fields,
        voiceComms: sql`(SELECT ${profiles.voiceCommsPreference} FROM ${profiles} WHERE ${profiles.userId} = ${userId})`,
        searchText: searchTextOf(fields),
        createdAt: now,
        listedAt: now,
        updatedAt: now,
        expiresAt: new Date(now.getTime() + POST_LIFETIME),
      })
      .onConflictDoNothing({ target: lfgPosts.id })
      // Run here and now, so that it is in the pipeline before the question whether it worked.
      .run(),
    db.select({ id: lfgPosts.id }).from(lfgPosts).where(ownPost(id, userId)).get(),
  ]);
  return own !== undefined;
}

/** Changes what an open post says. */
export async function editPost(
  db: Database,
  id: string,
  fields: PostFields,
  userId: string,
  now: Date,
): Promise<PostChange> {
  return change(db, id, userId, now, {
    set: { ...fields, searchText: searchTextOf(fields), updatedAt: now },
  });
}

/** Takes a post off the list for good. Closing a closed one is done already. */
export async function closePost(db: Database, id: string, userId: string, now: Date): Promise<PostChange> {
  const outcome = await change(db, id, userId, now, { set: { isActive: false, updatedAt: now } });
  return outcome === "closed" ? "done" : outcome;
}

/** Puts a post back on top of the list, at most every 30 minutes. Its end stays where it is. */
export async function bumpPost(db: Database, id: string, userId: string, now: Date): Promise<PostChange> {
  return change(db, id, userId, now, {
    set: { listedAt: now },
    where: lte(lfgPosts.listedAt, new Date(now.getTime() - BUMP_INTERVAL)),
  });
}

/** Removes a post. Removing one that is gone is `missing`. */
export async function deletePost(db: Database, id: string, userId: string): Promise<PostChange> {
  const deleted = await db.delete(lfgPosts).where(ownPost(id, userId)).returning({ id: lfgPosts.id });
  return deleted.length > 0 ? "done" : "missing";
}

/** Closes posts whose time is over, so that the indexes of open posts stay small. */
export function closeExpiredPosts(db: Database, now: Date, limit: number) {
  const expired = db
    .select({ id: lfgPosts.id })
    .from(lfgPosts)
    .where(and(eq(lfgPosts.isActive, sql`1`), lte(lfgPosts.expiresAt, now)))
    .limit(limit);
  return db.update(lfgPosts).set({ isActive: false, updatedAt: now }).where(inArray(lfgPosts.id, expired));
}

const ownPost = (id: string, userId: string) => and(eq(lfgPosts.id, id), eq(lfgPosts.userId, userId));

/** An update of one's own open post, and in the same round trip what to say when it changed nothing. */
async function change(
  db: Database,
  id: string,
  userId: string,
  now: Date,
  { set, where }: { set: Partial<typeof lfgPosts.$inferInsert>; where?: ReturnType<typeof lte> },
): Promise<PostChange> {
  const [post, changed] = await Promise.all([
    db
      .select({ isActive: lfgPosts.isActive, expiresAt: lfgPosts.expiresAt })
      .from(lfgPosts)
      .where(ownPost(id, userId))
      .get(),
    db
      .update(lfgPosts)
      .set(set)
      .where(and(ownPost(id, userId), eq(lfgPosts.isActive, true), gt(lfgPosts.expiresAt, now), where))
      .returning({ id: lfgPosts.id }),
  ]);
  if (changed.length > 0) return "done";
  if (!post) return "missing";
  return isOpen(post, now) ? "too-soon" : "closed";
}
