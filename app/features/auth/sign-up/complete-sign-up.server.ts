import { eq, sql } from "drizzle-orm";
import { pendingSignups, profiles, sessions, users, verifications } from "#db/schema";
import { columnsOf } from "#db/sql";
import { type Steps, transact } from "#db/statements";
import { listNewcomer } from "~/features/players/shared/facets.server";
import { writeName } from "~/features/players/shared/names.server";
import type { RiotAccountData } from "~/features/riot/rules";
import type { RequestContext } from "~/platform/context";
import { isDatabaseUnavailable } from "~/platform/database";
import { MINUTE } from "~/platform/dates/durations";
import { deliverDueEmails } from "~/platform/email/outbox.server";
import { tellAuthEvent } from "~/platform/session/auth-events.server";
import { newSession } from "~/platform/session/session.server";
import { countVerificationEmail, prepareVerification } from "../codes/verification.server";
import { accountExistsEmail } from "../emails";
import { confirmationRequest } from "./confirmation.server";
import { forgetSignup } from "./pending-sign-up.server";
import type { PendingSignup } from "./queries.server";

/** How long a completed sign-up still answers a second press of its button. */
const SECOND_PRESS = MINUTE;

/**
 * How a sign-up ended: with a session, with an e-mail to open first, or because the address, or the account elsewhere that
 * it began with, was taken meanwhile.
 */
type SignupOutcome = "signed-in" | "confirm-first" | "taken" | "identity-taken";

/** Whether a sign-up must wait for the e-mailed link: not where a provider vouches for the address. */
export const mustConfirmFirst = ({ env }: Pick<RequestContext, "env">, { identity }: Pick<PendingSignup, "identity">) =>
  env.REQUIRE_CONFIRMED_EMAIL && !identity?.emailVerified;

/**
 * Step 2's end: makes the account, its profile and the confirmation e-mail in one transaction, and opens a session
 * where the settings allow it. Whether the address is taken is decided inside the statements, which are the same for known
 * and unknown addresses. The caller links the Riot account in the same tick, so that it rides along.
 * @param statements what happens in the same transaction, after the account is made, where it was; failing, they undo it
 */
export async function completeSignup(
  context: RequestContext,
  signup: PendingSignup & { accountData: RiotAccountData },
  redirectTo: string | null,
  statements?: Steps,
): Promise<SignupOutcome> {
  const { db, origin } = context;
  const { userId, email } = signup;
  const session = mustConfirmFirst(context, signup) ? null : newSession(context, userId);
  const isConfirmed = signup.identity?.emailVerified ?? false;
  const verification = prepareVerification(context, {
    ...confirmationRequest({ id: userId, email }, redirectTo),
    // Pressed twice, the second press sends nothing; nor is anything sent to confirm what a provider vouches for.
    condition: isConfirmed
      ? sql`0`
      : sql`NOT EXISTS (SELECT 1 FROM ${verifications}
      WHERE ${verifications.userId} = ${userId})`,
    otherwise: accountExistsEmail(email, `${origin}/auth`),
  });
  const found = Promise.all([
    // First: what follows in the pipeline asks whether this was within the limits.
    countVerificationEmail(context, email),
    transact(db, {
      account: accountStatements(context, signup),
      session: session ? sessionStatements(context, session.row) : undefined,
      verification: verification.statements,
      statements,
    }),
    db
      .select({
        id: users.id,
        hasBeenSent: sql<number>`EXISTS (SELECT 1 FROM verifications WHERE id = ${verification.id}
          AND user_id IS NOT NULL)`,
      })
      .from(users)
      .where(eq(users.email, email))
      .get(),
  ]);
  const outcome = await found.catch((error: unknown) => {
    // The one thing that is not decided inside the statements: the account elsewhere was linked by another player meanwhile.
    if (isDatabaseUnavailable(error) || !signup.identity) throw error;
    return null;
  });
  if (!outcome) {
    forgetSignup(context);
    return "identity-taken";
  }
  const [limit, , owner] = outcome;
  const isOurs = owner?.id === userId;
  // The second of two presses has sent nothing: the code belongs to the cookie that the first one got.
  if (limit.allowed && !(isOurs && !owner.hasBeenSent)) verification.hand();
  context.defer(() => deliverDueEmails(context));
  forgetSignup(context);
  if (!session) return "confirm-first";
  if (!isOurs) return "taken";
  session.start();
  tellAuthEvent(context, "SIGNED_IN");
  return "signed-in";
}

/**
 * What makes an account, unless the address or the account is there already. The sign-up itself stays a moment longer, for
 * a second press of the same button.
 */
function accountStatements(context: RequestContext, signup: PendingSignup & { accountData: RiotAccountData }) {
  const { db, now } = context;
  const { userId, email, passwordHash, accountData: account } = signup;
  const { gameName, tagLine, region } = account;
  return {
    user: db
      .insert(users)
      .values({
        id: userId,
        email,
        emailConfirmedAt: signup.identity?.emailVerified ? now : null,
        passwordHash,
        riotGameName: gameName,
        riotTagLine: tagLine,
        riotRegion: region,
        riotAccountData: JSON.stringify(account),
        createdAt: now,
      })
      .onConflictDoNothing(),
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
          ${`${gameName}#${tagLine}`}, ${gameName}, ${tagLine}, ${region}, ${now.getTime()}, ${now.getTime()}
        FROM ${users} WHERE ${users.id} = ${userId}
        ON CONFLICT DO NOTHING`,
    ),
    list: listNewcomer(db, userId),
    name: writeName(db, userId, gameName),
    signup: db
      .update(pendingSignups)
      .set({ expiresAt: new Date(now.getTime() + SECOND_PRESS) })
      .where(eq(pendingSignups.id, signup.id)),
  };
}

/** What opens the new account's session, in place of the one that this browser has; nothing where there is no account. */
function sessionStatements({ db, claim }: RequestContext, row: ReturnType<typeof newSession>["row"]) {
  const { id, userId, userAgent, place, createdAt, expiresAt } = row;
  return {
    open: db.run(
      sql`INSERT INTO ${sessions} ${columnsOf(sessions, "id", "userId", "userAgent", "place", "createdAt", "expiresAt")}
        SELECT ${id}, ${users.id}, ${userAgent}, ${place}, ${createdAt.getTime()}, ${expiresAt.getTime()}
          FROM ${users} WHERE ${users.id} = ${userId}`,
    ),
    replace: db.delete(sessions).where(eq(sessions.id, claim?.sessionId ?? "")),
  };
}
