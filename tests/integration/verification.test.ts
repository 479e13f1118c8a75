import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { sessions, users, type VerificationPurpose, verifications } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { announcements, links, textOf } from "../support/html";
import { recordsIn } from "../support/records";
import { startWatchedDatabase } from "../support/watched-database";
import { addPlayer, type Player, unique, visitAs } from "./players";

// A proxy between the Worker and the database that can cut the Worker off.
const { proxy, appOptions } = await startWatchedDatabase();

const app = useApp(appOptions);
const { accountOf, actionsOf, sessionsOf } = recordsIn(app);

const NEW_PASSWORD = "four smokes and a wall";

/** A requested code: the browser that asked, and the contents of the email. */
interface Sent {
  player: Player;
  client: Client;
  code: string;
  token: string;
}

/** One purpose of an emailed code or link. */
interface Flow {
  purpose: VerificationPurpose;
  /** Creates the player, and the browser that asks for the code. */
  begin(): Promise<{ player: Player; client: Client }>;
  /** @returns the recipient's address */
  ask(client: Client, player: Player): Promise<string>;
  enter(client: Client, code: string): Promise<HttpResponse>;
  open(client: Client, token: string): Promise<HttpResponse>;
  /** A browser in which the link may be opened. */
  elsewhere(player: Player): Promise<Client>;
  /** Whether the purpose was fulfilled. */
  hasWorked(player: Player): Promise<boolean>;
  /** Undoes the effect. */
  undo(player: Player): Promise<unknown>;
}

const setAccount = ({ id }: Player, values: Partial<typeof users.$inferInsert>) =>
  app.db.update(users).set(values).where(eq(users.id, id));
const anyone = async () => ({ player: await addPlayer(app), client: app.client() });
const signedOut = async () => app.client();
/** A made-up hash of the password before the reset. */
const OLD_HASH = "scrypt$16384$8$5$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const FLOWS: Flow[] = [
  {
    purpose: "reset-password",
    begin: async () => {
      const { player, client } = await anyone();
      await setAccount(player, { passwordHash: OLD_HASH });
      return { player, client };
    },
    ask: async (client, { email }) => {
      expect((await client.post("/auth/forgot-password", { intent: "send", email })).status).toBe(303);
      return email;
    },
    enter: (client, code) => client.post("/auth/reset-password", { code, password: NEW_PASSWORD }),
    open: (client, token) => client.post(`/auth/reset-password?token=${token}`, { password: NEW_PASSWORD }),
    elsewhere: signedOut,
    hasWorked: async (player) => (await accountOf(player))?.passwordHash !== OLD_HASH,
    undo: (player) => setAccount(player, { passwordHash: OLD_HASH }),
  },
  {
    purpose: "sign-in",
    begin: anyone,
    ask: async (client, { email }) => {
      expect((await client.post("/auth/code", { intent: "send", email })).status).toBe(303);
      return email;
    },
    enter: (client, code) => client.post("/auth/code?step=2", { intent: "enter", code }),
    open: (client, token) => client.post(`/auth/code?token=${token}`),
    elsewhere: signedOut,
    hasWorked: async ({ id }) => (await app.db.select().from(sessions).where(eq(sessions.userId, id))).length > 0,
    undo: ({ id }) => app.db.delete(sessions).where(eq(sessions.userId, id)),
  },
  {
    purpose: "confirm-email",
    begin: async () => {
      const player = await addPlayer(app, { emailConfirmedAt: null });
      return { player, client: await visitAs(app, player) };
    },
    ask: async (client, { email }) => {
      expect((await client.post("/auth/confirm", { intent: "again" })).status).toBe(303);
      return email;
    },
    enter: (client, code) => client.post("/auth/confirm", { intent: "enter", code }),
    open: (client, token) => client.get(`/auth/confirm?token=${token}`),
    elsewhere: signedOut,
    hasWorked: async (player) => (await accountOf(player))?.emailConfirmedAt !== null,
    undo: (player) => setAccount(player, { emailConfirmedAt: null }),
  },
  {
    purpose: "change-email",
    begin: async () => {
      const player = await addPlayer(app);
      return { player, client: await visitAs(app, player) };
    },
    ask: async (client) => {
      const email = `${unique("new-address-")}@lineup.test`;
      expect((await client.post("/dashboard/settings/email", { intent: "send", email })).status).toBe(303);
      return email;
    },
    enter: (client, code) => client.post("/dashboard/settings/email?step=2", { intent: "enter", code }),
    open: (client, token) => client.post(`/dashboard/settings/email?token=${token}`),
    elsewhere: (player) => visitAs(app, player),
    hasWorked: async (player) => (await accountOf(player))?.email !== player.email,
    undo: (player) => setAccount(player, { email: player.email }),
  },
];

