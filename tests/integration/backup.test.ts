import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { createClient, type Client as Database } from "@libsql/client/http";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { migrate } from "../../db/migrate";
import { hiddenOriginals, notifications, users } from "../../db/schema";
import { writeBackup } from "../../scripts/backups/backup-file";
import { dumpDatabase, quote } from "../../scripts/backups/dump";
import { loadDatabase } from "../../scripts/backups/load";
import { startApp } from "../../scripts/local/app";
import { ROOT } from "../../scripts/local/build";
import { startSqld } from "../../scripts/local/sqld";
import { seed } from "../../scripts/worlds";
import { runScriptFromSource } from "../support/admin";
import { useApp } from "../support/app";
import { Client, isSignedIn, signIn } from "../support/client";
import { postTitles } from "../support/html";
import { quickHash } from "../support/passwords";
import { png } from "../support/pictures";
import { casesIn } from "./cases";
import { addPlayer, newVisitor } from "./players";
import { pushesIn } from "./pushes";
import { startConversation } from "./talk";
import { newPlayerWithTwoFactor, nextCode, submitCode, submitPassword } from "./two-factor";

const app = useApp({ world: "demo" });
const { newCase, decideCase } = casesIn(app);

const dir = mkdtempSync(join(tmpdir(), "lineup-backup-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let serial = 0;
/** The path of a file that doesn't exist yet. */
const newFile = () => {
  serial += 1;
  return join(dir, `${serial}.gz`);
};

const open = (url: string) => createClient({ url, intMode: "bigint" });

/** A server with an empty database, for one test. */
async function newDatabase(): Promise<{ url: string; client: Database }> {
  serial += 1;
  const sqld = await startSqld({ dir: join(dir, `database-${serial}`) });
  onTestFinished(sqld.stop);
  return { url: sqld.url, client: open(sqld.url) };
}

/**
 * Everything in a database: the statements that make it, and each table's rows with their rowids.
 * @param limit the number of rows in one read
 */
async function everythingIn(client: Database, limit = 10_000) {
  const made = await client.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name");
  const objects = made.rows.map(({ type, name, tbl_name, sql }) => ({ type, name, table: tbl_name, sql }));
  const rows: Record<string, unknown[]> = {};
  for (const { name } of objects.filter(({ type }) => type === "table")) {
    const query = `SELECT rowid, * FROM ${quote(String(name))} ORDER BY rowid LIMIT ${limit}`;
    const all: unknown[] = [];
    for (let page: unknown[] | undefined; !page || page.length === limit; all.push(...page)) {
      page = (await client.execute(`${query} OFFSET ${all.length}`)).rows;
    }
    rows[String(name)] = all;
  }
  return { objects, rows };
}

const problemsOf = async (client: Database) => [
  ...(await client.execute("PRAGMA foreign_key_check")).rows,
  ...(await client.execute("PRAGMA integrity_check")).rows.filter((row) => row[0] !== "ok"),
];

describe("a database that was lost", () => {
  test("comes back from its backup row by row, with indexes and triggers, and the app works on it", async () => {
    const { player } = await newVisitor(app);
    await decideCase(await newCase(player), { action: "warn" });
    const secured = await newPlayerWithTwoFactor(app);
    const titles = postTitles((await (await signIn(app.client(), "player1@example.com")).get("/dashboard")).text);
    const source = open(app.libsqlUrl);
    const before = await everythingIn(source);
    const file = newFile();

    const backup = await runScriptFromSource("scripts/backup.ts", app, ["--to", file]);
    expect([backup.code, backup.err]).toEqual([0, `Database: ${app.libsqlUrl}\n`]);
    expect(backup.out).toMatch(/holds \d+ rows of \d+ tables/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await everythingIn(source)).toEqual(before);

    const { url, client } = await newDatabase();
    const restored = await runScriptFromSource("scripts/restore.ts", { libsqlUrl: url }, ["--from", file]);
    expect([restored.code, restored.err]).toEqual([0, `Database: ${url}\n`]);
    const after = await everythingIn(client);
    expect(after.objects).toEqual(before.objects);
    for (const [table, rows] of Object.entries(before.rows)) expect(after.rows[table], table).toEqual(rows);
    expect(Object.values(after.rows).filter((rows) => rows.length > 0).length).toBeGreaterThan(25);
    expect(await problemsOf(client)).toEqual([]);
    await expect(client.execute("DELETE FROM moderation_log")).rejects.toThrow("only ever added to");
    await expect(client.execute("UPDATE sessions SET user_id = 'nobody'")).rejects.toThrow("FOREIGN KEY");

    const again = await startApp({ libsqlUrl: url, limitFactor: 1_000, passwordHash: quickHash("unused") });
    try {
      const reader = await signIn(new Client(again.url), "player1@example.com");
      const page = await reader.get("/dashboard");
      expect([page.status, postTitles(page.text)]).toEqual([200, titles]);
      // Sessions and second factors from before the loss still work, and new rows can be added.
      const signedIn = new Client(again.url);
      for (const [name, value] of secured.client.cookies) signedIn.cookies.set(name, value);
      expect(await isSignedIn(signedIn)).toBe(true);
      const half = await submitPassword(new Client(again.url), secured.player);
      expect((await submitCode(half, nextCode(secured.secret))).status).toBe(303);
      const title = "After the restore";
      expect((await reader.submit("/dashboard/lfg/new", "Create Post", { title, neededPlayers: 1 })).status).toBe(303);
      expect(postTitles((await reader.get("/dashboard")).text)).toContain(title);
    } finally {
      await again.stop();
    }
  });
});

describe("a backup", () => {
  test("shows the state at one moment, even if rows are written in the meantime", async () => {
    const count = async () => Number((await app.db.select({ n: sql<number>`count(*)` }).from(users))[0]?.n);
    const before = await count();
    const file = newFile();
    const lines = dumpDatabase(open(app.libsqlUrl));
    await writeBackup(
      file,
      (async function* () {
        let isFirst = true;
        for await (const line of lines) {
          if (isFirst) await addPlayer(app);
          isFirst = false;
          yield line;
        }
      })(),
    );
    expect(await count()).toBe(before + 1);
    const { client } = await newDatabase();
    await loadDatabase(client, file);
    expect(Number((await client.execute("SELECT count(*) FROM users")).rows[0]?.[0])).toBe(before);
    expect(await problemsOf(client)).toEqual([]);
  });

  test("keeps each kind of value, large rows, names in need of quotes, and circular references", async () => {
    const { client } = await newDatabase();
    await client.batch([
      'CREATE TABLE "odd ""name" (a, "b c" REAL, "d" TEXT, CHECK (a IS NOT 13))',
      "CREATE TABLE one (id integer PRIMARY KEY, other integer REFERENCES two (id))",
      "CREATE TABLE two (id text PRIMARY KEY NOT NULL, one integer REFERENCES one (id) ON DELETE CASCADE)",
      'CREATE VIEW odd_view AS SELECT a FROM "odd ""name"\n  -- of two lines\n',
      "CREATE TRIGGER no_odd BEFORE INSERT ON one BEGIN SELECT RAISE(ABORT, 'no; more'); END",
    ]);
    await client.migrate([
      "DROP TRIGGER no_odd",
      "INSERT INTO one VALUES (7, 'x'), (3, NULL)",
      "INSERT INTO two VALUES ('x', 7)",
    ]);
    await client.execute("CREATE TRIGGER no_odd BEFORE INSERT ON one BEGIN\n SELECT RAISE(ABORT, 'no; more');\nEND");
    const insert = (values: unknown[]) =>
      client.execute({ sql: 'INSERT INTO "odd ""name" VALUES (?, ?, ?)', args: values as never });
    await insert([null, 4, "line\nline\r\n\u2028 \u0000 “ü” 🙂"]);
    await insert([2n ** 63n - 1n, -0.5, ""]);
    await insert([-(2n ** 63n), 1e300, "'; DROP TABLE one; --"]);
    await insert([4.5, 1n, "x".repeat(1_000_000)]);
    await insert([new Uint8Array([0, 255, 10, 0]), null, "y".repeat(1_000_000)]);
    // More data than a server returns in one response, after small rows.
    for (let row = 0; row < 40; row += 1) await insert([4n, 0.1, "z".repeat(row < 30 ? 1 : 1_200_000)]);
    const file = newFile();
    const counts = await writeBackup(file, dumpDatabase(client));
    expect(counts).toEqual({ tables: 3, rows: 48 });
    const { client: other } = await newDatabase();
    await loadDatabase(other, file);
    expect(await everythingIn(other, 4)).toEqual(await everythingIn(client, 4));
  });

  test("replaces no file, and leaves none when it fails", async () => {
    const file = newFile();
    writeFileSync(file, "mine");
    const answer = await runScriptFromSource("scripts/backup.ts", app, ["--to", file]);
    expect([answer.code, answer.err]).toEqual([1, expect.stringContaining("exists already")]);
    expect(readFileSync(file, "utf8")).toBe("mine");

    const { client } = await newDatabase();
    await client.execute("CREATE VIRTUAL TABLE found USING fts5 (words)");
    const other = newFile();
    await expect(writeBackup(other, dumpDatabase(client))).rejects.toThrow("found: it is a virtual table");
    expect([existsSync(other), existsSync(`${other}.partial`)]).toEqual([false, false]);
  });
});

describe("a restore", () => {
  let file: string;
  beforeAll(async () => {
    file = newFile();
    await writeBackup(file, dumpDatabase(open(app.libsqlUrl)));
  });

  test("refuses a database that holds players or tables of something else, and changes nothing", async () => {
    const { url, client } = await newDatabase();
    await migrate(url);
    await seed(url, { world: "demo", passwordHash: "none" });
    const before = await everythingIn(client);
    const answer = await runScriptFromSource("scripts/restore.ts", { libsqlUrl: url }, ["--from", file]);
    expect([answer.code, answer.err]).toEqual([1, expect.stringContaining("holds players")]);
    expect(await everythingIn(client)).toEqual(before);

    const { client: other } = await newDatabase();
    await other.batch(["CREATE TABLE invoices (id)", "INSERT INTO invoices VALUES (1)"]);
    await expect(loadDatabase(other, file)).rejects.toThrow("invoices");
    expect((await other.execute("SELECT id FROM invoices")).rows).toHaveLength(1);
  });

  test("takes a database that is migrated and has no players", async () => {
    const { url, client } = await newDatabase();
    await migrate(url);
    await loadDatabase(client, file);
    const before = await everythingIn(open(app.libsqlUrl));
    expect(await everythingIn(client)).toEqual(before);
    await migrate(url);
    expect(await everythingIn(client)).toEqual(before);
  });

  test("refuses a file that was cut, changed or made by something else, before it changes anything", async () => {
    const { url, client } = await newDatabase();
    await migrate(url);
    const before = await everythingIn(client);
    const whole = readFileSync(file);
    const lines = gunzipSync(whole).toString().trimEnd().split("\n");
    const broken: Record<string, () => void> = {
      cut: () => truncateSync(file, whole.length - 100),
      "without its end": () => writeFileSync(file, gzipSync(lines.slice(0, -1).join("\n"))),
      "without a row": () => writeFileSync(file, gzipSync(lines.filter((_, index) => index !== 5).join("\n"))),
      "with a line of something else": () => writeFileSync(file, gzipSync(`${lines[0]}\n{"row":1}\n`)),
      "of a newer version": () => writeFileSync(file, gzipSync('{"backup":{"version":2,"madeAt":"x"}}\n')),
      "no gzip": () => writeFileSync(file, "Dear diary"),
      empty: () => writeFileSync(file, ""),
      missing: () => rmSync(file),
    };
    for (const [name, damage] of Object.entries(broken)) {
      damage();
      await expect(loadDatabase(client, file), name).rejects.toThrow();
      writeFileSync(file, whole);
    }
    expect(await everythingIn(client)).toEqual(before);
  });

  test("can be repeated after an interruption", async () => {
    const { client } = await newDatabase();
    const migrateFully = client.migrate.bind(client);
    let batches = 0;
    client.migrate = (statements) => {
      batches += 1;
      if (batches === 3) throw new Error("Interrupted");
      return migrateFully(statements);
    };
    await expect(loadDatabase(client, file)).rejects.toThrow("Interrupted");
    expect(Number((await client.execute("SELECT count(*) FROM users")).rows[0]?.[0])).toBeGreaterThan(0);
    await expect(writeBackup(newFile(), dumpDatabase(client))).rejects.toThrow("incomplete");
    client.migrate = migrateFully;
    await loadDatabase(client, file);
    expect(await everythingIn(client)).toEqual(await everythingIn(open(app.libsqlUrl)));
  });
});

describe("The runbook's statements for a restore", () => {
  const steps = readFileSync(join(ROOT, "docs/operations.md"), "utf8").split(/^ *(?:-|\d\.) /m);

  /** The statements of the step of `docs/operations.md` that begins with these words. */
  function statementsOf(beginning: string): string[] {
    const step = steps.find((one) => one.startsWith(beginning)) ?? "";
    return [...step.matchAll(/`(?:sql\s+)?((?:UPDATE|INSERT|DELETE)[^`]+)`/g)].map(([, statement = ""]) => statement);
  }

  test("stop the emails and pushes that were waiting when the backup was made", async () => {
    const { author } = await startConversation(app);
    const { addDevice, settled, pushesAt } = pushesIn(app);
    await settled(author.player);
    const device = await addDevice(author.client);
    const due = { emailDueAt: new Date(), pushDueAt: new Date() };
    await app.db.update(notifications).set(due).where(eq(notifications.userId, author.player.id));
    await decideCase(await newCase(author.player), { action: "warn" });
    const file = newFile();
    await writeBackup(file, dumpDatabase(open(app.libsqlUrl)));
    const { url, client } = await newDatabase();
    await loadDatabase(client, file);
    for (const statement of statementsOf("Emails and pushes that were waiting")) await client.execute(statement);
    const again = await startApp({ libsqlUrl: url, emailProvider: true, bindings: app.push.bindings });
    onTestFinished(again.stop);
    await again.runScheduled();
    const subjects = again.emailProvider?.delivered.map(({ subject }) => subject);
    expect([subjects, pushesAt(device)]).toEqual([[], []]);
    // The health page would count an unsent row as given up.
    expect((await client.execute("SELECT id FROM outbox WHERE sent_at IS NULL")).rows).toEqual([]);
  });

  test("stop the waiting emails before the steps that write new ones", () => {
    const placeOf = (beginning: string) => steps.findIndex((step) => step.startsWith(beginning));
    const first = placeOf("A backup brings back");
    expect(first).toBeGreaterThan(0);
    expect(placeOf("Emails and pushes that were waiting")).toBe(first + 1);
  });

  test("delete the pictures that no row names, and put the others back where they belong", async () => {
    const bucket = await app.miniflare.getR2Bucket("AVATARS");
    const [shown, unknown, hidden, reported] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
    await addPlayer(app, { avatarId: shown });
    const hider = await addPlayer(app);
    const original = { avatarId: hidden };
    await app.db
      .insert(hiddenOriginals)
      .values({ kind: "player", subjectId: hider.id, original, createdAt: new Date() });
    await newCase(hider, { picture: reported });
    // The bucket's keys: since the backup, the shown picture has been hidden, and the reported one is still public.
    const keys = [`hidden/${shown}`, unknown, `hidden/${unknown}`, `reported/${unknown}`, `hidden/${hidden}`, reported];
    for (const key of keys) await bucket.put(key, png(4, 4), { httpMetadata: { contentType: "image/png" } });
    expect((await app.client().get(`/avatars/${unknown}`)).status).toBe(200);
    for (const statement of statementsOf("Deal with the pictures")) {
      await open(app.libsqlUrl).execute(statement.replace('["KEY"]', JSON.stringify(keys)));
    }
    await app.runScheduled();
    const left = (await bucket.list()).objects.map(({ key }) => key);
    expect(left.sort()).toEqual([shown, `hidden/${hidden}`, `reported/${reported}`].sort());
    expect((await app.client().get(`/avatars/${shown}`)).status).toBe(200);
  });
});
