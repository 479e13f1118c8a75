import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { totpFactors } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import type { TestApp } from "../support/app";
import { type Client, type HttpResponse, isSignedIn } from "../support/client";
import { announcements, field, textOf } from "../support/html";
import { authenticatorCode, SHOWN_RECOVERY_CODE, SHOWN_SECRET } from "../support/totp";
import { type addPlayer, MINUTE, newAddress, newVisitor, openSession, type Player } from "./players";

/** The settings page of two-factor. */
export const PAGE = "/dashboard/settings/two-factor";
/** The second step of a sign-in. */
export const CHALLENGE = "/auth/two-factor";
/** Where `PAGE` redirects if the sign-in isn't recent. */
export const REAUTHENTICATE = "/auth/reauthenticate?redirectTo=%2Fdashboard%2Fsettings%2Ftwo-factor";

export interface PlayerWithTwoFactor {
  player: Player;
  /** A browser with the player signed in, second factor included. */
  client: Client;
  /** The authenticator's key, as the page shows it. */
  secret: string;
  /** The code that switched two-factor on. */
  used: string;
  codes: string[];
}

/** The authenticator's key, as a page shows it. */
export const secretOn = (page: string) => textOf(page).match(SHOWN_SECRET)?.[0] as string;
export const recoveryCodesOn = (page: string) => [...new Set(textOf(page).match(SHOWN_RECOVERY_CODE) ?? [])];

/** Adds a player who switches two-factor on through the pages. */
export async function newPlayerWithTwoFactor(
  app: TestApp,
  profile: Parameters<typeof addPlayer>[1] = {},
): Promise<PlayerWithTwoFactor> {
  const { player, client } = await newVisitor(app, profile);
  await client.submit(PAGE, "Set Up Two-Factor");
  const secret = secretOn((await client.get(PAGE)).text);
  const used = authenticatorCode(secret);
  const answer = await client.submit(PAGE, "Turn On", { code: used });
  const codes = recoveryCodesOn(answer.text);
  expect(codes).toHaveLength(10);
  return { player, client, secret, used, codes };
}

/** Signs in with the right password. The browser is then at the second step. */
export async function submitPassword(client: Client, player: Player, query = ""): Promise<Client> {
  const answer = await client.post(`/auth${query}`, { email: player.email, password: PASSWORD }, newAddress());
  expect(answer.location).toBe(CHALLENGE + query);
  return client;
}

/** Submits a code at the second step. */
export const submitCode = (client: Client, code: string, fields: Record<string, string> = {}): Promise<HttpResponse> =>
  client.post(CHALLENGE, { code, ...fields }, newAddress());

/** The next code of the authenticator. The current one was used up by switching two-factor on. */
export const nextCode = (secret: string) => authenticatorCode(secret, 1);

/** Forgets the used codes, as if time had passed. */
export const forgetUsedCodes = (app: TestApp, player: Player) =>
  app.db.update(totpFactors).set({ lastStep: 0 }).where(eq(totpFactors.userId, player.id));

/** A browser whose player signed in an hour ago. */
export async function openOldSession(app: TestApp, player: Player): Promise<Client> {
  const client = app.client();
  const createdAt = new Date(Date.now() - 60 * MINUTE);
  client.cookies.set("lineup_session", (await openSession(app, player.id, { createdAt })).cookie);
  return client;
}

export const factorOf = (app: TestApp, player: Player) =>
  app.db.select().from(totpFactors).where(eq(totpFactors.userId, player.id)).get();

/** Expects a form to be refused with this error at its field. */
export function expectRefused(answer: HttpResponse, sentence: RegExp, name = "code"): void {
  expect(answer.status).toBe(400);
  expect(field(answer.text, name).description).toMatch(sentence);
}

/** Expects the sign-in to start over. */
export async function expectSignInRestarted(client: Client, answer: HttpResponse, sentence: RegExp): Promise<void> {
  expect(answer.status).toBe(303);
  expect(answer.location).toBe("/auth");
  expect(announcements((await client.follow(answer)).text).join()).toMatch(sentence);
  expect(await isSignedIn(client)).toBe(false);
}
