import type { Env } from "../env";

/** An email to send through the provider. */
interface OutgoingEmail {
  /** The provider's idempotency key. */
  id: string;
  recipient: string;
  subject: string;
  body: string;
  html: string | null;
  /** The URL of its one-click unsubscribe, if it has one. */
  unsubscribeUrl: string | null;
}

/** The part of an email that a provider refuses for good: a retry would be useless. */
type Refused = "recipient" | "email";

/**
 * Thrown if an email can't be sent. The message gives the reason, and never contains the email's text, an address or
 * a key.
 */
export class EmailNotSentError extends Error {
  /** Undefined if a retry may succeed. */
  readonly refused: Refused | undefined;

  constructor(message: string, refused?: Refused) {
    super(message);
    this.name = "EmailNotSentError";
    this.refused = refused;
  }
}

/** Thrown if the provider doesn't answer at all: no other email is worth trying now. */
export class EmailProviderAwayError extends EmailNotSentError {}

const TIMEOUT = 10_000;

/** Builds the header fields for one-click unsubscribe (RFC 8058), if the email supports it. */
const unsubscribeHeaders = ({ unsubscribeUrl }: OutgoingEmail) =>
  unsubscribeUrl && {
    headers: { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  };

/**
 * The statuses that refuse the email itself or its recipient. 422 may be either, but Resend also returns it for every
 * email if `EMAIL_FROM` is wrong, so it says nothing about the address. Other statuses that an operator can fix (401
 * and 403: the key; 404: the provider's URL) are left out, because a retry may then succeed.
 */
const REFUSED_BY_STATUS = new Map<number, Refused>([
  [400, "email"],
  [410, "recipient"],
  [413, "email"],
  [422, "email"],
]);

/**
 * The equivalent error codes of Cloudflare's binding. `E_RECIPIENT_NOT_ALLOWED` is left out, because it says that the
 * binding may not send to the address, which an operator can fix:
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
const REFUSED_BY_CODE = new Map<string, Refused>([
  ["E_RECIPIENT_SUPPRESSED", "recipient"],
  ["E_VALIDATION_ERROR", "email"],
  ["E_FIELD_MISSING", "email"],
  ["E_CONTENT_TOO_LARGE", "email"],
]);

/** Whether email can be sent at all. */
export const canSendEmail = (env: Pick<Env, "EMAIL" | "EMAIL_API_URL">): boolean =>
  Boolean(env.EMAIL_API_URL || env.EMAIL);

/**
 * Sends one email: through the HTTP provider if it is configured, else through Cloudflare's `send_email` binding.
 * @throws EmailNotSentError
 */
export async function sendEmail(env: Env, email: OutgoingEmail): Promise<void> {
  if (env.EMAIL_API_URL) await postEmail(env, env.EMAIL_API_URL, email);
  else if (env.EMAIL) await sendThroughBinding(env.EMAIL, env.EMAIL_FROM, email);
}

/**
 * POSTs JSON `{from, to, subject, text, html}` with a bearer key and an `Idempotency-Key`, the API of Resend and
 * others.
 */
async function postEmail(env: Env, url: string, email: OutgoingEmail): Promise<void> {
  const { id, recipient, subject, body, html } = email;
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Idempotency-Key": id,
        ...(env.EMAIL_API_KEY && { Authorization: `Bearer ${env.EMAIL_API_KEY}` }),
      },
      body: JSON.stringify({
        from: env.EMAIL_FROM,
        to: [recipient],
        subject,
        text: body,
        ...(html && { html }),
        ...unsubscribeHeaders(email),
      }),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.body?.cancel();
  } catch (error) {
    throw new EmailProviderAwayError(`The email provider did not answer: ${error instanceof Error ? error.name : "?"}`);
  }
  const { ok, status } = response;
  if (!ok) throw new EmailNotSentError(`The email provider answered ${status}`, REFUSED_BY_STATUS.get(status));
}

/** Sends through Cloudflare's binding. Without idempotency keys, an email is sent twice if its response is lost. */
async function sendThroughBinding(binding: SendEmail, from: string, email: OutgoingEmail): Promise<void> {
  const { recipient, subject, body, html } = email;
  const content = { subject, text: body, ...(html && { html }), ...unsubscribeHeaders(email) };
  try {
    await binding.send({ from: parseSender(from), to: recipient, ...content });
  } catch (error) {
    // The binding's error messages may contain the recipient; its error codes don't.
    const code = String((error as { code?: unknown } | null)?.code ?? "no code");
    throw new EmailNotSentError(`The email binding failed: ${code.slice(0, 60)}`, REFUSED_BY_CODE.get(code));
  }
}

/**
 * Splits `Lineup <no-reply@lineup.example>` into the two parts that the binding expects; a bare address stays as it is.
 */
export function parseSender(from: string): string | { name: string; email: string } {
  const [, name, email] = from.match(/^\s*"?(.*?)"?\s*<([^<>]+)>\s*$/) ?? [];
  if (!email) return from.trim();
  return name ? { name, email } : email;
}
