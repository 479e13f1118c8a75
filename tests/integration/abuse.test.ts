import { and, eq, like } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { hashToken } from "../../app/platform/crypto/crypto.server";
import type { HumanCheckPurpose } from "../../app/platform/forms/human-check";
import { uuidv7 } from "../../db/ids";
import { pendingSignups, rateLimits } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { type TestApp, useApp } from "../support/app";
import type { HttpResponse } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field, heading, select, selectEach, textOf } from "../support/html";
import { recordsIn } from "../support/records";
import { startWatchedDatabase } from "../support/watched-database";
import { addPlayer, addPost, HOUR, MINUTE, newAddress, newEmail, newVisitor, useRealHash } from "./players";

// A proxy between the Worker and the database that counts the requests.
const { proxy, appOptions } = await startWatchedDatabase();

const STEP_1 = "/auth?tab=sign-up";
const GOOD_PASSWORD = "four smokes and a wall";

describe("a form's honeypot", () => {
  const app = useApp(appOptions);

  test.each([
    ["signing in", "/auth"],
    ["signing up", STEP_1],
    ["asking for a code to sign in", "/auth/code"],
    ["asking for a code to set a new password", "/auth/forgot-password"],
  ])("is present when %s, but hidden from people", async (_, page) => {
    const { text } = await app.client().get(page);
    const input = select(text, "form input[name=homepage]");
    expect(input).toHaveLength(1);
    expect(input.attr("tabindex")).toBe("-1");
    expect(input.attr("autocomplete")).toBe("off");
    const trap = input.closest("div");
    expect(trap.attr("aria-hidden")).toBe("true");
    for (const part of [trap, ...selectEach(trap, "*")]) {
      expect(part.attr("style") ?? "").not.toMatch(/display:\s*none/);
      expect(part.is("[hidden]")).toBe(false);
    }
    expect(textOf(trap)).toBe("Leave this empty");
  });

  test("lets the form through while it is empty", async () => {
    const player = await addPlayer(app);
    const credentials = { email: player.email, password: PASSWORD };
    expect((await app.client().submit("/auth", "Sign In", credentials)).status).toBe(303);
  });

  test("makes a form do nothing when it is filled in, even with the right password", async () => {
    const player = await addPlayer(app);
    const client = app.client();
    proxy.clear();
    const trapped = { email: player.email, password: PASSWORD, homepage: "https://spam.example" };
    const answer = await client.submit("/auth", "Sign In", trapped);
    expect(answer.status).toBe(400);
    expect(heading(answer.text)).toBe("That can't be done here");
    expect(answer.setCookie).toEqual([]);
    expect(proxy.posts).toBe(0);
    const email = newEmail();
    const signUp = { intent: "next", email, password: GOOD_PASSWORD, homepage: "x" };
    expect((await client.post(STEP_1, signUp)).status).toBe(400);
    expect(await app.db.select().from(pendingSignups).where(eq(pendingSignups.email, email))).toEqual([]);
  });

  test("is checked on every form post, even where the form has no honeypot", async () => {
    const { client } = await newVisitor(app);
    const answer = await client.post("/dashboard/lfg/new", { title: "Spam", neededPlayers: "1", homepage: "x" });
    expect(answer.status).toBe(400);
    expect(heading(answer.text)).toBe("That can't be done here");
  });
});

