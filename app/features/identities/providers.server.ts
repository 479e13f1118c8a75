import { OAuth2Client } from "arctic";
import * as z from "zod";
import type { IdentityProvider } from "#db/schema";
import type { RiotAccountData } from "~/features/riot/rules";
import type { Env } from "~/platform/env";
import { PROVIDER_NAMES } from "./rules";

/** An account elsewhere, as its provider has shown it for whoever has just signed in there. */
export interface ProvenAccount {
  provider: IdentityProvider;
  /** The provider's own key of it. */
  subject: string;
  /** What it is called there. */
  name: string;
  /** The e-mail address, if the provider vouches for it. */
  email: string | null;
  /** The Riot account that it is; null elsewhere. */
  riot: RiotAccountData | null;
}

/** How we show a provider who we are: with a secret (HTTP Basic), or with an assertion that it has signed for us. */
export type ClientProof = { secret: string } | { assertion: string };

/** All that the way to one provider and back needs to know of it. */
export interface Provider {
  id: IdentityProvider;
  name: string;
  clientId: string;
  proof: ClientProof;
  /** Who answers, as its `iss` says (RFC 9207). */
  issuer: string;
  authorizeUrl: string;
  tokenUrl: string;
  scopes: string[];
  /** Where it tells whose token it is. */
  accountUrl: string;
  /** Reads what it tells. Throws a `ZodError` when that makes no sense. */
  readAccount(answer: unknown): ProvenAccount;
}

const MAX_NAME = 64;
const name = z
  .string()
  .min(1)
  .max(MAX_NAME)
  .regex(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]+$/u);
const email = z.string().trim().toLowerCase().max(254).pipe(z.email());

/** https://discord.com/developers/docs/resources/user#user-object */
const discordUserSchema = z.object({
  id: z.string().regex(/^\d{1,25}$/),
  username: name,
  // "0" since names are unique; older bots and a few accounts still have one.
  discriminator: z.string().optional(),
  email: email.nullish().catch(null),
  verified: z.boolean().nullish(),
});

/** Riot's account-v1, `accounts/me`. It may leave the names out, and then there is nothing to link. */
const riotAccountSchema = z.object({ puuid: z.string().min(1).max(128), gameName: name, tagLine: name });

/** Any account may be asked of any cluster. */
const CLUSTER = "americas";

function discord(env: Env, clientId: string): Provider {
  const base = env.DISCORD_BASE_URL.replace(/\/$/, "");
  return {
    id: "discord",
    name: PROVIDER_NAMES.discord,
    clientId,
    proof: { secret: env.DISCORD_CLIENT_SECRET ?? "" },
    issuer: base,
    authorizeUrl: `${base}/oauth2/authorize`,
    tokenUrl: `${base}/api/oauth2/token`,
    scopes: ["identify", "email"],
    accountUrl: `${base}/api/users/@me`,
    readAccount(answer) {
      const user = discordUserSchema.parse(answer);
      const isUnique = !user.discriminator || user.discriminator === "0";
      return {
        provider: "discord",
        subject: user.id,
        name: isUnique ? user.username : `${user.username}#${user.discriminator}`,
        email: (user.verified && user.email) || null,
        riot: null,
      };
    },
  };
}

function riot(env: Env, clientId: string): Provider {
  const base = env.RIOT_AUTH_BASE_URL.replace(/\/$/, "");
  const { RIOT_CLIENT_ASSERTION: assertion, RIOT_CLIENT_SECRET: secret = "" } = env;
  return {
    id: "riot",
    name: PROVIDER_NAMES.riot,
    clientId,
    proof: assertion ? { assertion } : { secret },
    issuer: base,
    authorizeUrl: `${base}/authorize`,
    tokenUrl: `${base}/token`,
    scopes: ["openid"],
    accountUrl: `${env.RIOT_API_BASE_URL.replace("{cluster}", CLUSTER)}/riot/account/v1/accounts/me`,
    readAccount(answer) {
      const { puuid, gameName, tagLine } = riotAccountSchema.parse(answer);
      return {
        provider: "riot",
        subject: puuid,
        name: `${gameName}#${tagLine}`,
        email: null,
        riot: { puuid, gameName, tagLine, region: CLUSTER },
      };
    },
  };
}

/** The providers that this site has been registered with, in the order of their buttons. */
export function configuredProviders(env: Env): Provider[] {
  return [
    ...(env.DISCORD_CLIENT_ID ? [discord(env, env.DISCORD_CLIENT_ID)] : []),
    ...(env.RIOT_CLIENT_ID ? [riot(env, env.RIOT_CLIENT_ID)] : []),
  ];
}

/** @returns the configured provider of this id (out of an address), or undefined */
export const findProvider = (env: Env, id: string | undefined) => configuredProviders(env).find((one) => one.id === id);

/** What the page of the buttons needs: no setting of ours leaves the server. */
export const offeredProviders = (env: Env) =>
  configuredProviders(env).map(({ id, name: label }) => ({ id, name: label }));

/** arctic's client for a provider; its own `Discord` can be pointed at discord.com only. */
export const oauthClient = ({ id, clientId }: Provider, origin: string) =>
  new OAuth2Client(clientId, null, callbackAddress(id, origin));

/** Where a provider sends the browser back to: it must be registered there to the letter. */
export const callbackAddress = (id: IdentityProvider, origin: string) => `${origin}/auth/oauth/${id}/callback`;
