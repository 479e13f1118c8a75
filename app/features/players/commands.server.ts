import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { hasQuietHours, releasePushes } from "#db/pushes";
import { lfgPosts, profiles, users } from "#db/schema";
import { transact } from "#db/statements";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { notePicturesOf, noteUpload, noteUploaded } from "~/features/follow-ups/shared/note.server";
import { tellInboxes } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { isExceeded } from "~/platform/limits/uses.server";
import type { RoomCaller } from "~/platform/rooms/rooms.server";
import { isSessionOpen } from "~/platform/session/conditions.server";
import type { SessionClaim } from "~/platform/session/viewer";
import { facetsOf, foldTag } from "./directory/facets";
import type { ProfileFields } from "./profile/profile-schema";
import { profileVersion } from "./profile/profile-values";
import { rewriteFacets } from "./shared/facets.server";
import { unlessHidden } from "./shared/hide-player.server";
import { writeName, writeNames } from "./shared/names.server";

const saved = alias(profiles, "saved");

type Profile = typeof profiles.$inferSelect;

/**
 * The modification time that a transaction gives to the profile that it saves, until `stampSaved` sets the real one. No
 * other transaction ever sees it, so each recognises its own save, even if there are two in the same millisecond.
 */
const SAVING = new Date(-1);

/** SQL condition that this transaction has written a player's profile, and not yet stamped it. */
const isSaving = (userId: string) => sql`EXISTS (SELECT 1 FROM ${profiles} AS ${saved}
  WHERE ${saved.userId} = ${userId} AND ${saved.updatedAt} = ${SAVING.getTime()})`;

/** Builds the last statement of a save. Its result has a row if the profile was saved. */
const stampSaved = ({ db, now }: Pick<Writing, "db" | "now">, userId: string) =>
  db
    .update(profiles)
    .set({ updatedAt: now })
    .where(and(eq(profiles.userId, userId), eq(profiles.updatedAt, SAVING)))
    .returning({ userId: profiles.userId });

/**
 * Builds the statement that releases the pushes that wait for the end of quiet hours, if the player's zone is about to
 * change: the hours move with it.
 */
const releaseIfZoneChanges = (db: Database, userId: string, timeZone: string | null, now: Date) =>
  releasePushes(
    db,
    userId,
    now,
    sql`${hasQuietHours(userId)} AND EXISTS (SELECT 1 FROM ${profiles}
      WHERE ${profiles.userId} = ${userId} AND ${profiles.timeZone} IS NOT ${timeZone})`,
  );

/** Makes a player's inbox push what a save has released. */
function pushReleased({ env, defer }: Partial<RoomCaller>, userId: string, released: readonly object[] = []): void {
  if (env && defer && released.length > 0) tellInboxes({ env, defer }, [{ userId, hasPush: 1 }]);
}

/** Whether a profile already has the values of a form. */
const holds = (profile: Profile, fields: ProfileFields) =>
  Object.entries(fields).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(profile[name as keyof ProfileFields]),
  );

/**
 * Saves a player's profile form: the profile, its entries in the directory, the words by which its name is found, and
 * the voice preference, which is copied to the player's open posts. One transaction. A verified Riot ID stays as Riot
 * returned it. Editing a Discord tag or an unverified Riot ID clears what Discord or Riot had supplied with it. Words
 * that moderators have hidden stay hidden.
 * @param version the profile that the form was made from (`profileVersion`); undefined for pages that were opened
 *   before the form contained it
 * @param hiddenTags the player's hidden tags (`findHiddenTags`). Hiding more of them changes the profile's version
 * @returns null if the profile is now as the form says; if it has changed since that version, the new version, and
 *   nothing is saved
 */
