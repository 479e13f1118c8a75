import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { outbox, users } from "#db/schema";
import { columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { RequestContext } from "../context";
import { renderEmail } from "./content";
import type { Email } from "./email";
import { canSendEmail, EmailNotSentError, sendEmail } from "./provider.server";

/** The most emails sent at once, after a response or by the cron job. */
const BATCH = 20;
/** The number of failed attempts, over about two hours, after which an email is given up. */
const MAX_ATTEMPTS = 8;

/**
 * Builds the statement that puts an email into the outbox; it belongs in the batch of the email's cause.
 * @param expiresAt when the email is no longer worth sending because its code has expired
 */
export function enqueueEmail(db: Database, email: Email, now: Date, expiresAt: Date | null = null) {
  const { recipient, subject, unsubscribe } = email;
  const id = uuidv7(now.getTime());
  const texts = { ...renderEmail(email), unsubscribeUrl: unsubscribe?.link };
  const row = { id, recipient, subject, ...texts, createdAt: now, dueAt: now, expiresAt };
  return db.insert(outbox).values(row);
}

/**
 * Builds the same statement, subject to a condition in the database. Use it where the code must not learn whether the
 * recipient has an account.
 * @param id of the new row, for later statements that ask whether there is one
 */
export function enqueueEmailIf(
  db: Database,
  condition: SQL,
  email: Email,
  now: Date,
  expiresAt: Date | null = null,
  id = uuidv7(now.getTime()),
) {
  const { recipient, subject, unsubscribe } = email;
  const { body, html } = renderEmail(email);
  const at = now.getTime();
  const until = expiresAt?.getTime() ?? null;
  return db.run(
    sql`INSERT INTO ${outbox} ${columnsOf(
      outbox,
      "id",
      "recipient",
      "subject",
      "body",
      "html",
      "unsubscribeUrl",
      "createdAt",
      "dueAt",
      "expiresAt",
    )} SELECT ${id}, ${recipient}, ${subject}, ${body}, ${html}, ${unsubscribe?.link ?? null}, ${at}, ${at}, ${until}
    WHERE ${condition}`,
  );
}

/**
 * The final column values of an email that was sent or given up. Its text is removed, because it may hold a link that
 * opens an account.
 */
const DONE = { dueAt: null, body: null, html: null, unsubscribeUrl: null };

/**
 * Builds the statement that puts an email into the outbox for each recipient that a query finds.
 * @param to `SELECT … AS email`
 */
export function enqueueEmailTo(db: Database, to: SQL, email: Omit<Email, "recipient">, now: Date) {
  const { body, html } = renderEmail({ ...email, recipient: "" });
  const at = now.getTime();
  return db.run(
    sql`INSERT INTO ${outbox} ${columnsOf(
      outbox,
      "id",
      "recipient",
      "subject",
      "body",
      "html",
      "createdAt",
      "dueAt",
    )} SELECT substr(${uuidv7(at)}, 1, 24) || lower(hex(randomblob(6))), addressee.email, ${email.subject}, ${body}, ${html}, ${at}, ${at} FROM (${to}) AS addressee`,
  );
}

/**
 * Sends due emails. Claims rows by moving their next attempt into the future, so that two senders don't send the same
 * row. The row's id is the provider's idempotency key, so that a retry after an interruption doesn't send an email
 * twice. Without a provider the emails stay in the outbox.
 */
export async function deliverDueEmails(context: Pick<RequestContext, "env" | "db" | "log" | "now">) {
  const { env, db, now } = context;
  if (!canSendEmail(env)) return;
  const isDue = and(isNotNull(outbox.dueAt), lte(outbox.dueAt, now));
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isDue, or(isNull(outbox.expiresAt), gt(outbox.expiresAt, now))))
    .orderBy(asc(outbox.dueAt))
    .limit(BATCH);
  const { claimed } = await transact(db, {
    giveUp: db
      .update(outbox)
      .set({ ...DONE, lastError: "It expired before it was sent" })
      .where(and(isDue, lte(outbox.expiresAt, now))),
    claimed: db
      .update(outbox)
      .set({
        attempts: sql`${outbox.attempts} + 1`,
        // 1, 2, 4 … minutes.
        dueAt: sql`${now.getTime()} + (60000 << ${outbox.attempts})`,
      })
      .where(inArray(outbox.id, due))
      .returning(),
  });
  for (const email of claimed) {
    try {
      await sendEmail(env, { ...email, body: email.body ?? "" });
      await recordSent(context, email);
    } catch (error) {
      if (!(error instanceof EmailNotSentError)) throw error;
      await recordFailure(context, email, error);
    }
  }
}

type OutboxRow = typeof outbox.$inferSelect;

/** Records that an email was accepted, and that its address therefore works. */
async function recordSent({ db, now }: Pick<RequestContext, "db" | "now">, { id, recipient }: OutboxRow) {
  await transact(db, {
    sent: db
      .update(outbox)
      .set({ ...DONE, sentAt: now, lastError: null })
      .where(eq(outbox.id, id)),
    arrived: db
      .update(users)
      .set({ emailFailedAt: null })
      .where(and(eq(users.email, recipient), isNotNull(users.emailFailedAt))),
  });
}

/**
 * Records a failure. The email is retried later. If it is given up instead, pages warn the player who has that
 * address.
 */
async function recordFailure(
  { db, log, now }: Pick<RequestContext, "db" | "log" | "now">,
  { id, recipient, attempts }: OutboxRow,
  { message, isFinal }: EmailNotSentError,
) {
  const lastError = message;
  const isGivenUp = isFinal || attempts >= MAX_ATTEMPTS;
  log.warn("An email was not sent", { outboxId: id, attempt: attempts, reason: message, givenUp: isGivenUp });
  const note = db
    .update(outbox)
    .set(isGivenUp ? { ...DONE, lastError } : { lastError })
    .where(eq(outbox.id, id));
  const tell = isGivenUp ? db.update(users).set({ emailFailedAt: now }).where(eq(users.email, recipient)) : undefined;
  await transact(db, { note, tell });
}
