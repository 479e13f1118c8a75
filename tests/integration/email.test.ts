import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { enqueueEmail } from "../../app/platform/email/outbox.server";
import { uuidv7 } from "../../db/ids";
import { outbox, users } from "../../db/schema";
import { type TestApp, useApp } from "../support/app";
import { eventually } from "../support/eventually";
import { links, select, textOf } from "../support/html";
import { LOCAL_KEYS } from "../support/mailbox";
import { addPlayer, MINUTE, newVisitor, type Player, unique, visitAs } from "./players";

const past = () => new Date(Date.now() - 1_000);

/** Text as `encrypt` returns it. */
const ENCRYPTED = /^[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/;

/** Puts an email that is due now into the outbox, in plain text, as versions before the encryption did. */
async function enqueue(app: TestApp, recipient: string, email: Partial<typeof outbox.$inferInsert> = {}) {
  const id = uuidv7();
  await app.db.insert(outbox).values({
    id,
    recipient,
    subject: "Confirm",
    body: "Open https://lineup.test/secret",
    html: "<a href='https://lineup.test/secret'>Open</a>",
    createdAt: past(),
    dueAt: past(),
    ...email,
  });
  return {
    row: () => app.db.select().from(outbox).where(eq(outbox.id, id)).get(),
    makeDue: () => app.db.update(outbox).set({ dueAt: past() }).where(eq(outbox.id, id)),
  };
}

const failedAt = async (app: TestApp, { id }: Player) =>
  (await app.db.select({ at: users.emailFailedAt }).from(users).where(eq(users.id, id)).get())?.at ?? null;

/** Signs up, which sends the confirmation email. */
async function signUp(app: TestApp, email: string): Promise<void> {
  const client = app.client();
  const step2 = "/auth?tab=sign-up&step=2";
  const riot = { gameName: unique("Mailed "), tagLine: "EUW", region: "europe" };
  await client.post("/auth?tab=sign-up", { intent: "next", email, password: "four smokes and a wall" });
  await client.post(step2, { intent: "verify", ...riot });
  expect((await client.post(step2, { intent: "complete", ...riot })).status).toBe(303);
}

describe("An email that waits in the outbox", () => {
  const app = useApp();
  const rowsTo = (recipient: string) => app.db.select().from(outbox).where(eq(outbox.recipient, recipient));

  test("is encrypted, with its code and links, and shown whole by the mailbox", async () => {
    const { email } = await addPlayer(app);
    await app.client().post("/auth/code", { intent: "send", email });
    const { code, link } = await app.readEmail(email);
    const [row] = await rowsTo(email);
    for (const stored of [row?.body, row?.html]) expect(stored).toMatch(ENCRYPTED);
    const { text } = await app.client().get("/dev/mailbox");
    expect(textOf(text)).toContain(`Your code: ${code}`);
    expect(links(text).map(({ href }) => href)).toContain(app.url + link);
  });

  test("has its link for unsubscribing encrypted, too", async () => {
    const { email } = await addPlayer(app);
    const context = { db: app.db, env: LOCAL_KEYS, now: new Date() };
    const link = `${app.url}/unsubscribe/x`;
    await enqueueEmail(context, {
      recipient: email,
      subject: "News",
      paragraphs: [],
      unsubscribe: { label: "Off", link },
    });
    const [row] = await rowsTo(email);
    expect(row?.unsubscribeUrl).toMatch(ENCRYPTED);
    const again = await enqueueEmail(context, { recipient: email, subject: "News", paragraphs: [] });
    expect(again.rowsAffected).toBe(1);
    expect((await rowsTo(email)).map(({ unsubscribeUrl }) => unsubscribeUrl === null)).toEqual([false, true]);
  });
});

describe("an HTTP provider", () => {
  const app = useApp({ emailProvider: true });
  const provider = () => app.emailProvider as NonNullable<typeof app.emailProvider>;
  afterEach(() => provider().failNext(0));

  test("receives the email as text and as HTML", async () => {
    const email = `${unique("newcomer-")}@lineup.test`;
    await signUp(app, email);
    const sent = await eventually(() => provider().delivered.find(({ to }) => to === email));
    const address = links(sent.html ?? "")[0]?.href as string;
    expect(address).toMatch(`${app.url}/auth/confirm?token=`);
    expect(sent.text).toContain(address);
    expect(textOf(sent.html ?? "")).toContain("Confirm your email address for Lineup");
  });

  test.each([400, 410, 413, 422])(
    "is not retried after a %i: the text is deleted, the reason stays",
    async (status) => {
      const player = await addPlayer(app);
      const email = await enqueue(app, player.email);
      provider().failNext(1, status);
      await app.runScheduled();
      expect(await email.row()).toMatchObject({
        attempts: 1,
        dueAt: null,
        sentAt: null,
        body: null,
        html: null,
        lastError: `The email provider answered ${status}`,
      });
    },
  );

  test("makes an address count as dead by refusing it with a 410", async () => {
    const player = await addPlayer(app);
    await enqueue(app, player.email);
    provider().failNext(1, 410);
    await app.runScheduled();
    expect(await failedAt(app, player)).toBeInstanceOf(Date);
  });

  test.each([400, 413, 422])(
    "doesn't make an address count as dead by refusing the email itself with a %i",
    async (status) => {
      const player = await addPlayer(app);
      await enqueue(app, player.email);
      provider().failNext(1, status);
      await app.runScheduled();
      expect(await failedAt(app, player)).toBeNull();
    },
  );

  test.each([401, 404, 429, 500])("is retried after a %i: the address may be good", async (status) => {
    const player = await addPlayer(app);
    const email = await enqueue(app, player.email);
    provider().failNext(1, status);
    await app.runScheduled();
    expect(await email.row()).toMatchObject({ attempts: 1, dueAt: expect.any(Date), body: expect.any(String) });
    expect(await failedAt(app, player)).toBeNull();
    await email.makeDue();
    await app.runScheduled();
    expect(await email.row()).toMatchObject({ sentAt: expect.any(Date), body: null, html: null });
  });

  test.each([401, 503])(
    "that answers %i for two hours makes the outbox give up on the email, but not on the address, and delete its text",
    async (status) => {
      const player = await addPlayer(app);
      const email = await enqueue(app, player.email, { attempts: 7 });
      provider().failNext(1, status);
      await app.runScheduled();
      expect(await email.row()).toMatchObject({ attempts: 8, dueAt: null, sentAt: null, body: null, html: null });
      expect(await failedAt(app, player)).toBeNull();
    },
  );

  test("isn't sent an email whose code has expired, and the address still counts as working", async () => {
    const player = await addPlayer(app);
    const email = await enqueue(app, player.email, { expiresAt: past() });
    const { attempts } = provider();
    await app.runScheduled();
    expect(provider().attempts).toBe(attempts);
    expect(await email.row()).toMatchObject({ dueAt: null, sentAt: null, body: null, html: null });
    expect(await failedAt(app, player)).toBeNull();

    const fresh = await enqueue(app, player.email, { expiresAt: new Date(Date.now() + MINUTE) });
    await app.runScheduled();
    expect(await fresh.row()).toMatchObject({ sentAt: expect.any(Date) });
  });

  test("makes a dead address count as working by accepting the next email to it", async () => {
    const player = await addPlayer(app);
    const other = await addPlayer(app);
    for (const { id } of [player, other]) {
      await app.db.update(users).set({ emailFailedAt: past() }).where(eq(users.id, id));
    }
    await enqueue(app, player.email);
    await app.runScheduled();
    expect(await failedAt(app, player)).toBeNull();
    expect(await failedAt(app, other)).toBeInstanceOf(Date);
  });
});

describe("a dead address", () => {
  const app = useApp();
  const NOTICE = "Our emails don't reach you.";
  const pages = ["/dashboard", "/dashboard/profile", "/dashboard/messages", "/dashboard/settings/appearance"];

  test("is shown only to its player, on every page of the dashboard, with a link to change it", async () => {
    const { client, player } = await newVisitor(app);
    const other = await newVisitor(app);
    for (const page of pages) expect(textOf((await client.get(page)).text), page).not.toContain(NOTICE);
    await app.db.update(users).set({ emailFailedAt: past() }).where(eq(users.id, player.id));
    for (const page of pages) {
      const { text } = await client.get(page);
      expect(textOf(text), page).toContain(NOTICE);
      expect(
        links(text).map(({ href }) => href),
        page,
      ).toContain("/dashboard/settings/email");
      expect(textOf((await other.client.get(page)).text), page).not.toContain(NOTICE);
    }
  });

  test("works again once it has been confirmed", async () => {
    const email = `${unique("newcomer-")}@lineup.test`;
    await signUp(app, email);
    const player = await app.db.select().from(users).where(eq(users.email, email)).get();
    if (!player) throw new Error("There is no account.");
    await app.db.update(users).set({ emailFailedAt: past() }).where(eq(users.id, player.id));
    const client = await visitAs(app, player);
    expect(textOf((await client.get("/dashboard")).text)).toContain(NOTICE);
    await client.get((await app.readEmail(email)).link as string);
    expect(textOf((await client.get("/dashboard")).text)).not.toContain(NOTICE);
  });
});

describe("the mailbox", () => {
  const app = useApp();

  test("shows an email as text and as HTML, in a frame that runs no scripts", async () => {
    const email = `${unique("newcomer-")}@lineup.test`;
    await signUp(app, email);
    const { link } = await app.readEmail(email);
    const { text } = await app.client().get("/dev/mailbox");
    expect(links(text).map(({ href }) => href)).toContain(`${app.url}${link}`);
    const frame = select(text, "iframe").first();
    expect(frame.attr("sandbox")).toBe("allow-top-navigation-by-user-activation");
    expect(textOf(frame.attr("srcdoc") ?? "")).toContain("Confirm your email address for Lineup");
  });
});

describe("Cloudflare's email binding", () => {
  const app = useApp({ emailBinding: true, confirmEmail: true });

  test("sends the emails in the outbox, as text and as HTML", async () => {
    const email = `${unique("newcomer-")}@lineup.test`;
    await signUp(app, email);
    const sent = await eventually(() => app.boundEmails.find(({ to }) => to === email));
    expect(sent).toMatchObject({
      from: '"Lineup" <no-reply@lineup.example>',
      subject: "Confirm your email address for Lineup",
    });
    const link = links(sent.html)[0]?.href as string;
    expect(sent.text).toContain(link);
    const row = await eventually(async () => {
      const found = await app.db.select().from(outbox).where(eq(outbox.recipient, email)).get();
      return found?.sentAt ? found : undefined;
    });
    expect(row).toMatchObject({ attempts: 1, body: null, html: null, lastError: null });
    expect((await app.client().get(link.replace(app.url, ""))).location).toBe("/auth");
  });
});
