import { describe, expect, test } from "vitest";
import { standInPuuid } from "../../scripts/local/stand-in-puuid";
import { useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { textOf } from "../support/html";
import { startWatchedDatabase } from "../support/watched-database";
import { addPlayer, newAddress, unique } from "./players";

/*
 * No response reveals whether an address has an account: known and unknown addresses get the same responses, and the
 * database runs the same statements in the same order, so both also cost the same.
 * tests/unit/passwords.test.ts checks that both hash the same number of times.
 */

// A proxy between the Worker and the database that records the statements.
const { proxy, appOptions } = await startWatchedDatabase();

const app = useApp({ confirmEmail: true, ...appOptions });

/** The steps of a browser through one of the account flows. */
type Walk = (client: Client, email: string) => (() => Promise<HttpResponse>)[];

const GOOD_PASSWORD = "four smokes and a wall";
const STEP_1 = "/auth?tab=sign-up";
const STEP_2 = "/auth?tab=sign-up&step=2";

/** Requests a code, guesses until it is used up, and requests another. */
const guessing =
  (ask: string, page: string): Walk =>
  (client, email) => [
    () => client.post(ask, { intent: "send", email }),
    () => client.get(page),
    ...Array.from(
      { length: 6 },
      () => () => client.post(page, { intent: "enter", code: "000000", password: GOOD_PASSWORD }),
    ),
    () => client.get(page),
    () => client.get(ask),
    () => client.post(ask, { intent: "send", email }),
  ];

const WALKS: Record<string, Walk> = {
  "signing in": (client, email) => [() => client.post("/auth", { email, password: "not the password" }, newAddress())],
  "a forgotten password": guessing("/auth/forgot-password", "/auth/reset-password"),
  "signing in by code": guessing("/auth/code", "/auth/code?step=2"),
  "signing up": signingUp("Same Name"),
  "pressing `Complete Signup` twice": pressingTwice("Same Name"),
};

/** Goes through the whole sign-up with the Riot account of this name, and guesses the confirmation code. */
function signingUp(gameName: string): Walk {
  const riot = { gameName, tagLine: "EUW", region: "europe" };
  return (client, email) => [
    () => client.post(STEP_1, { intent: "next", email, password: GOOD_PASSWORD }),
    () => client.get(STEP_2),
    () => client.post(STEP_2, { intent: "verify", ...riot }),
    () => client.get(STEP_2),
    () => client.post(STEP_2, { intent: "complete", ...riot }),
    () => client.get(STEP_1),
    () => client.get("/auth"),
    () => client.get("/auth/confirm"),
    () => client.post("/auth/confirm", { intent: "enter", code: "000000" }),
    () => client.post("/auth/confirm", { intent: "again" }),
    () => client.get("/auth/confirm"),
  ];
}

/** Goes through the sign-up, and presses its last button again before the first response has arrived. */
function pressingTwice(gameName: string): Walk {
  const riot = { gameName, tagLine: "EUW", region: "europe" };
  return (client, email) => {
    let signup = "";
    return [
      () => client.post(STEP_1, { intent: "next", email, password: GOOD_PASSWORD }),
      () => client.post(STEP_2, { intent: "verify", ...riot }),
      () => {
        signup = client.cookies.get("lineup_signup") as string;
        return client.post(STEP_2, { intent: "complete", ...riot });
      },
      () => {
        client.cookies.set("lineup_signup", signup);
        return client.post(STEP_2, { intent: "complete", ...riot });
      },
      () => client.get("/auth"),
      () => client.get("/auth/confirm"),
      () => client.post("/auth/confirm", { intent: "enter", code: "000000" }),
    ];
  };
}

async function take(walk: Walk, email: string) {
  const seen: unknown[] = [];
  for (const step of walk(app.client(), email)) {
    proxy.clear();
    const { status, location, text, headers, setCookie } = await step();
    seen.push({
      status,
      location,
      headers: [...headers.keys()].sort(),
      cookies: setCookie.map((cookie) => cookie.replace(/^(lineup_(?:signup|code_\w+))=[\w-]+/, "$1=RANDOM")),
      text: textOf(text).replaceAll(email, "E-MAIL"),
      posts: proxy.posts,
      statements: proxy.statements.map(({ sql }) => sql),
    });
  }
  return seen;
}

describe.each(Object.entries(WALKS))("%s", (_, walk) => {
  test("gives the same responses with the same statements, whether or not the address has an account", async () => {
    const known = await take(walk, (await addPlayer(app)).email);
    const unknown = await take(walk, `${unique("nobody-")}@lineup.test`);
    expect(known).toEqual(unknown);
    expect(known.length).toBeGreaterThan(0);
  });

  test("also gives an unconfirmed address and an unknown one the same responses", async () => {
    const waiting = await take(walk, (await addPlayer(app, { emailConfirmedAt: null })).email);
    const unknown = await take(walk, `${unique("nobody-")}@lineup.test`);
    expect(waiting).toEqual(unknown);
  });
});

test("Signing up with a held Riot account gives the holder's and an unknown address the same responses", async () => {
  const gameName = unique("Held Name ");
  const holder = await addPlayer(app, { riotPuuid: standInPuuid(gameName, "EUW"), riotVerifiedAt: new Date() });
  const known = await take(signingUp(gameName), holder.email);
  const unknown = await take(signingUp(gameName), `${unique("nobody-")}@lineup.test`);
  expect(known).toEqual(unknown);
  expect(JSON.stringify(known)).toContain("another player here holds this Riot account");
});

test("A sign-up with a known address sends no code, and guessing one doesn't sign in", async () => {
  const { email } = await addPlayer(app);
  const client = app.client();
  for (const step of (WALKS["signing up"] as Walk)(client, email)) await step();
  const received = await app.readEmail(email);
  expect(received.subject).toBe("You already have a Lineup account");
  expect(received.code).toBeUndefined();
  expect((await client.get("/dashboard")).location).toBe("/auth");
});
