import { and, eq, not, type SQL, sql } from "drizzle-orm";
import { profiles, sessions, users, verifications } from "#db/schema";
import { columnsOf } from "#db/sql";
import { insertIf, type Result, type Steps, transact } from "#db/statements";
import { isUpheld } from "~/features/moderation/shared/upheld.server";
import { listNewcomer } from "~/features/players/shared/facets.server";
import { riotNames, writeRiotName } from "~/features/players/shared/names.server";
import type { RiotAccountData } from "~/features/riot/rules";
import type { RequestContext } from "~/platform/context";
import { failsWith } from "~/platform/database";
import { deliverDueEmails, enqueueEmailIf } from "~/platform/email/outbox.server";
import { type RateLimitVerdict, verdictUntil } from "~/platform/limits/uses.server";
import { contactPoint } from "~/platform/operator";
import { announceAuthEvent } from "~/platform/session/auth-events.server";
import { prepareSession } from "~/platform/session/store.server";
import { prepareVerification } from "../codes/issuing.server";
import { accountExistsEmail, upheldEmail } from "../emails";
import { confirmationRequest } from "./confirmation.server";
import { forgetSignup, isUncompleted, markCompleted } from "./pending-sign-up.server";
import type { PendingSignup } from "./queries.server";

/**
 * The outcome of a sign-up:
 * - `signed-in`: the player has an account and a session.
 * - `confirm-first`: the address must be confirmed before signing in.
 * - `taken` and `identity-taken`: someone else has taken the address or the provider account in the meantime.
 * - `upheld`: a suspension bars the address or the Riot account, so there is no new account.
 */
type SignupOutcome<S extends Steps | undefined> =
  | {
      kind: "signed-in" | "confirm-first";
      /**
       * The verdict of the limits on emails at the first click; later clicks return the same. If it doesn't allow the
       * email, none was sent, so the page must not refer the player to their mailbox.
       */
      email: RateLimitVerdict;
      /** The results of the caller's statements. */
      answers: Result<S>;
    }
  | { kind: "taken" }
  | { kind: "identity-taken" }
  | { kind: "upheld" };

/**
 * Whether the address must be confirmed before the player is signed in: the settings require it, and no provider has
 * verified the address.
 */
export const mustConfirmFirst = ({ env }: Pick<RequestContext, "env">, { identity }: Pick<PendingSignup, "identity">) =>
  env.REQUIRE_CONFIRMED_EMAIL && !identity?.emailVerified;

/**
 * Completes step 2: creates the account, its profile and the confirmation email in one transaction, and opens a session
 * unless the address must be confirmed first. The statements themselves decide whether the address is taken, and are
 * the same for known and unknown addresses. The caller links the Riot account in the same macrotask, so that both share
 * one round trip.
 * @param isProven whether Riot Sign-On has proven the Riot account
 * @param statements run after those that create the account, in the same transaction. They must do nothing if the
 *   account was not created; if one fails, the account is rolled back
 */
