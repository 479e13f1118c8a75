import type { Env } from "../env";

/** An e-mail as it leaves. */
export interface OutgoingEmail {
  /** The provider's idempotency key. */
  id: string;
  recipient: string;
  subject: string;
  body: string;
  html: string | null;
}

const TIMEOUT = 10_000;

/**
 * Hands one e-mail to the configured HTTP provider: a JSON POST `{from, to, subject, text}` with a bearer key and an
 * `Idempotency-Key`, as Resend and its kin take it.
 * @throws Error saying what went wrong, without the e-mail's text or the key
 */
export async function sendEmail(env: Env, { id, recipient, subject, body, html }: OutgoingEmail): Promise<void> {
  const response = await fetch(env.EMAIL_API_URL as string, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": id,
      ...(env.EMAIL_API_KEY && { Authorization: `Bearer ${env.EMAIL_API_KEY}` }),
    },
    body: JSON.stringify({ from: env.EMAIL_FROM, to: [recipient], subject, text: body, ...(html && { html }) }),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The e-mail provider answered ${response.status}`);
}
