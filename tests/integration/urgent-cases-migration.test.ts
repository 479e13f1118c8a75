import { createClient } from "@libsql/client/http";
import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import { migrate } from "../../db/migrate";
import { reportCases, reports, users } from "../../db/schema";
import { migrateUpTo } from "../support/migrations";
import { startWatchedDatabase } from "../support/watched-database";

const { sqld } = await startWatchedDatabase();

test("Open cases with a grave report become urgent, all reports stay, and the earlier Worker can still report", async () => {
  await migrateUpTo(sqld.url, "0033_reviewed-names");
  const client = createClient({ url: sqld.url });
  const { db } = openDatabase({ url: sqld.url });
  const now = new Date();
  const reporter = uuidv7();
  await db.insert(users).values({ id: reporter, email: "here@lineup.test", passwordHash: "none", createdAt: now });
  /** Adds a case as the earlier Worker does, with reports for these reasons. */
  async function addCase(state: "open" | "closed", ...reasons: string[]): Promise<string> {
    const id = uuidv7();
    await client.execute({
      sql: `INSERT INTO report_cases (id, kind, subject_id, state, report_count, snapshot, created_at, updated_at, closed_at)
        VALUES (?, 'post', ?, ?, ?, '{}', 1, 1, ?)`,
      args: [id, uuidv7(), state, reasons.length, state === "closed" ? 2 : null],
    });
    for (const [place, reason] of reasons.entries()) await addReport(id, reason, place);
    return id;
  }
  const addReport = (caseId: string, reason: string, place = 0) =>
    client.execute({
      sql: `INSERT INTO reports (id, case_id, reporter_id, reporter_email, reason, details, created_at)
        VALUES (?, ?, ?, ?, ?, 'Look', 1)
        ON CONFLICT (case_id, reporter_id) DO UPDATE SET reason = excluded.reason`,
      args: [uuidv7(), caseId, place ? null : reporter, place ? `${place}@lineup.test` : null, reason],
    });
  const harmless = await addCase("open", "spam", "sexual");
  const threats = await addCase("open", "spam", "threats");
  const abuse = await addCase("open", "child-abuse");
  const closed = await addCase("closed", "threats");
  const before = await db.select().from(reports).orderBy(asc(reports.id));

  await migrate(sqld.url);
  expect(await db.select().from(reports).orderBy(asc(reports.id))).toEqual(before);
  const urgent = await db.select().from(reportCases).where(eq(reportCases.isUrgent, true)).orderBy(asc(reportCases.id));
  expect(urgent.map(({ id }) => id)).toEqual([threats, abuse]);

  const later = await addCase("open", "spam");
  await addReport(later, "threats");
  expect(await db.select().from(reports).where(eq(reports.caseId, later))).toMatchObject([{ reason: "threats" }]);
  await db.insert(reports).values({ id: uuidv7(), caseId: harmless, reason: "intimate", createdAt: now });
  // Deleting an account still clears its id in its reports, and deleting a case still deletes its reports.
  await client.execute({ sql: "DELETE FROM users WHERE id = ?", args: [reporter] });
  expect(await db.$count(reports, eq(reports.reporterId, reporter))).toBe(0);
  await client.execute({ sql: "DELETE FROM report_cases WHERE id = ?", args: [closed] });
  expect(await db.$count(reports, eq(reports.caseId, closed))).toBe(0);
  client.close();
});
