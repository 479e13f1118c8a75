import { sql } from "drizzle-orm";
import type { Hideable } from "../../app/features/moderation/shared/hideable";
import { followHiding, hideSubject, restoreSubject } from "../../app/features/moderation/shared/hiding.server";
import { openDatabase } from "../../db/client";
import { transact } from "../../db/statements";
import { type App, LOCAL_SECRET } from "../../scripts/local/app";

/**
 * Test helpers that hide things in an app as a decision does, without the decision.
 * @param url the database in which the statements run; by default that of the app
 */
export function hidingIn(app: Pick<App, "miniflare" | "url" | "libsqlUrl" | "libsqlAuthToken">, url?: string) {
  /** The bindings through which a decision takes effect: the bucket and the rooms. */
  async function bindings() {
    const { miniflare } = app;
    const [AVATARS, ...rooms] = await Promise.all([
      miniflare.getR2Bucket("AVATARS"),
      ...["CONVERSATION_ROOMS", "INBOX_ROOMS", "TOURNAMENT_ROOMS", "POST_LIST_ROOMS"].map((name) =>
        miniflare.getDurableObjectNamespace(name),
      ),
    ]);
    const [CONVERSATION_ROOMS, INBOX_ROOMS, TOURNAMENT_ROOMS, POST_LIST_ROOMS] = rooms.map((namespace) => ({
      getByName: (name: string) => namespace.get(namespace.idFromName(name)),
    }));
    return {
      SESSION_SECRET: [LOCAL_SECRET],
      AVATARS,
      CONVERSATION_ROOMS,
      INBOX_ROOMS,
      TOURNAMENT_ROOMS,
      POST_LIST_ROOMS,
    };
  }

  async function run(
    build: typeof hideSubject | typeof restoreSubject,
    subject: Hideable,
    isDecided: boolean,
    now = new Date(),
  ) {
    // Like a decision's own statements, these ask the database whether the decision was stored.
    const condition = sql`EXISTS (SELECT 1 FROM users WHERE ${isDecided ? 1 : 0} = 1)`;
    // The site's own client begins a transaction by taking the write lock, so it waits while the Worker writes.
    const { db } = openDatabase({ url: url ?? app.libsqlUrl, authToken: app.libsqlAuthToken });
    const { results } = await transact(db, { results: build(db, subject, now, condition) });
    const env = (await bindings()) as unknown as Parameters<typeof followHiding>[0]["env"];
    const work: Promise<unknown>[] = [];
    followHiding({ db, env, origin: app.url, defer: (task) => void work.push(task()) }, subject, results);
    // A task may add further ones.
    while (work.length > 0) await Promise.all(work.splice(0));
  }

  return {
    hide: (subject: Hideable, now?: Date) => run(hideSubject, subject, true, now),
    restore: (subject: Hideable) => run(restoreSubject, subject, true),
    /** Runs the statements of a decision that was not stored: nothing may be hidden. */
    hideWithoutDecision: (subject: Hideable) => run(hideSubject, subject, false),
  };
}
