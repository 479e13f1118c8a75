import { type LocalServer, serveFetch } from "./http";

export interface Email {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string | null;
  /** Additional header fields, such as `List-Unsubscribe`. */
  headers: Record<string, string>;
  idempotencyKey: string | null;
}

export interface EmailProvider extends LocalServer {
  /** For the Worker's `EMAIL_API_URL` and `EMAIL_API_KEY`. */
  apiUrl: string;
  apiKey: string;
  /** The accepted emails, in order. An Idempotency-Key is accepted only once. */
  delivered: Email[];
  /** The number of requests, including refused ones. */
  attempts: number;
  /** Makes the next `times` requests fail with `status` (503 by default). */
  failNext(times: number, status?: number): void;
  /** Delays the response to each following request, in milliseconds. */
  delay(milliseconds: number): void;
}

/**
 * Starts a local stand-in for an HTTP email provider. Its API is that of Resend and similar providers: `POST /emails`
 * with `{from, to, subject, text, html, headers}` as JSON, a bearer key and an `Idempotency-Key` header.
 */
export async function startEmailProvider(): Promise<EmailProvider> {
  const apiKey = "local-email-key";
  const seen = new Set<string>();
  let failures = { times: 0, status: 503 };
  let wait = 0;

  const server = await serveFetch(async (request) => {
    provider.attempts += 1;
    if (wait > 0) await pause(wait, request.signal);
    if (failures.times > 0) {
      failures.times -= 1;
      return Response.json({ message: "Told to fail" }, { status: failures.status });
    }
    if (new URL(request.url).pathname !== "/emails") return Response.json({ message: "Not found" }, { status: 404 });
    if (request.method !== "POST") return Response.json({ message: "Method not allowed" }, { status: 405 });
    if (request.headers.get("Authorization") !== `Bearer ${apiKey}`) {
      return Response.json({ message: "Wrong key" }, { status: 401 });
    }
    const email = await request.json().catch(() => null);
    if (!isEmail(email)) return Response.json({ message: "from, to, subject and text are required" }, { status: 422 });
    const idempotencyKey = request.headers.get("Idempotency-Key");
    if (idempotencyKey === null || !seen.has(idempotencyKey)) {
      if (idempotencyKey !== null) seen.add(idempotencyKey);
      const { from, to, subject, text, html = null, headers = {} } = email;
      provider.delivered.push({ from, to: String(to), subject, text, html, headers, idempotencyKey });
    }
    return Response.json({ id: idempotencyKey ?? String(provider.delivered.length) });
  });

  const provider: EmailProvider = {
    ...server,
    apiUrl: `${server.url}/emails`,
    apiKey,
    delivered: [],
    attempts: 0,
    failNext: (times, status = 503) => {
      failures = { times, status };
    },
    delay: (milliseconds) => {
      wait = milliseconds;
    },
  };
  return provider;
}

interface PostedEmail {
  from: string;
  to: string | string[];
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
}

function isEmail(value: unknown): value is PostedEmail {
  const { from, to, subject, text } = (value ?? {}) as Record<string, unknown>;
  const recipient = Array.isArray(to) ? to[0] : to;
  return [from, recipient, subject, text].every((part) => typeof part === "string" && part !== "");
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