describe("a run of wrong passwords", () => {
  const app = useApp(appOptions);
  const { emailsTo } = recordsIn(app);
  const guess = (email: string, password = "not the password") =>
    app.client().post("/auth", { email, password }, newAddress());

  /** Counts this many wrong passwords for an account, without the cost of hashing each one. */
  const recordFailures = (email: string, count: number) => {
    const windowEndsAt = new Date(Date.now() + 15 * MINUTE);
    return app.db
      .insert(rateLimits)
      .values({ key: `try:signIn:${hashToken(email)}`, count, windowEndsAt })
      .onConflictDoUpdate({ target: rateLimits.key, set: { count, windowEndsAt } });
  };

  /**
   * The number of warnings requested for an address, from their counter. A warning that is sent is put into the outbox
   * right after it is counted.
   */
  const countWarnings = async (email: string) =>
    (
      await app.db
        .select()
        .from(rateLimits)
        .where(eq(rateLimits.key, `failedSignInsEmail:${hashToken(email)}`))
        .get()
    )?.count ?? 0;

  test("is reported to the account's owner by email once, with a link to a new password", async () => {
    const player = await addPlayer(app);
    await recordFailures(player.email, 8);
    expect((await guess(player.email)).status).toBe(400);
    expect(await emailsTo(player.email)).toEqual([]);
    expect((await guess(player.email)).status).toBe(400);
    const { subject, text, link } = await app.readEmail(player.email);
    expect(subject).toBe("Someone tried to sign in to your Lineup account");
    expect(text).toContain("a wrong password for your account 10 times in a row, most recently from around Berlin, DE");
    expect(link).toBe("/auth/forgot-password");
    expect((await guess(player.email)).status).toBe(400);
    expect(await countWarnings(player.email)).toBe(1);
    expect(await emailsTo(player.email)).toHaveLength(1);
  });

  test("ends with the right password", async () => {
    const player = await addPlayer(app);
    await recordFailures(player.email, 8);
    expect((await guess(player.email, PASSWORD)).status).toBe(303);
    for (let number = 0; number < 2; number += 1) expect((await guess(player.email)).status).toBe(400);
    expect(await countWarnings(player.email)).toBe(0);
  });

  test("is reported even if the limit of an IP address refuses the try that would have been the tenth", async () => {
    const player = await addPlayer(app);
    await recordFailures(player.email, 9);
    const address = newAddress();
    const key = `signIn:${address["CF-Connecting-IP"]}`;
    await app.db.insert(rateLimits).values({ key, count: 10_000, windowEndsAt: new Date(Date.now() + MINUTE) });
    const credentials = { email: player.email, password: "not the password" };
    expect((await app.client().post("/auth", credentials, address)).status).toBe(429);
    expect((await guess(player.email)).status).toBe(400);
    expect((await app.readEmail(player.email)).subject).toBe("Someone tried to sign in to your Lineup account");
    expect(await emailsTo(player.email)).toHaveLength(1);
  });

  test("is reported three times a day at most, however many there are", async () => {
    const player = await addPlayer(app);
    const key = `failedSignInsEmail:${hashToken(player.email)}`;
    // In this app, limits are a thousand times the product's.
    await app.db.insert(rateLimits).values({ key, count: 2_999, windowEndsAt: new Date(Date.now() + HOUR) });
    for (const count of [3_000, 3_001]) {
      await recordFailures(player.email, 9);
      expect((await guess(player.email)).status).toBe(400);
      await eventually(async () => (await countWarnings(player.email)) === count || undefined);
      await eventually(async () => (await emailsTo(player.email)).length === 1 || undefined);
    }
  });

  test("runs the same statements for an address without an account, and sends nothing", async () => {
    const player = await addPlayer(app);
    const stranger = newEmail();
    const costs: string[][] = [];
    for (const email of [player.email, stranger]) {
      await recordFailures(email, 9);
      // The last statement of an earlier test would also count, as soon as the proxy passes on its response.
      await eventually(() => proxy.underWay === 0 || undefined);
      proxy.clear();
      const answer = await guess(email);
      expect(announcements(answer.text)).toContain("Error signing in Wrong email or password.");
      costs.push(
        await eventually(() => {
          const seen = proxy.statements.map(({ sql }) => sql);
          // Later statements deliver emails, at their own pace.
          const last = seen.findIndex((sql) => sql.startsWith('INSERT INTO "outbox"'));
          return last < 0 ? undefined : seen.slice(0, last + 1);
        }),
      );
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(await emailsTo(player.email)).toHaveLength(1);
    expect(await emailsTo(stranger)).toEqual([]);
  });
});

describe("many simultaneous sign-ins", () => {
  const app = useApp(appOptions);

  test("take turns or are told to try again later, and delay no other request", async () => {
    const player = await addPlayer(app);
    await useRealHash(app, player);
    // The time that one hash takes on this machine.
    const started = performance.now();
    await app.client().post("/auth", { email: newEmail(), password: PASSWORD }, newAddress());
    const alone = performance.now() - started;

    let running = true;
    const others: number[] = [];
    const burst = Promise.all(
      Array.from({ length: 30 }, () =>
        app.client().post("/auth", { email: player.email, password: PASSWORD }, newAddress()),
      ),
    ).finally(() => {
      running = false;
    });
    while (running) {
      const asked = performance.now();
      expect((await app.client().get("/healthz")).status).toBe(200);
      others.push(performance.now() - asked);
    }
    const answers = await burst;
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect(count(303) + count(503)).toBe(30);
    expect(count(303)).toBeGreaterThan(0);
    expect(count(503)).toBeGreaterThan(0);
    // If the hashes ran back to back, every other request would wait for all of them.
    others.sort((one, other) => one - other);
    expect(others[others.length >> 1]).toBeLessThan(6 * alone);

    // On a busy machine, some responses may be 503 because of a slow database. Those have a different text.
    const busy = answers.find(({ text }) => text.includes("Lots of players are signing in right now")) as HttpResponse;
    expect(busy.status).toBe(503);
    expect(busy.headers.get("Retry-After")).toBe("5");
    expect(field(busy.text, "email").value).toBe(player.email);
    expect(busy.text).not.toContain(PASSWORD);
    expect(announcements(busy.text).at(-1)).toMatch(/^Error signing in Lots of players are signing in right now\./);
    expect((await app.client().post("/auth", { email: player.email, password: PASSWORD }, newAddress())).status).toBe(
      303,
    );
  });

  test("give up their turn when the browser disconnects", async () => {
    await Promise.all(
      Array.from({ length: 10 }, () =>
        app
          .client()
          .request("/auth", {
            method: "POST",
            body: new URLSearchParams({ email: newEmail(), password: PASSWORD }),
            headers: newAddress(),
            signal: AbortSignal.timeout(60),
          })
          .catch(() => undefined),
      ),
    );
    const answer = await eventually(async () => {
      const tried = await app.client().post("/auth", { email: newEmail(), password: PASSWORD }, newAddress());
      return tried.status === 503 ? undefined : tried;
    }, 20_000);
    expect(answer.status).toBe(400);
  });
});

describe("the human check at sign-up", () => {
  const app = useApp({ ...appOptions, humanCheck: true, limitFactor: 1 });
  const turnstile = () => app.turnstile as NonNullable<typeof app.turnstile>;
  const signUp = (fields: Record<string, string> = {}, address = newAddress()) =>
    app.client().post(STEP_1, { intent: "next", email: newEmail(), password: GOOD_PASSWORD, ...fields }, address);
  const withoutCheck = async (address: Record<string, string>) => {
    const [, ip] = Object.entries(address)[0] as [string, string];
    const key = `withoutHumanCheck:${ip}`;
    return (await app.db.select().from(rateLimits).where(eq(rateLimits.key, key)).get())?.count ?? 0;
  };
  beforeEach(() => {
    turnstile().mode = "through";
  });

  test("accepts a valid token, as often as the other limits allow", async () => {
    const address = newAddress();
    for (let number = 0; number < 5; number += 1) {
      const answer = await signUp({ humanToken: turnstile().issue("sign-up") }, address);
      expect(answer.location).toBe("/auth?tab=sign-up&step=2");
    }
    expect(await withoutCheck(address)).toBe(0);
  });

  test.each([
    ["made up", () => "made-up"],
    ["of another form", () => turnstile().issue("reset-password")],
    ["endless", () => "x".repeat(3_000)],
  ])("refuses a token that is %s", async (_, token) => {
    const address = newAddress();
    const email = newEmail();
    const answer = await signUp({ email, humanToken: token() }, address);
    expect(answer.status).toBe(400);
    expect(announcements(answer.text)[0]).toBe("The check that you're human has expired. Send the form again.");
    expect(field(answer.text, "email").value).toBe(email);
    expect(await app.db.select().from(pendingSignups).where(eq(pendingSignups.email, email))).toEqual([]);
    expect(await withoutCheck(address)).toBe(0);
  });

  test("accepts a token once", async () => {
    const humanToken = turnstile().issue("sign-up");
    expect((await signUp({ humanToken })).status).toBe(303);
    expect((await signUp({ humanToken })).status).toBe(400);
  });

  test("can be skipped by browsers without JavaScript three times an hour from one address", async () => {
    const address = newAddress();
    for (let number = 0; number < 3; number += 1) expect((await signUp({}, address)).status).toBe(303);
    const refused = await signUp({}, address);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3_000);
    expect(announcements(refused.text)[0]).toBe(
      "We couldn't check that you're human. That needs a browser with JavaScript turned on. Try again in 60 minutes.",
    );
    expect((await signUp({ humanToken: turnstile().issue("sign-up") }, address)).status).toBe(303);
    expect((await signUp()).status).toBe(303);
  });

  test.each(["away", "wrong-secret"] as const)("lets three sign-ups through in Turnstile's mode “%s”", async (mode) => {
    turnstile().mode = mode;
    const address = newAddress();
    const humanToken = turnstile().issue("sign-up");
    for (let number = 0; number < 3; number += 1) expect((await signUp({ humanToken }, address)).status).toBe(303);
    expect((await signUp({ humanToken }, address)).status).toBe(429);
    const warned = app.logs.some(({ message }) => message.includes("Turnstile"));
    expect(warned).toBe(true);
    for (const { message } of app.logs) expect(message).not.toMatch(/local-turnstile-secret|lineup\.test/);
  });

  test("adds no round trip to the database", async () => {
    const forms: Record<string, string>[] = [{}, { humanToken: turnstile().issue("sign-up") }];
    for (const fields of forms) {
      proxy.clear();
      expect((await signUp(fields)).status).toBe(303);
      expect(proxy.posts).toBe(2);
    }
  });

  test("lets its script and its frame onto the pages, and nothing else", async () => {
    const policy = (answer: HttpResponse) => answer.headers.get("Content-Security-Policy") ?? "";
    const checked = policy(await app.client().get(STEP_1));
    expect(checked).toMatch(new RegExp(`script-src 'self' 'nonce-\\w+' ${turnstile().url};`));
    expect(checked).toContain(`; frame-src ${turnstile().url};`);
  });
});

