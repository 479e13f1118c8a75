import { OAuth2Client } from "arctic";
import * as z from "zod";
import type { IdentityProvider } from "#db/schema";
import type { RiotAccountData } from "~/features/riot/rules";
import type { Env } from "~/platform/env";
import { PROVIDER_NAMES } from "./rules";

/** A provider account, as its provider has confirmed it for the person who has just signed in there. */
export interface ProvenAccount {
  provider: IdentityProvider;
  /** The account's id at the provider. */
  subject: string;
  /** The account's name at the provider. */
  name: string;
  /** The email address, if the provider has verified it. */
  email: string | null;
  /** The Riot account, if the provider is Riot; else null. */
  riot: RiotAccountData | null;
}

/** Our proof of identity to a provider: a secret (HTTP Basic), or an assertion signed by the provider. */
export type ClientProof = { secret: string } | { assertion: string };

/** Everything that the OAuth flow needs to know about a provider. */
export interface Provider {
  id: IdentityProvider;
  name: string;
  clientId: string;
  proof: ClientProof;
  /** The provider's `iss` (RFC 9207). */
  issuer: string;
  authorizeUrl: string;
  tokenUrl: string;
  scopes: string[];
  /** The URL that returns a token's account. */
  accountUrl: string;
  /** Reads that response. Throws a `ZodError` if it is invalid. */
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
  // "0" since Discord made names unique; older bots and a few accounts still have a real discriminator.
  discriminator: z.string().optional(),
  email: email.nullish().catch(null),
  verified: z.boolean().nullish(),
});

/** Riot's account-v1, `accounts/me`. If a name is missing, parsing fails, because there is nothing to link. */
const riotAccountSchema = z.object({ puuid: z.string().min(1).max(128), gameName: name, tagLine: name });

/** The Riot cluster to query: any will do, because each knows all accounts. */
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

/** Lists the configured providers, in the order of their buttons. */
export function configuredProviders(env: Env): Provider[] {
  return [
    ...(env.DISCORD_CLIENT_ID ? [discord(env, env.DISCORD_CLIENT_ID)] : []),
    ...(env.RIOT_CLIENT_ID ? [riot(env, env.RIOT_CLIENT_ID)] : []),
  ];
}

/** Finds the configured provider with the id from a URL, or undefined. */
export const findProvider = (env: Env, id: string | undefined) => configuredProviders(env).find((one) => one.id === id);

/** Picks the data for the buttons: no setting leaves the server. */
export const offeredProviders = (env: Env) =>
  configuredProviders(env).map(({ id, name: label }) => ({ id, name: label }));

/** Creates arctic's client for a provider; arctic's own `Discord` works only with discord.com. */
export const oauthClient = ({ id, clientId }: Provider, origin: string) =>
  new OAuth2Client(clientId, null, callbackAddress(id, origin));

/** Returns the URL that a provider redirects to; it must be registered there exactly. */
export const callbackAddress = (id: IdentityProvider, origin: string) => `${origin}/auth/oauth/${id}/callback`;