export async function saveProfile(
  writing: Writing,
  userId: string,
  typed: ProfileFields,
  version: string | undefined,
  hiddenTags: readonly string[],
): Promise<string | null> {
  const { db, now } = writing;
  const hidden = new Set(hiddenTags.map(foldTag));
  const personalityTags = typed.personalityTags.filter((tag) => !hidden.has(foldTag(tag)));
  const fields = { ...typed, personalityTags };
  const { playTimes, description, voiceCommsPreference } = fields;
  const shown = (key: "riotId" | "discordTag" | "description" | "playTimes") => unlessHidden(userId, key, fields[key]);
  const [riotId, discordTag] = [shown("riotId"), shown("discordTag")];
  const words = {
    discordTag,
    description: shown("description"),
    playTimes: shown("playTimes"),
  };
  const keepsRiotId = sql`${profiles.riotVerifiedAt} IS NOT NULL OR ${profiles.riotId} IS ${riotId}`;
  const { released, stamp, stored } = await transact(db, {
    released: releaseIfZoneChanges(db, userId, fields.timeZone, now),
    profile: db
      .insert(profiles)
      .values({
        userId,
        ...fields,
        ...words,
        riotId,
        joinedAt: sql`(SELECT ${users.createdAt} FROM ${users} WHERE ${users.id} = ${userId})`,
        updatedAt: SAVING,
      })
      .onConflictDoUpdate({
        target: profiles.userId,
        set: {
          ...fields,
          ...words,
          riotId: sql`iif(${keepsRiotId}, ${profiles.riotId}, ${riotId})`,
          riotGameName: sql`iif(${keepsRiotId}, ${profiles.riotGameName}, NULL)`,
          riotTagLine: sql`iif(${keepsRiotId}, ${profiles.riotTagLine}, NULL)`,
          discordVerifiedAt: sql`iif(${profiles.discordTag} IS ${discordTag}, ${profiles.discordVerifiedAt}, NULL)`,
          updatedAt: SAVING,
        },
        ...(version !== undefined && { setWhere: sql`${profiles.updatedAt} = CAST(${version} AS INTEGER)` }),
      }),
    facets: rewriteFacets(db, userId, facetsOf(fields), isSaving(userId)),
    // These two statements read the stored words, so they need no condition.
    name: writeName(writing, userId, fields.riotId ?? ""),
    flag: raiseFlags(
      writing,
      { kind: "player", id: userId },
      { description, playTimes, discordTag: fields.discordTag, tags: personalityTags },
      userId,
    ),
    // If moderators have hidden the typed name, the player has none, and can no longer be found by the previous one.
    noName: fields.riotId === null ? undefined : writeNames(db, [{ userId, name: "" }], isSaving(userId)),
    posts: db
      .update(lfgPosts)
      .set({ voiceComms: voiceCommsPreference })
      .where(and(eq(lfgPosts.userId, userId), eq(lfgPosts.isActive, sql`1`), isSaving(userId))),
    stamp: stampSaved(writing, userId),
    stored: db
      .select({ profile: profiles, kept: { riotId, ...words } })
      .from(profiles)
      .where(eq(profiles.userId, userId)),
  });
  pushReleased(writing, userId, released);
  const [found] = stored;
  // On a double press, or a retry after a lost response, the first request has already done this.
  const isHeld = found && holds(found.profile, { ...fields, ...found.kept });
  return stamp.length > 0 || isHeld ? null : profileVersion(found?.profile);
}

/** The parts of a profile that can be saved without the rest of its form. */
export type ProfileFacts = Partial<
  Pick<
    Profile,
    "currentRank" | "preferredRole" | "mainAgents" | "availability" | "timeZone" | "region" | "languages" | "readySteps"
  >
>;

/**
 * Saves some facts of a profile, and the directory's entries, which depend on the whole profile. One transaction.
 * @param profile the profile, as read before
 * @returns null if they are saved; if the profile has changed since, its new version, and nothing is saved
 */
export async function saveProfileFacts(
  writing: Omit<Writing, "origin">,
  profile: Profile,
  facts: ProfileFacts,
): Promise<string | null> {
  const { db, now } = writing;
  const { userId, updatedAt } = profile;
  const { released, stamp, stored } = await transact(db, {
    released: facts.timeZone === undefined ? undefined : releaseIfZoneChanges(db, userId, facts.timeZone, now),
    update: db
      .update(profiles)
      .set({ ...facts, updatedAt: SAVING })
      .where(and(eq(profiles.userId, userId), eq(profiles.updatedAt, updatedAt))),
    facets: rewriteFacets(db, userId, facetsOf({ ...profile, ...facts }), isSaving(userId)),
    stamp: stampSaved(writing, userId),
    stored: db.select({ updatedAt: profiles.updatedAt }).from(profiles).where(eq(profiles.userId, userId)),
  });
  pushReleased(writing, userId, released);
  return stamp.length > 0 ? null : profileVersion(stored[0]);
}

/**
 * Announces an upload to the bucket, by the player whom the session claim names: if it fails halfway, the cron deletes
 * the picture. Stores nothing if the session isn't open, or if the limit on pictures is used up.
 * @param picture the new picture's name
 */
export async function announceUpload(
  context: Pick<RequestContext, "db" | "env" | "now">,
  claim: SessionClaim,
  picture: string,
): Promise<unknown> {
  const { db, now } = context;
  const mayUpload = sql`${isSessionOpen(claim, now)} AND NOT ${isExceeded(context, "picture", claim.userId)}`;
  return noteUpload(db, claim.userId, picture, now, mayUpload);
}

/**
 * Replaces a player's picture with another one, or with none. The caller then carries out the follow-ups, which delete
 * the replaced picture from the bucket, or the new one if it came too late.
 * @param from the picture to replace, as read before
 * @returns false if another picture has replaced it in the meantime
 */
export async function replaceAvatar(
  { db, now }: Pick<RequestContext, "db" | "now">,
  userId: string,
  from: string | null,
  to: string | null,
): Promise<boolean> {
  const wears = sql`${profiles.userId} = ${userId} AND ${profiles.avatarId} IS ${from}`;
  const isCurrent = sql`EXISTS (SELECT 1 FROM ${profiles} WHERE ${wears})`;
  const { replaced } = await transact(db, {
    followUp: notePicturesOf(db, userId, now, isCurrent),
    uploaded: to === null ? undefined : noteUploaded(db, userId, to, now),
    replaced: db.update(profiles).set({ avatarId: to }).where(wears).returning({ userId: profiles.userId }),
  });
  return replaced.length > 0;
}
