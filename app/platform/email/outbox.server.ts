import { and, asc, eq, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { outbox } from "#db/schema";
import type { RequestContext } from "../context";
import { type Email, renderEmail } from "./content";
import { sendEmail } from "./provider.server";

/** E-mails sent in one go, after a response or by the cron. */
const BATCH = 20;
/** After so many failures an e-mail stays unsent; about two hours have passed by then. */
const MAX_ATTEMPTS = 8;

/** The statement that puts an e-mail into the outbox; it belongs in the batch of what causes the e-mail. */
export function enqueueEmail(db: Database, email: Email, now: Date) {
  const { recipient, subject } = email;
  const row = { id: uuidv7(now.getTime()), recipient, subject, ...renderEmail(email), createdAt: now, dueAt: now };
  return db.insert(outbox).values(row);
}

/**
 * The same, on a condition that the database decides: for an e-mail that only goes out where there is an account, from
 * code that must not know whether there is one.
 */
export function enqueueEmailIf(db: Database, condition: SQL, email: Email, now: Date) {
  const { recipient, subject } = email;
  const { body, html } = renderEmail(email);
  const at = now.getTime();
  return db.run(
    sql`INSERT INTO outbox (id, recipient, subject, body, html, created_at, due_at) SELECT ${uuidv7(at)}, ${recipient}, ${subject}, ${body}, ${html}, ${at}, ${at} WHERE ${condition}`,
  );
}

/**
 * The same, to whom only the database knows.
 * @param to `SELECT … AS email`, of one address at most
 */
export function enqueueEmailTo(db: Database, to: SQL, email: Omit<Email, "recipient">, now: Date) {
  const { body, html } = renderEmail({ ...email, recipient: "" });
  const at = now.getTime();
  return db.run(
    sql`INSERT INTO outbox (id, recipient, subject, body, html, created_at, due_at) SELECT ${uuidv7(at)}, addressee.email, ${email.subject}, ${body}, ${html}, ${at}, ${at} FROM (${to}) AS addressee`,
  );
}

/**
 * Sends what is due. Rows are claimed by moving their next try into the future, so that two senders don't take the
 * same one; the row's id is the provider's idempotency key, so that a claim that was cut off does no harm either.
 * Without a provider the e-mails stay where they are.
 */
export async function deliverDueEmails({ env, db, log, now }: Pick<RequestContext, "env" | "db" | "log" | "now">) {
  if (!env.EMAIL_API_URL) return;
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isNotNull(outbox.dueAt), lte(outbox.dueAt, now)))
    .orderBy(asc(outbox.dueAt))
    .limit(BATCH);
  const claimed = await db
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} + 1`,
      // 1, 2, 4 … minutes; none after the last try.
      dueAt: sql`CASE WHEN ${outbox.attempts} + 1 >= ${MAX_ATTEMPTS} THEN NULL ELSE ${now.getTime()} + (60000 << ${outbox.attempts}) END`,
    })
    .where(inArray(outbox.id, due))
    .returning();
  for (const email of claimed) {
    try {
      await sendEmail(env, {
        id: email.id,
        recipient: email.recipient,
        subject: email.subject,
        body: email.body ?? "",
        html: email.html,
      });
      // The text may hold a link that opens an account: it has done its work.
      await db
        .update(outbox)
        .set({ sentAt: now, dueAt: null, body: null, html: null, lastError: null })
        .where(eq(outbox.id, email.id));
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unknown";
      log.warn("An e-mail was not sent", { outboxId: email.id, attempt: email.attempts, reason });
      await db
        .update(outbox)
        .set({ lastError: reason.slice(0, 300) })
        .where(eq(outbox.id, email.id));
    }
  }
}
