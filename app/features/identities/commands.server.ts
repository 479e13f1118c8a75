import { and, eq, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { uuidv7 } from "#db/ids";
import { type IdentityProvider, identities, NO_PASSWORD, type PendingIdentity, profiles, users } from "#db/schema";
import { columnsOf } from "#db/sql";
import { type Result, type Steps, transact } from "#db/statements";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { unlessHidden } from "~/features/players/shared/hide-player.server";
import { recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { deliverDueEmails, enqueueEmailIf } from "~/platform/email/outbox.server";
import { announceAuthEvent } from "~/platform/session/auth-events.server";
import { isSessionOpen } from "~/platform/session/conditions.server";
import type { SessionClaim, Viewer } from "~/platform/session/viewer";
import { accountLinkedEmail, accountUnlinkedEmail } from "./emails";
import type { ProvenAccount, Provider } from "./providers.server";
import { LINKED_ACCOUNTS, PROVIDER_NAMES } from "./rules";
import { unverifyDiscordTag } from "./shared/discord-tag.server";

const gone = alias(identities, "gone");
const made = alias(identities, "made");
const other = alias(identities, "other");
const ownRow = alias(identities, "own");
const owner = alias(users, "owner");
const renamed = alias(identities, "renamed");

/** Another feature's condition for a link, and its statements in the same transaction. */
interface LinkEffects<S extends Steps> {
  /** A further condition for the link. */
  condition?: SQL;
  /** @param isLinked SQL condition: this transaction has created the link */
  statements(isLinked: SQL): S;
}

/**
 * The outcome of linking. Linking fails if the account is another player's, if the player has linked another account of
 * this provider, if the other feature's condition doesn't hold, or if the session has ended.
 */
export type LinkOutcome =
  | "linked"
  | "linked-before"
  | "someone-else's"
  | "another-linked"
  | "not-allowed"
  | "signed-out";

/**
 * Links the signed-in player to an account that its provider has just confirmed. One transaction: of two players who
 * link the same account at the same time, only one succeeds.
 * @returns the outcome, and the results of the other feature's statements
 */
export async function linkAccount<S extends Steps>(
  context: RequestContext,
  viewer: Viewer,
  claim: SessionClaim,
  account: ProvenAccount,
  linked?: LinkEffects<S>,
): Promise<{ outcome: LinkOutcome; effects: Result<S | undefined> }> {
  const { db, now, origin } = context;
  const { provider, subject, name } = account;
  const id = uuidv7(now.getTime());
  const isLinked = sql`EXISTS (SELECT 1 FROM ${identities} AS ${made} WHERE ${made.id} = ${id})`;
  const isSignedIn = isSessionOpen(claim, now);
  const condition = linked?.condition ?? sql`1`;
  const { holders, own, allowed, effects } = await transact(db, {
    link: db.run(
      sql`INSERT INTO ${identities} ${columnsOf(identities, "id", "userId", "provider", "subject", "name", "createdAt")}
        SELECT ${id}, ${viewer.id}, ${provider}, ${subject}, ${name}, ${now.getTime()} WHERE ${isSignedIn} AND ${condition}
        ON CONFLICT DO NOTHING`,
    ),
    effects: linked?.statements(isLinked),
    discord: provider === "discord" ? verifyDiscordTag(context, viewer.id, name, isLinked) : undefined,
    audit: recordAuditIf(
      db,
      isLinked,
      { userId: viewer.id, actor: "player", action: "identity-linked", details: { provider } },
      now,
    ),
    email: enqueueEmailIf(
      context,
      isLinked,
      accountLinkedEmail(viewer.email, PROVIDER_NAMES[provider], name, origin + LINKED_ACCOUNTS),
    ),
    holders: db
      .select({ id: identities.id, userId: identities.userId, subject: identities.subject })
      .from(identities)
      .where(and(eq(identities.provider, provider), eq(identities.subject, subject))),
    own: db
      .select({ id: identities.id })
      .from(identities)
      .where(and(eq(identities.userId, viewer.id), eq(identities.provider, provider))),
    allowed: db.all<{ isAllowed: number }>(sql`SELECT ${condition} AS isAllowed`),
  });
  const outcome = outcomeOf({
    id,
    viewerId: viewer.id,
    holder: holders[0],
    hasOwn: own.length > 0,
    isAllowed: allowed[0]?.isAllowed === 1,
  });
  if (outcome === "linked") {
    announceAuthEvent(context, "USER_UPDATED");
    context.defer(() => deliverDueEmails(context));
  }
  return { outcome, effects };
}

function outcomeOf({
  id,
  viewerId,
  holder,
  hasOwn,
  isAllowed,
}: {
  id: string;
  viewerId: string;
  holder: { id: string; userId: string } | undefined;
  hasOwn: boolean;
  isAllowed: boolean;
}): LinkOutcome {
  if (holder?.id === id) return "linked";
  if (holder?.userId === viewerId) return "linked-before";
  if (holder) return "someone-else's";
  if (hasOwn) return "another-linked";
  return isAllowed ? "signed-out" : "not-allowed";
}

/**
 * Builds the statements that link a new player to the provider account with which their sign-up began. They have no
 * effect if the sign-up has created no player, or if an earlier click has linked an account of this provider. If the
 * provider account has been linked to another player in the meantime, the statements make the sign-up fail.
 * @returns the statements, and an SQL condition that is true once they have linked the account
 */
export function linkAtSignup(
  writing: Omit<Writing, "origin">,
  userId: string,
  { provider, subject, name }: PendingIdentity,
) {
  const { db, now } = writing;
  const id = uuidv7(now.getTime());
  const isLinked = sql`EXISTS (SELECT 1 FROM ${identities} AS ${made} WHERE ${made.id} = ${id})`;
  const statements = {
    link: db.run(
      sql`INSERT INTO ${identities} ${columnsOf(identities, "id", "userId", "provider", "subject", "name", "createdAt")}
        SELECT ${id}, ${owner.id}, ${provider}, ${subject}, ${name}, ${now.getTime()} FROM ${users} AS ${owner}
        WHERE ${owner.id} = ${userId}
          AND NOT EXISTS (SELECT 1 FROM ${identities} AS ${ownRow} WHERE ${ownRow.userId} = ${owner.id}
            AND ${ownRow.provider} = ${provider})`,
    ),
    discord: provider === "discord" ? verifyDiscordTag(writing, userId, name, isLinked) : undefined,
    audit: recordAuditIf(
      db,
      isLinked,
      { userId: userId, actor: "player", action: "identity-linked", details: { provider } },
      now,
    ),
  };
  return { statements, isLinked };
}

/** Builds the statements that set the profile's Discord tag to the one Discord supplied, and mark it as verified. */
const verifyDiscordTag = (writing: Omit<Writing, "origin">, userId: string, name: string, condition: SQL) =>
  writeDiscordTag(writing, userId, name, condition, { discordVerifiedAt: writing.now });

/**
 * Builds the statements that set the profile's Discord tag, and flag it if our checks find something in it. A tag that
 * moderators have hidden stays hidden.
 */
const writeDiscordTag = (
  writing: Omit<Writing, "origin">,
  userId: string,
  name: string,
  condition: SQL | undefined,
  verified?: { discordVerifiedAt: Date },
) => ({
  tag: writing.db
    .update(profiles)
    .set({ discordTag: unlessHidden(userId, "discordTag", name), ...verified, updatedAt: writing.now })
    .where(and(eq(profiles.userId, userId), condition)),
  flag: raiseFlags(writing, { kind: "player", id: userId }, { discordTag: name }, userId),
});

/**
 * Builds the statements that store the name of a linked account if it has changed at the provider. They run in the
 * transaction of a sign-in with that account. A verified Discord tag follows the name, even if moderators have
 * hidden the old one.
 */
export function renameAccount(writing: Omit<Writing, "origin">, userId: string, account: ProvenAccount) {
  const { db } = writing;
  const { provider, name } = account;
  const isRenamed = sql`EXISTS (SELECT 1 FROM ${identities} AS ${renamed}
    WHERE ${renamed.userId} = ${userId} AND ${renamed.provider} = ${provider} AND ${renamed.name} <> ${name})`;
  return {
    // Comes first, because it compares the stored name with the new one. An unchanged name isn't written, because
    // moderators may have hidden it, and it would come back once its original is deleted.
    discord:
      provider === "discord"
        ? writeDiscordTag(writing, userId, name, and(isNotNull(profiles.discordVerifiedAt), isRenamed))
        : undefined,
    rename: db
      .update(identities)
      .set({ name })
      .where(and(eq(identities.userId, userId), eq(identities.provider, provider), ne(identities.name, name))),
  };
}

/**
 * Unlinks a player's provider account, unless it is their last way to sign in. A password, or another linked account of
 * a configured provider, is another way. The condition is part of the statement, so two simultaneous requests can't
 * remove the last two. An emailed code doesn't count: it is a fallback, and an address may stop working.
 * @param offered the configured providers
 */
export async function unlinkAccount(
  context: RequestContext,
  viewer: Viewer,
  provider: IdentityProvider,
  offered: readonly Pick<Provider, "id">[],
  effects: (isUnlinked: SQL) => Steps,
): Promise<"unlinked" | "last-way-in" | "not-linked"> {
  const { db, now, origin } = context;
  const others = offered.filter(({ id }) => id !== provider).map(({ id }) => sql`${id}`);
  const isTheirs = sql`${identities.userId} = ${viewer.id} AND ${identities.provider} = ${provider}`;
  const hasAnother = sql`(
    EXISTS (SELECT 1 FROM ${users} AS ${owner} WHERE ${owner.id} = ${viewer.id}
      AND ${owner.passwordHash} <> ${NO_PASSWORD})
    OR EXISTS (SELECT 1 FROM ${identities} AS ${other} WHERE ${other.userId} = ${viewer.id}
      AND ${other.provider} IN (${sql.join(others, sql`, `)}))
  )`;
  const canUnlink = sql`EXISTS (SELECT 1 FROM ${identities} WHERE ${isTheirs}) AND ${hasAnother}`;
  const isUnlinked = sql`NOT EXISTS (SELECT 1 FROM ${identities} AS ${gone} WHERE ${gone.userId} = ${viewer.id}
    AND ${gone.provider} = ${provider})`;
  const { unlinked, remaining } = await transact(db, {
    // `audit` and `email` must come before the deletion that they report, because their condition needs the row.
    audit: recordAuditIf(
      db,
      canUnlink,
      { userId: viewer.id, actor: "player", action: "identity-unlinked", details: { provider } },
      now,
    ),
    email: enqueueEmailIf(
      context,
      canUnlink,
      accountUnlinkedEmail(viewer.email, PROVIDER_NAMES[provider], origin + LINKED_ACCOUNTS),
    ),
    unlinked: db
      .delete(identities)
      .where(and(eq(identities.userId, viewer.id), eq(identities.provider, provider), hasAnother))
      .returning({ id: identities.id }),
    effects: effects(isUnlinked),
    discord: provider === "discord" ? unverifyDiscordTag(db, viewer.id, isUnlinked) : undefined,
    remaining: db
      .select({ id: identities.id })
      .from(identities)
      .where(and(eq(identities.userId, viewer.id), eq(identities.provider, provider))),
  });
  if (unlinked.length > 0) {
    announceAuthEvent(context, "USER_UPDATED");
    context.defer(() => deliverDueEmails(context));
    return "unlinked";
  }
  return remaining.length > 0 ? "last-way-in" : "not-linked";
}