describe("the human check of other forms", () => {
  const app = useApp({ ...appOptions, humanCheck: true, limitFactor: 1 });
  const turnstile = () => app.turnstile as NonNullable<typeof app.turnstile>;
  const { emailsTo } = recordsIn(app);
  /** The path and the fields of each form. Once accepted, a form sends one email to the address typed into it. */
  const forms: Record<
    Exclude<HumanCheckPurpose, "sign-up">,
    () => Promise<{ path: string; fields?: Record<string, string> }>
  > = {
    "sign-in-code": async () => ({ path: "/auth/code", fields: { intent: "send" } }),
    "reset-password": async () => ({ path: "/auth/forgot-password" }),
    report: async () => ({
      path: `/lfg/${await addPost(app, (await addPlayer(app)).id)}/report`,
      fields: { id: uuidv7(), reason: "spam", name: "A Visitor" },
    }),
  };

  test.each(Object.entries(forms))("refuses a bad token without sending an email: %s", async (purpose, makeForm) => {
    const { email } = await addPlayer(app);
    const { path, fields } = await makeForm();
    const send = (humanToken: string) => app.client().post(path, { ...fields, email, humanToken }, newAddress());
    for (const token of ["made-up", turnstile().issue("sign-up")]) {
      const refused = await send(token);
      expect(refused.status).toBe(400);
      expect(announcements(refused.text)[0]).toBe("The check that you're human has expired. Send the form again.");
      expect(field(refused.text, "email").value).toBe(email);
    }
    expect((await send(turnstile().issue(purpose))).status).toBe(303);
    await app.readEmail(email);
    expect(await emailsTo(email)).toHaveLength(1);
  });

  test.each(Object.entries(forms))(
    "can also be skipped three times an hour from one address: %s",
    async (_, makeForm) => {
      const address = newAddress();
      const send = async () => {
        const { path, fields } = await makeForm();
        return app.client().post(path, { ...fields, email: newEmail() }, address);
      };
      for (let number = 0; number < 3; number += 1) expect((await send()).status).toBe(303);
      const refused = await send();
      expect(refused.status).toBe(429);
      expect(announcements(refused.text)[0]).toContain("We couldn't check that you're human.");
    },
  );
});

describe("without a human check at sign-up", () => {
  const app: TestApp = useApp({ ...appOptions, limitFactor: 1 });

  test("the pages load no script or frame of the check, and its limit doesn't count", async () => {
    const page = await app.client().get(STEP_1);
    expect(page.headers.get("Content-Security-Policy")).not.toMatch(/frame-src|challenges/);
    expect(page.text).not.toContain("turnstile");
    const address = newAddress();
    for (let number = 0; number < 4; number += 1) {
      const fields = { intent: "next", email: newEmail(), password: GOOD_PASSWORD, humanToken: "made-up" };
      expect((await app.client().post(STEP_1, fields, address)).status).toBe(303);
    }
    const counted = await app.db
      .select()
      .from(rateLimits)
      .where(and(like(rateLimits.key, "withoutHumanCheck:%"), like(rateLimits.key, `%${address["CF-Connecting-IP"]}`)));
    expect(counted).toEqual([]);
  });
});