export async function completeSignup<S extends Steps | undefined>(
  context: RequestContext,
  signup: PendingSignup & { accountData: RiotAccountData },
  redirectTo: string | null,
  isProven: boolean,
  statements: S,
): Promise<SignupOutcome<S>> {
  const { db, env, now, origin } = context;
  const { userId, email } = signup;
  const { puuid } = signup.accountData;
  const isKeptOut = isUpheld(env.ENCRYPTION_KEY, now, { email, [isProven ? "proven-puuid" : "puuid"]: puuid });
  const session = mustConfirmFirst(context, signup) ? null : prepareSession(context, { id: userId, email });
  const isConfirmed = signup.identity?.emailVerified ?? false;
  const verification = prepareVerification(context, {
    ...confirmationRequest({ id: userId, email }, redirectTo),
    // An address that a provider has verified needs no email.
    ...(isConfirmed && { condition: sql`0` }),
    // A second click sends no second email, and uses up no limit.
    isWanted: isUncompleted(context, signup.id),
    otherwise: accountExistsEmail(email, `${origin}/auth`),
  });
  const creation = transact(db, {
    account: accountStatements(context, signup, isKeptOut),
    session: session ? sessionStatements(context, session.row) : undefined,
    verification: verification.statements,
    // Tells the player that the address or the Riot account is barred. If addresses are confirmed first, only this
    // email can say so: the page says the same in every case.
    keptOut: enqueueEmailIf(
      context,
      sql`${isKeptOut} AND EXISTS (SELECT 1 FROM ${verifications}
        WHERE ${verifications.id} = ${verification.id} AND ${verifications.userId} IS NULL)
        AND NOT EXISTS (SELECT 1 FROM ${users} WHERE ${users.email} = ${email})`,
      upheldEmail(email, `${origin}/contact`, contactPoint(context)),
    ),
    // Comes after the verification's statements, which do nothing once the sign-up is marked as completed.
    completed: markCompleted(context, signup.id, verification.waitsUntil),
    statements,
  });
  const ownership = db.select({ id: users.id }).from(users).where(eq(users.email, email)).get();
  const outcome = await Promise.all([creation, ownership]).catch((error: unknown) => {
    // Another player has linked the provider account in the meantime.
    if (failsWith(error, /UNIQUE constraint failed: identities\./)) return null;
    throw error;
  });
  if (!outcome) {
    forgetSignup(context);
    return { kind: "identity-taken" };
  }
  const [created, owner] = outcome;
  const { statements: answers, completed } = created;
  const { mark, marked } = completed;
  const limit = verdictUntil(marked[0]?.emailWaitsUntil?.getTime() ?? null, now);
  const isFirstClick = mark.rowsAffected > 0;
  // A second click has sent no code, so it must not replace the cookie that belongs to the first click's code. This
  // must not depend on the address's owner, because the cookie would reveal whether there is one.
  if (limit.allowed && isFirstClick && !isConfirmed) verification.deliver();
  context.defer(() => deliverDueEmails(context));
  forgetSignup(context);
  if (!session) return { kind: "confirm-first", email: limit, answers };
  if (!owner) return { kind: "upheld" };
  if (owner.id !== userId) return { kind: "taken" };
  session.start();
  announceAuthEvent(context, "SIGNED_IN");
  return { kind: "signed-in", email: limit, answers };
}

/**
 * Builds the statements that create an account, unless the address is taken, the account exists already, or `isKeptOut`
 * holds.
 */
function accountStatements(
  context: RequestContext,
  signup: PendingSignup & { accountData: RiotAccountData },
  isKeptOut: SQL,
) {
  const { db, now } = context;
  const { userId, email, passwordHash, accountData: account } = signup;
  const { gameName, tagLine, region } = account;
  const { riotId, riotGameName } = riotNames(account);
  return {
    user: insertIf(
      db,
      users,
      {
        id: userId,
        email,
        emailConfirmedAt: signup.identity?.emailVerified ? now : null,
        passwordHash,
        riotGameName: gameName,
        riotTagLine: tagLine,
        riotRegion: region,
        riotAccountData: JSON.stringify(account),
        createdAt: now,
      },
      not(isKeptOut),
      sql`ON CONFLICT DO NOTHING`,
    ),
    profile: db.run(
      sql`INSERT INTO ${profiles} ${columnsOf(
        profiles,
        "userId",
        "riotId",
        "riotGameName",
        "riotTagLine",
        "riotRegion",
        "joinedAt",
        "updatedAt",
      )}
        SELECT ${users.id},
          ${riotId}, ${riotGameName}, ${tagLine}, ${region}, ${now.getTime()}, ${now.getTime()}
        FROM ${users} WHERE ${users.id} = ${userId}
        ON CONFLICT DO NOTHING`,
    ),
    list: listNewcomer(db, userId),
    name: writeRiotName(context, userId, account),
  };
}

/**
 * Builds the statements that open the new account's session and end this browser's previous one. Without an account,
 * no session is opened, and the previous one stays.
 */
function sessionStatements({ db, claim }: RequestContext, row: ReturnType<typeof prepareSession>["row"]) {
  const { id, userId, userAgent, place, createdAt, expiresAt } = row;
  return {
    open: db.run(
      sql`INSERT INTO ${sessions} ${columnsOf(sessions, "id", "userId", "userAgent", "place", "createdAt", "expiresAt")}
        SELECT ${id}, ${users.id}, ${userAgent}, ${place}, ${createdAt.getTime()}, ${expiresAt.getTime()}
          FROM ${users} WHERE ${users.id} = ${userId}`,
    ),
    replace: db
      .delete(sessions)
      .where(
        and(
          eq(sessions.id, claim?.sessionId ?? ""),
          sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${userId})`,
        ),
      ),
  };
}
