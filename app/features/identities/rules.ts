import type { IdentityProvider } from "#db/schema";

export const PROVIDER_NAMES: Readonly<Record<IdentityProvider, string>> = { discord: "Discord", riot: "Riot" };

/** Reads a provider's id from a form; undefined if it is invalid. */
export const providerOf = (value: unknown) =>
  (Object.keys(PROVIDER_NAMES) as IdentityProvider[]).find((provider) => provider === value);

/** The page for linking and unlinking accounts. */
export const LINKED_ACCOUNTS = "/dashboard/settings/linked-accounts";
