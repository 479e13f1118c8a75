import { redirect } from "@remix-run/cloudflare";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { hasSecondFactor } from "#db/accounts";
import { pendingSignIns, sessions, users } from "#db/schema";
import { insertIf, type Result, type Steps, transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { createToken, hashToken } from "~/platform/crypto/crypto.server";
import { MINUTE } from "~/platform/dates/durations";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { announceAuthEvent } from "~/platform/session/auth-events.server";
import { restrictedGoal } from "~/platform/session/guards.server";
import { prepareSession } from "~/platform/session/store.server";
import type { SignInAccount } from "../shared/sign-in-account.server";

const seen = alias(users, "seen");

/** The cookie that identifies a sign-in that still needs the second factor. */
export const PENDING_SIGN_IN_COOKIE = "lineup_sign_in";
/** The time that the player has to enter the second factor, in milliseconds. */
const PENDING_LIFETIME = 10 * MINUTE;
/** `authenticatedAt` of a session without the second factor: long past, so that it never counts as recent. */
export const NEVER_RECENT = new Date(0);

/**
 * SQL condition that an account has not changed since it was read. Hashing the password and a round trip lie between
 * reading the account and opening the session. If the player changes the password or turns two-factor on in between, a
 * sign-in with the old password must fail.
 */
const isUnchanged = (account: SignInAccount) => sql`EXISTS (
  SELECT 1 FROM ${users} AS ${seen}
  WHERE ${seen.id} = ${account.id} AND ${seen.passwordHash} = ${account.passwordHash}
    AND ${hasSecondFactor(sql`${seen.id}`)} = ${account.hasSecondFactor}
)`;

/** The error if the account was changed during the sign-in. */
export const CHANGED_MEANWHILE = {
  kind: "refused",
  error: "Your account was just changed. Please sign in again.",
} as const;

/**
 * The player is signed in, or must give the second factor at `/auth/two-factor`, or is refused with a reason. The
 * session of a suspended player is restricted. `answers` are the results of the given statements, which are carried out
 * for a refused player, too.
 */
export type SignInOutcome<S extends Steps = Steps> =
  | { kind: "signed-in"; isRestricted: boolean; answers: Result<S> }
  | { kind: "second-factor"; answers: Result<S> }
  | { kind: "refused"; error: string; answers: Result<S> };

/**
 * The last step of every way of signing in, after the player has authenticated: opens the session, or asks for the
 * second factor first. One transaction, one round trip.
 * @param account as `signInColumns` selects it, but with the values that it has after `statements`
 * @param statements run in the same transaction before the session is created: they use up codes, clear attempts, or
 *   end all other sessions
 */
export async function finishSignIn<S extends Steps>(
  context: RequestContext,
  account: SignInAccount,
  statements: S,
): Promise<SignInOutcome<S>> {
  const { db, cookies, now } = context;
  if (account.owesSecondFactor) {
    const token = createToken();
    const expiresAt = new Date(now.getTime() + PENDING_LIFETIME);
    const row = { id: hashToken(token), userId: account.id, expiresAt };
    const { answers, pending } = await transact(db, {
      answers: statements,
      pending: insertIf(db, pendingSignIns, row, isUnchanged(account)),
    });
    if (pending.rowsAffected === 0) return { ...CHANGED_MEANWHILE, answers };
    cookies.set(PENDING_SIGN_IN_COOKIE, token, { maxAge: PENDING_LIFETIME / 1000 });
    return { kind: "second-factor", answers };
  }
  // A trusted device replaces the second factor for signing in, but not for changing the account's security.
  const isInFull = !account.hasSecondFactor;
  const { isOpened, answers } = await openSession(context, account, statements, {
    condition: isUnchanged(account),
    ...(!isInFull && { authenticatedAt: NEVER_RECENT }),
  });
  if (!isOpened) return { ...CHANGED_MEANWHILE, answers };
  return { kind: "signed-in", isRestricted: account.isSuspended === 1, answers };
}

interface SessionTerms {
  /** The condition for opening the session, if only the database can decide it; evaluated within the transaction. */
  condition?: SQL;
  /** When the player authenticated, if not now. */
  authenticatedAt?: Date;
  /** Statements at the end of the transaction, which may invalidate the condition. */
  last?: Steps;
}

/**
 * Opens a session for an authenticated player; for `statements` see `finishSignIn`.
 * @returns the statements' results, and whether the condition held, so that the session was opened
 */
export async function openSession<S extends Steps>(
  context: RequestContext,
  account: Pick<SignInAccount, "id" | "email">,
  statements: S,
  { condition = sql`1`, authenticatedAt, last }: SessionTerms = {},
): Promise<{ isOpened: boolean; answers: Result<S> }> {
  const { db, claim } = context;
  const session = prepareSession(context, account);
  const row = { ...session.row, ...(authenticatedAt && { authenticatedAt }) };
  const { answers, opened } = await transact(db, {
    answers: statements,
    // Signing in while signed in replaces this browser's session; the old one must not stay open unnoticed.
    replace: db.delete(sessions).where(and(eq(sessions.id, claim?.sessionId ?? ""), condition)),
    opened: insertIf(db, sessions, row, condition),
    last,
  });
  if (opened.rowsAffected === 0) return { isOpened: false, answers };
  session.start();
  announceAuthEvent(context, "SIGNED_IN");
  return { isOpened: true, answers };
}

/**
 * Redirects after a successful sign-in: to where the player was going, or to the second factor. A suspended player is
 * led to the decisions about them, unless they were going to another page that they may open.
 */
export function afterSignIn(
  context: RequestContext,
  outcome: { kind: "signed-in"; isRestricted: boolean } | { kind: "second-factor" },
  redirectTo: string | null,
): Response {
  if (outcome.kind === "second-factor") {
    return redirect(`/auth/two-factor${redirectTo ? `?${new URLSearchParams({ redirectTo })}` : ""}`, 303);
  }
  if (outcome.isRestricted) return redirect(restrictedGoal(redirectTo), 303);
  return redirectWithToast(context, redirectTo ?? "/dashboard", {
    kind: "success",
    title: "Welcome back!",
    description: "You've been signed in successfully.",
  });
}
