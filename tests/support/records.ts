import { desc, eq } from "drizzle-orm";
import { openTexts } from "../../app/platform/email/outbox.server";
import {
  auditLog,
  identities,
  notifications,
  outbox,
  profiles,
  sessions,
  tournamentEvents,
  users,
} from "../../db/schema";
import type { TestApp } from "./app";
import { LOCAL_KEYS } from "./mailbox";

/** Identifies an account by its id or its email address. */
type Who = { id: string } | { email: string };

/**
 * Reads players' and tournaments' rows from the app's database, for tests to compare with their expectations. Only
 * `makeDeletionDue` changes a row.
 *
 * @example
 * const { profileOf } = recordsIn(app);
 * expect((await profileOf(player)).currentRank).toBe("Gold 2");
 */
export function recordsIn(app: Pick<TestApp, "db">) {
  /** The account; undefined when it doesn't exist or has been deleted. */
  const accountOf = (who: Who) =>
    app.db
      .select()
      .from(users)
      .where("id" in who ? eq(users.id, who.id) : eq(users.email, who.email))
      .get();

  /** The profile. Throws when the account has none. */
  async function profileOf(who: Who): Promise<typeof profiles.$inferSelect> {
    const id = "id" in who ? who.id : (await accountOf(who))?.id;
    const profile = id && (await app.db.select().from(profiles).where(eq(profiles.userId, id)).get());
    if (!profile) throw new Error(`${"id" in who ? who.id : who.email} has no profile.`);
    return profile;
  }

  /** The provider accounts that a player has linked. */
  const linkedOf = ({ id }: { id: string }) => app.db.select().from(identities).where(eq(identities.userId, id));

  const sessionsOf = ({ id }: { id: string }) => app.db.select().from(sessions).where(eq(sessions.userId, id));

  /** A player's entries of the audit log, the oldest first. */
  const auditOf = ({ id }: { id: string }) =>
    app.db.select().from(auditLog).where(eq(auditLog.userId, id)).orderBy(auditLog.id);

  /** The actions in a player's audit log, the oldest first. */
  const actionsOf = async (who: { id: string }): Promise<string[]> => (await auditOf(who)).map(({ action }) => action);

  /** A player's audit log as lines `actor: action`, the newest first. */
  const auditLinesOf = async (who: { id: string }): Promise<string[]> =>
    (await auditOf(who)).map(({ actor, action }) => `${actor}: ${action}`).reverse();

  /** A player's notifications, the oldest first. */
  const notificationsOf = ({ id }: { id: string }) =>
    app.db.select().from(notifications).where(eq(notifications.userId, id)).orderBy(notifications.createdAt);

  /** The outbox's emails to an address, decrypted, the newest first. */
  const emailsTo = async (recipient: string) =>
    (await app.db.select().from(outbox).where(eq(outbox.recipient, recipient)).orderBy(desc(outbox.id))).map((row) =>
      openTexts(LOCAL_KEYS, row),
    );

  /** A tournament's log, the oldest entry first. */
  const tournamentLogOf = async (id: string) =>
    (
      await app.db
        .select()
        .from(tournamentEvents)
        .where(eq(tournamentEvents.tournamentId, id))
        .orderBy(tournamentEvents.id)
    ).map(({ action, details }) => ({ action, details }));

  /** Makes an account's deletion overdue by `by` milliseconds. */
  const makeDeletionDue = ({ id }: { id: string }, by = 1) =>
    app.db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() - by) })
      .where(eq(users.id, id));

  return {
    accountOf,
    profileOf,
    linkedOf,
    sessionsOf,
    auditOf,
    actionsOf,
    auditLinesOf,
    notificationsOf,
    emailsTo,
    tournamentLogOf,
    makeDeletionDue,
  };
}
