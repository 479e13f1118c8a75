import type { App } from "../../scripts/local/app";
import { standInPuuid } from "../../scripts/local/stand-in-puuid";
import type { Client, HttpResponse } from "./client";

export type Provider = "discord" | "riot";

let serial = 0;

/** Makes a Discord user that no other test in the file uses. Its address is verified unless `user` says otherwise. */
export function newDiscordUser(app: Pick<App, "oauth">, user: { email?: string | null; verified?: boolean } = {}) {
  serial += 1;
  const id = `9${String(Date.now())}${String(serial).padStart(4, "0")}`;
  const username = `ping.${Date.now().toString(36)}${serial}`;
  const made = { id, username, email: `${username}@discord.test`, verified: true, ...user };
  app.oauth.addDiscordUser(made);
  return { ...made, email: made.email ?? "", key: id };
}

/** Makes a Riot account that no other test in the file uses, known to Riot Sign-On. */
export function newRiotUser(app: Pick<App, "oauth">, gameName?: string) {
  serial += 1;
  const user = { gameName: gameName ?? `Rso ${Date.now().toString(36).slice(-6)} ${serial}`, tagLine: "RSO" };
  app.oauth.addRiotUser(user);
  const riotId = `${user.gameName}#${user.tagLine}`;
  return { ...user, riotId, key: riotId, puuid: standInPuuid(user.gameName, user.tagLine) };
}

/** Presses `Continue with …` or `Link …`. @returns the response, which redirects to the provider */
export const start = (client: Client, site: Provider, intent: "sign-in" | "link" = "sign-in", redirectTo?: string) =>
  client.post(`/auth/oauth/${site}`, { intent, redirectTo });

/**
 * Chooses an account on the provider's page and allows it, or cancels.
 * @returns the callback's path and query
 */
export async function decide(
  answer: HttpResponse,
  account: string,
  decision: "allow" | "deny" = "allow",
): Promise<string> {
  const address = new URL(answer.location ?? "");
  const body = new URLSearchParams(address.searchParams);
  body.set("account", account);
  body.set("decision", decision);
  const response = await fetch(address.origin + address.pathname, { method: "POST", body, redirect: "manual" });
  const location = response.headers.get("Location");
  if (location === null) throw new Error(`The stand-in answered ${response.status}: ${await response.text()}`);
  const callback = new URL(location);
  return callback.pathname + callback.search;
}

/** Goes to the provider, allows the account and comes back. @returns the callback's response */
export async function completeOAuth(
  client: Client,
  site: Provider,
  account: string,
  intent: "sign-in" | "link" = "sign-in",
  redirectTo?: string,
): Promise<HttpResponse> {
  return client.get(await decide(await start(client, site, intent, redirectTo), account));
}