const cookieOf = (purpose: VerificationPurpose) => `lineup_code_${purpose.replaceAll("-", "_")}`;

async function send(flow: Flow): Promise<Sent> {
  const { player, client } = await flow.begin();
  const { code, link } = await app.readEmail(await flow.ask(client, player));
  const token = new URL(link as string, app.url).searchParams.get("token");
  return { player, client, code: code as string, token: token as string };
}

/** A different code of six digits. */
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, "0");

const changeRow = ({ player }: Sent, values: Partial<typeof verifications.$inferInsert>) =>
  app.db.update(verifications).set(values).where(eq(verifications.userId, player.id));

describe.each(FLOWS.map((flow) => [flow.purpose, flow] as const))("the code and link for %s", (purpose, flow) => {
  test("are six digits and a token, neither of which the database holds", async () => {
    const sent = await send(flow);
    expect(sent.code).toMatch(/^\d{6}$/);
    const row = await app.db.select().from(verifications).where(eq(verifications.userId, sent.player.id)).get();
    const stored = JSON.stringify(row);
    for (const secret of [sent.code, sent.token, sent.client.cookies.get(cookieOf(purpose)) as string]) {
      expect(stored).not.toContain(secret);
    }
    expect(row?.purpose).toBe(purpose);
    expect((row?.expiresAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)).toBe(10 * 60_000);
  });

  test("work: the code in the browser that asked, with any spacing", async () => {
    const sent = await send(flow);
    const spaced = ` ${sent.code.slice(0, 3)} ${sent.code.slice(3)} `;
    expect((await flow.enter(sent.client, spaced)).status).toBe(303);
    expect(await flow.hasWorked(sent.player)).toBe(true);
    expect(sent.client.cookies.has(cookieOf(purpose))).toBe(false);
  });

  test("work: the link, in any browser that may open it", async () => {
    const sent = await send(flow);
    await flow.open(await flow.elsewhere(sent.player), sent.token);
    expect(await flow.hasWorked(sent.player)).toBe(true);
  });

  test("work once: neither works a second time, or after the other was used", async () => {
    for (const first of ["code", "link"] as const) {
      const sent = await send(flow);
      const cookie = sent.client.cookies.get(cookieOf(purpose)) as string;
      await (first === "code" ? flow.enter(sent.client, sent.code) : flow.open(sent.client, sent.token));
      expect(await flow.hasWorked(sent.player)).toBe(true);
      await flow.undo(sent.player);
      const client = await flow.elsewhere(sent.player);
      client.cookies.set(cookieOf(purpose), cookie);
      await flow.enter(client, sent.code);
      await flow.open(client, sent.token);
      // For `sign-in`, `hasWorked` looks for any session of the player, and a browser from `elsewhere` has none.
      expect(await flow.hasWorked(sent.player), `after the ${first}`).toBe(false);
    }
  });

  test("still work if the database fails right after it has checked them, however often it fails", async () => {
    for (const by of ["code", "link"] as const) {
      const sent = await send(flow);
      const act = () => (by === "code" ? flow.enter(sent.client, sent.code) : flow.open(sent.client, sent.token));
      for (let failures = 0; failures < 6; failures += 1) {
        proxy.spared = 1;
        proxy.mode = "away";
        const answer = await act();
        proxy.mode = "through";
        expect([proxy.spared, answer.status]).toEqual([0, 503]);
        expect(await flow.hasWorked(sent.player), by).toBe(false);
      }
      await act();
      expect(await flow.hasWorked(sent.player), by).toBe(true);
    }
  });

  test("work once, however many requests use them at the same time", async () => {
    const sent = await send(flow);
    const answers = await Promise.all(Array.from({ length: 4 }, () => flow.enter(sent.client, sent.code)));
    const effects = purpose === "sign-in" ? await sessionsOf(sent.player) : await actionsOf(sent.player);
    expect(effects).toHaveLength(1);
    // The other requests redirect or are refused, depending on whether they see that one has worked.
    for (const { status } of answers) expect([302, 303, 400]).toContain(status);
  });

  test("don't work for any other purpose", async () => {
    for (const other of FLOWS.filter((one) => one !== flow)) {
      const sent = await send(flow);
      const stolen = sent.client.cookies.get(cookieOf(purpose)) as string;
      await flow.undo(sent.player);
      await other.undo(sent.player);
      // A browser of the same player that may use the other purpose.
      const client = await other.elsewhere(sent.player);
      await other.undo(sent.player).catch(() => undefined);
      client.cookies.set(cookieOf(other.purpose), stolen);
      const before = await other.hasWorked(sent.player);
      await other.enter(client, sent.code);
      await other.open(client, sent.token);
      expect([before, await other.hasWorked(sent.player)], other.purpose).toEqual([false, false]);
    }
  });

  test("don't work if the code is entered in another browser, or with a forged cookie", async () => {
    const sent = await send(flow);
    const client = await flow.elsewhere(sent.player);
    for (const cookie of [null, "made-up", sent.token, ""]) {
      if (cookie !== null) client.cookies.set(cookieOf(purpose), cookie);
      // For `confirm-email`, a browser without a valid code is redirected to sign in.
      expect([303, 400]).toContain((await flow.enter(client, sent.code)).status);
    }
    expect(await flow.hasWorked(sent.player)).toBe(false);
  });

  test("don't work after ten minutes", async () => {
    const sent = await send(flow);
    await changeRow(sent, { expiresAt: new Date(Date.now() - 1) });
    const answer = await flow.enter(sent.client, sent.code);
    expect(answer.status).toBe(400);
    expect(announcements(answer.text).at(-1)).toMatch(/That code is wrong, used or too old\./);
    await flow.open(await flow.elsewhere(sent.player), sent.token);
    expect(await flow.hasWorked(sent.player)).toBe(false);
  });

  test("allow four wrong codes and refuse even the right one after the fifth", async () => {
    const [four, five] = [await send(flow), await send(flow)];
    for (let tries = 1; tries <= 4; tries += 1) {
      expect((await flow.enter(four.client, wrong(four.code, tries))).status).toBe(400);
      expect((await flow.enter(five.client, wrong(five.code, tries))).status).toBe(400);
    }
    expect((await flow.enter(five.client, wrong(five.code, 5))).status).toBe(400);
    expect((await flow.enter(five.client, five.code)).status).toBe(400);
    expect(await flow.hasWorked(five.player)).toBe(false);
    expect((await flow.enter(four.client, four.code)).status).toBe(303);
    expect(await flow.hasWorked(four.player)).toBe(true);
  });

  test("allow any number of malformed codes", async () => {
    const sent = await send(flow);
    for (const code of ["", "12345", "1234567", "abcdef", "12 34", "' OR 1", "１２", "9".repeat(5_000)]) {
      expect((await flow.enter(sent.client, code)).status, code).toBe(400);
    }
    const answer = await flow.enter(sent.client, sent.code);
    expect(answer.status).toBe(303);
  });

  test("don't work for another account", async () => {
    const [mine, other] = [await send(flow), await send(flow)];
    // My code in the other's browser, the other's cookie in mine.
    expect((await flow.enter(other.client, mine.code)).status).toBe(mine.code === other.code ? 303 : 400);
    mine.client.cookies.set(cookieOf(purpose), other.client.cookies.get(cookieOf(purpose)) ?? "");
    expect((await flow.enter(mine.client, mine.code)).status).toBe(400);
    await flow.open(other.client, mine.token);
    expect(await flow.hasWorked(other.player)).toBe(false);
  });

  test("appear neither on the page after a wrong code nor in the log; the log holds no address either", async () => {
    const sent = await send(flow);
    const refused = await flow.enter(sent.client, wrong(sent.code));
    expect(refused.text).not.toContain(wrong(sent.code));
    expect(refused.text).not.toContain(sent.code);
    expect(refused.text).not.toContain(sent.token);
    const logs = app.logs.map(({ message }) => message).join("\n");
    for (const secret of [sent.code, sent.token, sent.player.email]) {
      // A longer number in the log may contain the six digits by chance, so only whole words count.
      expect(logs).not.toMatch(new RegExp(`(?<![\\w.-])${secret}(?![\\w-])`));
    }
  });
});

