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
import { tellAuthEvent } from "~/platform/session/auth-events.server";
import { newSession } from "~/platform/session/session.server";
import type { SignInAccount } from "../shared/sign-in-account.server";

const seen = alias(users, "seen");

/** Names who owes the second factor. */
export const PENDING_SIGN_IN_COOKIE = "lineup_sign_in";
/** How long the second factor may take, in milliseconds. */
const PENDING_LIFETIME = 10 * MINUTE;
/** When a player proved who they are in a session that a trusted device has opened: not yet, in full. */
export const NOT_IN_FULL = new Date(0);

/**
 * That an account is still as it was when it was asked for. Between that and the session lie a hash and a round trip, in which
 * its player may have changed the password or switched two-factor on: whoever is under way with the old ones stays out.
 */
const isAsSeen = (account: SignInAccount) => sql`EXISTS (
  SELECT 1 FROM ${users} AS ${seen}
  WHERE ${seen.id} = ${account.id} AND ${seen.suspendedAt} IS NULL AND ${seen.passwordHash} = ${account.passwordHash}
    AND ${hasSecondFactor(sql`${seen.id}`)} = ${account.hasSecondFactor}
)`;

/** Why somebody whose account was changed while they were under way does not get in. */
export const CHANGED_MEANWHILE = {
  kind: "refused",
  error: "This account was changed just now. Please sign in again.",
} as const satisfies SignInOutcome;

/**
 * Signed in; or the second factor is to come, at `/auth/two-factor`; or nobody gets in, and why. `answers` are what the
 * statements given along have answered.
 */
export type SignInOutcome<S extends Steps = Steps> =
  | { kind: "signed-in"; answers: Result<S> }
  | { kind: "second-factor"; answers: Result<S> }
  | { kind: "refused"; error: string };

/**
 * The end of every way of signing in, once the player has shown who they are: opens the session, or asks for the second
 * factor first. One transaction, one round trip.
 * @param account as `signInColumns` selects it; with what `statements` change of it
 * @param statements what happens in the same transaction, before the session is there (so that it may end all others):
 *   codes used up, tries forgiven
 */
export async function finishSignIn<S extends Steps>(
  context: RequestContext,
  account: SignInAccount,
  statements: S,
): Promise<SignInOutcome<S>> {
  const { db, cookies, now } = context;
  if (account.suspendedAt) {
    return { kind: "refused", error: "This account has been suspended. Write to us if you think that is a mistake." };
  }
  if (account.owesSecondFactor) {
    const token = createToken();
    const expiresAt = new Date(now.getTime() + PENDING_LIFETIME);
    const row = { id: hashToken(token), userId: account.id, expiresAt };
    const { answers, pending } = await transact(db, {
      answers: statements,
      pending: insertIf(db, pendingSignIns, row, isAsSeen(account)),
    });
    if (pending.rowsAffected === 0) return CHANGED_MEANWHILE;
    cookies.set(PENDING_SIGN_IN_COOKIE, token, { maxAge: PENDING_LIFETIME / 1000 });
    return { kind: "second-factor", answers };
  }
  // A trusted device spares the second factor for getting in, not for changing who gets in.
  const isInFull = !account.hasSecondFactor;
  const opened = await openSession(context, account.id, statements, {
    condition: isAsSeen(account),
    ...(!isInFull && { authenticatedAt: NOT_IN_FULL }),
  });
  return opened ? { kind: "signed-in", answers: opened } : CHANGED_MEANWHILE;
}

interface SessionTerms {
  /** Where only the database knows whether the session may be opened: holds when the transaction gets to it. */
  condition?: SQL;
  /** When the player proved who they are, where that is not now. */
  authenticatedAt?: Date;
  /** What happens at the end of the transaction: what makes the condition hold no more. */
  last?: Steps;
}

/**
 * Opens a session for a player who has shown all they have to; `statements` as in `finishSignIn`.
 * @returns what the statements have answered; null when the condition did not hold, and no session was opened
 */
export async function openSession<S extends Steps>(
  context: RequestContext,
  userId: string,
  statements: S,
  { condition = sql`1`, authenticatedAt, last }: SessionTerms = {},
): Promise<Result<S> | null> {
  const { db, claim } = context;
  const session = newSession(context, userId);
  const row = { ...session.row, ...(authenticatedAt && { authenticatedAt }) };
  const { answers, opened } = await transact(db, {
    answers: statements,
    // Signing in while signed in changes the player: the session before it must not live on unseen.
    replace: db.delete(sessions).where(and(eq(sessions.id, claim?.sessionId ?? ""), condition)),
    opened: insertIf(db, sessions, row, condition),
    last,
  });
  if (opened.rowsAffected === 0) return null;
  session.start();
  tellAuthEvent(context, "SIGNED_IN");
  return answers;
}

/** The answer to a sign-in that was not refused: on to where the player was going, or to the second factor. */
export function afterSignIn(
  context: RequestContext,
  outcome: { kind: "signed-in" | "second-factor" },
  redirectTo: string | null,
): Response {
  if (outcome.kind === "second-factor") {
    return redirect(`/auth/two-factor${redirectTo ? `?${new URLSearchParams({ redirectTo })}` : ""}`, 303);
  }
  return redirectWithToast(context, redirectTo ?? "/dashboard", {
    kind: "success",
    title: "Welcome back!",
    description: "You've been signed in successfully.",
  });
}
