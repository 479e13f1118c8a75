import { users } from "#db/schema";
import type { RequestContext } from "../context";

/** Whether the database answers and has the table `users`, which the first migration creates. */
export async function isDatabaseReady({ db, log }: Pick<RequestContext, "db" | "log">): Promise<boolean> {
  try {
    await db.select({ id: users.id }).from(users).limit(1);
    return true;
  } catch (error) {
    log.error("Not ready", error);
    return false;
  }
}
