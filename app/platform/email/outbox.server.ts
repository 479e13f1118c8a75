import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { outbox, users } from "#db/schema";
import { columnsOf, idPerRow } from "#db/sql";
import { insertIf, type Steps, transact } from "#db/statements";
import type { RequestContext } from "../context";
import { decrypt, encrypt, isEncrypted } from "../crypto/encryption.server";
import { renderEmail } from "./content";
import type { Email } from "./email";
import { canSendEmail, EmailNotSentError, EmailProviderAwayError, sendEmail } from "./provider.server";

/** The most emails sent at a time, after a response or by the cron job. */
const BATCH = 20;
/** The number of failed attempts, over about two hours, after which an email is given up. */
const MAX_ATTEMPTS = 8;

/** The parts of the context that are needed to put an email into the outbox. */
export type Enqueuing = Pick<RequestContext, "db" | "now"> & { env: Pick<RequestContext["env"], "ENCRYPTION_KEY"> };

/**
 * Builds the statement that puts an email into the outbox; it belongs in the same batch as the change that causes the
 * email.
 * @param expiresAt when the email is no longer worth sending because its code has expired
 */
export function enqueueEmail({ db, env, now }: Enqueuing, email: Email, expiresAt: Date | null = null) {
  const { recipient, subject } = email;
  const id = uuidv7(now.getTime());
  const row = { id, recipient, subject, ...sealTexts(env, email), createdAt: now, dueAt: now, expiresAt };
  return db.insert(outbox).values(row);
}

/**
 * Builds the same statement, subject to a condition in the database. Use it where the code must not learn whether the
 * recipient has an account.
 * @param id the id of the new row, for later statements that check whether the row exists
 */
