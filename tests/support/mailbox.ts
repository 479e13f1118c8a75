import { desc, eq } from "drizzle-orm";
import { openTexts } from "../../app/platform/email/outbox.server";
import { outbox } from "../../db/schema";
import { type App, LOCAL_SECRET } from "../../scripts/local/app";
import { openTestDatabase } from "./database";
import { eventually } from "./eventually";

/** The setting with which a local app encrypts emails, for tests that write or read its outbox themselves. */
export const LOCAL_KEYS = { ENCRYPTION_KEY: [LOCAL_SECRET] };

export interface ReadEmail {
  subject: string;
  text: string;
  /** The first link in the text, as path and query. */
  link: string | undefined;
  /** The six digits in the text. */
  code: string | undefined;
}

/**
 * Reads the latest email to a recipient: from the stand-in provider if the app has one, else from the outbox (which
 * /dev/mailbox shows). Waits for it, since email leaves after the response.
 */
export function readEmail(
  app: Pick<App, "emailProvider" | "libsqlUrl" | "libsqlAuthToken">,
  recipient: string,
): Promise<ReadEmail> {
  const db = openTestDatabase(app);
  return eventually(async () => {
    const delivered = app.emailProvider?.delivered.findLast(({ to }) => to === recipient);
    if (delivered) return read(delivered.subject, delivered.text);
    if (app.emailProvider) return undefined;
    const row = await db
      .select()
      .from(outbox)
      .where(eq(outbox.recipient, recipient))
      .orderBy(desc(outbox.createdAt), desc(outbox.id))
      .get();
    const { body } = row ? openTexts(LOCAL_KEYS, row) : { body: null };
    return row && body ? read(row.subject, body) : undefined;
  });
}

function read(subject: string, text: string): ReadEmail {
  const address = text.match(/https?:\/\/\S+/)?.[0];
  const url = address === undefined ? undefined : new URL(address);
  const code = text.match(/code\D*(\d{3} ?\d{3})\b/i)?.[1]?.replace(" ", "");
  return { subject, text, link: url && url.pathname + url.search, code };
}