describe.each(FLOWS.filter(({ purpose }) => purpose !== "change-email").map((flow) => [flow.purpose, flow] as const))(
  "the code and link for %s",
  (_, flow) => {
    test("don't work once the account has another address", async () => {
      const sent = await send(flow);
      await setAccount(sent.player, { email: `${unique("moved-")}@lineup.test` });
      expect((await flow.enter(sent.client, sent.code)).status).toBe(400);
      await flow.open(sent.client, sent.token);
      expect(await flow.hasWorked(sent.player)).toBe(false);
    });
  },
);

describe.each(
  (
    [
      ["reset-password", "/auth/reset-password", { text: "Ask for a New Code", href: "/auth/forgot-password" }],
      ["sign-in", "/auth/code", { text: "Ask for a New Code", href: "/auth/code" }],
      ["change-email", "/dashboard/settings/email", { text: "Start Again", href: "/dashboard/settings/email" }],
    ] as const
  ).map(([purpose, path, again]) => [FLOWS.find((flow) => flow.purpose === purpose) as Flow, path, again] as const),
)("opening the link", (flow, path, again) => {
  test(`at ${path} changes nothing and doesn't use up the link, because mail programs also open links`, async () => {
    const sent = await send(flow);
    const client = await flow.elsewhere(sent.player);
    for (let visits = 0; visits < 3; visits += 1) {
      expect((await client.get(`${path}?token=${sent.token}`)).status).toBe(200);
    }
    await client.request(`${path}?token=${sent.token}`, { method: "HEAD" });
    expect(await flow.hasWorked(sent.player)).toBe(false);
    await flow.open(client, sent.token);
    expect(await flow.hasWorked(sent.player)).toBe(true);
  });

  test(`at ${path} says when the link no longer works, and where to get another`, async () => {
    const sent = await send(flow);
    const client = await flow.elsewhere(sent.player);
    for (const token of ["", "x", sent.token.slice(0, -1), `${sent.token}A`, "%", "a".repeat(5_000)]) {
      const page = await client.get(`${path}?${new URLSearchParams({ token })}`);
      expect(page.status).toBe(200);
      expect(textOf(page.text), token).toContain("This link doesn't work any more");
      expect(links(page.text)).toContainEqual(again);
      expect(page.text).not.toContain('<button class="btn" data-variant="primary"');
      await flow.open(client, encodeURIComponent(token));
    }
    expect(await flow.hasWorked(sent.player)).toBe(false);
  });
});
