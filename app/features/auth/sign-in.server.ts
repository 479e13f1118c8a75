import { redirect } from "@remix-run/cloudflare";
import { eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "#db/client";
import { pendingSignIns, sessions, users } from "#db/schema";
import { tellAuthEvent } from "~/platform/auth-events.server";
import type { RequestContext } from "~/platform/context";
import { createToken, hashToken } from "~/platform/crypto.server";
import { newSession } from "~/platform/session.server";
import { redirectWithToast } from "~/platform/toast.server";

/** Names who owes the second factor. */
export const PENDING_SIGN_IN_COOKIE = "lineup_sign_in";
/** Names a browser that is not asked for the second factor. */
export const TRUSTED_DEVICE_COOKIE = "lineup_device";
/** How long the second factor may take, in milliseconds. */
const PENDING_LIFETIME = 10 * 60 * 1000;

/** What every way of signing in asks of an account, in the very statement that finds it. */
export function signInColumns({ cookies, now }: RequestContext) {
  const device = hashToken(cookies.get(TRUSTED_DEVICE_COOKIE) ?? "");
  return {
    id: users.id,
    suspendedAt: users.suspendedAt,
    /** 1 when the player has a second factor and this browser must be asked for it. */
    owesSecondFactor: sql<number>`EXISTS (SELECT 1 FROM totp_factors AS factor WHERE factor.user_id = users.id AND factor.confirmed_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM trusted_devices AS device WHERE device.id = ${device} AND device.user_id = users.id AND device.expires_at > ${now.getTime()})`,
  };
}

export type SignInAccount = Pick<typeof users.$inferSelect, "id" | "suspendedAt"> & { owesSecondFactor: number };

/** Signed in; or the second factor is to come, at `/auth/two-factor`; or nobody gets in, and why. */
export type SignInOutcome = { kind: "signed-in" } | { kind: "second-factor" } | { kind: "refused"; error: string };

/**
 * The end of every way of signing in, once the player has shown who they are: opens the session, or asks for the second
 * factor first. One transaction, one round trip.
 * @param account as `signInColumns` selects it
 * @param statements what happens in the same transaction, before the session is there (so that it may end all others):
 *   codes used up, tries forgiven
 */
export async function finishSignIn(
  context: RequestContext,
  account: SignInAccount,
  statements: BatchItem<"sqlite">[] = [],
): Promise<SignInOutcome> {
  const { db, cookies, now } = context;
  if (account.suspendedAt) {
    return { kind: "refused", error: "This account has been suspended. Write to us if you think that is a mistake." };
  }
  if (account.owesSecondFactor) {
    const token = createToken();
    const expiresAt = new Date(now.getTime() + PENDING_LIFETIME);
    const isPending = db.insert(pendingSignIns).values({ id: hashToken(token), userId: account.id, expiresAt });
    await inOneTransaction(db, [...statements, isPending]);
    cookies.set(PENDING_SIGN_IN_COOKIE, token, { maxAge: PENDING_LIFETIME / 1000 });
    return { kind: "second-factor" };
  }
  await openSession(context, account.id, statements);
  return { kind: "signed-in" };
}

/** Opens a session for a player who has shown all they have to; `statements` as in `finishSignIn`. */
export async function openSession(
  context: RequestContext,
  userId: string,
  statements: BatchItem<"sqlite">[] = [],
): Promise<void> {
  const { db, claim } = context;
  const session = newSession(context, userId);
  await inOneTransaction(db, [
    ...statements,
    db.insert(sessions).values(session.row),
    // Signing in while signed in changes the player: the session before it must not live on unseen.
    db.delete(sessions).where(eq(sessions.id, claim?.sessionId ?? "")),
  ]);
  session.start();
  tellAuthEvent(context, "SIGNED_IN");
}

const inOneTransaction = (db: Database, statements: BatchItem<"sqlite">[]) =>
  db.batch(statements as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]);

/** The answer to a sign-in that was not refused: on to where the player was going, or to the second factor. */
export function afterSignIn(
  context: RequestContext,
  outcome: Exclude<SignInOutcome, { kind: "refused" }>,
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
