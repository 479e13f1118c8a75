import { desc } from "drizzle-orm";
import type { Database } from "#db/client";
import { outbox } from "#db/schema";

/** Lists the newest 50 emails of the outbox, for the local mailbox. */
export function listEmails(db: Database) {
  return db.select().from(outbox).orderBy(desc(outbox.id)).limit(50);
}