export function enqueueEmailIf(
  { db, env, now }: Enqueuing,
  condition: SQL,
  email: Email,
  expiresAt: Date | null = null,
  id = uuidv7(now.getTime()),
) {
  const { recipient, subject } = email;
  const row = { id, recipient, subject, ...sealTexts(env, email), createdAt: now, dueAt: now, expiresAt };
  return insertIf(db, outbox, row, condition);
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
export function enqueueEmailTo({ db, env, now }: Enqueuing, to: SQL, email: Omit<Email, "recipient">) {
  const { body, html } = sealTexts(env, { ...email, recipient: "" });
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
    )} SELECT ${idPerRow(at)}, addressee.email, ${email.subject}, ${body}, ${html}, ${at}, ${at} FROM (${to}) AS addressee`,
  );
}

/**
 * Binds the texts to their purpose, but not to their rows: only the database knows the ids of those that
 * `enqueueEmailTo` adds.
 */
const SEALED_FOR = "email";

/**
 * Renders an email and encrypts its texts, because they may hold a link that opens an account. Operators' commands may
 * lack the key: their emails, which hold no code and no such link, then stay as they are.
 */
function sealTexts({ ENCRYPTION_KEY: keys }: Enqueuing["env"], email: Email) {
  const seal = (text: string) => (keys.length > 0 ? encrypt(keys, text, SEALED_FOR) : text);
  const { body, html } = renderEmail(email);
  return {
    body: seal(body),
    html: seal(html),
    unsubscribeUrl: email.unsubscribe ? seal(email.unsubscribe.link) : null,
  };
}

/**
 * Returns a row of the outbox with its texts decrypted. Texts that were stored in plain text, by a command without the
 * key or by a version before the encryption, stay as they are.
 * @throws Error if no key fits
 */
export function openTexts<Row extends Pick<OutboxRow, "body" | "html" | "unsubscribeUrl">>(
  { ENCRYPTION_KEY: keys }: Enqueuing["env"],
  row: Row,
): Row {
  const open = (text: string | null) =>
    text !== null && isEncrypted(text) ? decrypt(keys, text, SEALED_FOR).plaintext : text;
  return { ...row, body: open(row.body), html: open(row.html), unsubscribeUrl: open(row.unsubscribeUrl) };
}

/** Builds the statement that deletes all emails to an address. */
export const deleteEmailsTo = (db: Database, email: string, condition: SQL) =>
  db.run(sql`DELETE FROM ${outbox} WHERE ${outbox.recipient} = ${email} AND ${condition}`);

/**
 * Sends due emails, the longest due first. Claims each one right before sending it, by moving its next attempt at least
 * a minute into the future, so that no other sender takes the same row in the meantime. The row's id is the provider's
 * idempotency key, so that a retry after an interruption doesn't send an email twice. Without a provider the emails
 * stay in the outbox, unless they expire.
 * @returns whether the provider is away: if it doesn't answer, the other emails are left for later
 */
export async function deliverDueEmails(
  context: Pick<RequestContext, "env" | "db" | "log">,
): Promise<{ isAway: boolean }> {
  const { env, db } = context;
  if (!canSendEmail(env)) return { isAway: false };
  // The statements that still have to run before the next email is claimed.
  let before: Steps = {};
  let isAway = false;
  for (let count = 0; count < BATCH && !isAway; count++) {
    const { claimed } = await transact(db, { before, claimed: claimNext(db, new Date()) });
    const [email] = claimed;
    if (!email) return { isAway: false };
    const failure = await trySending(env, email);
    before = failure ? recordFailure(context, email, failure) : recordSent(db, email);
    isAway = failure instanceof EmailProviderAwayError;
  }
  await transact(db, before);
  return { isAway };
}

/**
 * Gives up emails that have expired; called by the cron job. It doesn't wait for their next attempt or for a provider,
 * because their texts hold codes and links.
 * @param limit maximum number of emails per run; the rest wait for the next run
 */
export function giveUpExpiredEmails(db: Database, now: Date, limit: number) {
  const expired = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isNotNull(outbox.dueAt), lte(outbox.expiresAt, now)))
    .orderBy(asc(outbox.dueAt))
    .limit(limit);
  return db
    .update(outbox)
    .set({ ...DONE, lastError: "It expired before it was sent" })
    .where(inArray(outbox.id, expired));
}

/**
 * Builds the statement that claims the email that has been due the longest, for 1, 2, 4 … minutes.
 * @param at the current time; the request's time may be minutes old
 */
function claimNext(db: Database, at: Date) {
  const next = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isNotNull(outbox.dueAt), lte(outbox.dueAt, at), or(isNull(outbox.expiresAt), gt(outbox.expiresAt, at))))
    .orderBy(asc(outbox.dueAt))
    .limit(1);
  return db
    .update(outbox)
    .set({ attempts: sql`${outbox.attempts} + 1`, dueAt: sql`${at.getTime()} + (60000 << ${outbox.attempts})` })
    .where(inArray(outbox.id, next))
    .returning();
}

type OutboxRow = typeof outbox.$inferSelect;

/**
 * Sends a claimed email. If no key fits its texts, it is tried again later, because an operator may set the key.
 * @returns why it wasn't sent; null if it was
 */
async function trySending(env: RequestContext["env"], email: OutboxRow): Promise<EmailNotSentError | null> {
  let opened: OutboxRow;
  try {
    opened = openTexts(env, email);
  } catch (error) {
    return new EmailNotSentError((error as Error).message);
  }
  try {
    await sendEmail(env, { ...opened, body: opened.body ?? "" });
    return null;
  } catch (error) {
    if (!(error instanceof EmailNotSentError)) throw error;
    return error;
  }
}

/** Builds the statements that record that an email was accepted, and that its address therefore works. */
const recordSent = (db: Database, { id, recipient }: OutboxRow) => ({
  sent: db
    .update(outbox)
    .set({ ...DONE, sentAt: new Date(), lastError: null })
    .where(eq(outbox.id, id)),
  arrived: db
    .update(users)
    .set({ emailFailedAt: null })
    .where(and(eq(users.email, recipient), isNotNull(users.emailFailedAt))),
});

/**
 * Builds the statements that record a failure. The email is retried later, or given up. If the provider refuses the
 * address, pages warn the player who has it. Giving up alone says nothing about the address: the provider may be away.
 */
function recordFailure(
  { db, log }: Pick<RequestContext, "db" | "log">,
  { id, recipient, attempts }: OutboxRow,
  { message, refused }: EmailNotSentError,
) {
  const lastError = message;
  const isGivenUp = refused !== undefined || attempts >= MAX_ATTEMPTS;
  log.warn("An email was not sent", { outboxId: id, attempt: attempts, reason: message, givenUp: isGivenUp });
  const note = db
    .update(outbox)
    .set(isGivenUp ? { ...DONE, lastError } : { lastError })
    .where(eq(outbox.id, id));
  const tell =
    refused === "recipient"
      ? db.update(users).set({ emailFailedAt: new Date() }).where(eq(users.email, recipient))
      : undefined;
  return { note, tell };
}
