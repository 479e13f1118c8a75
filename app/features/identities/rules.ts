import type { IdentityProvider } from "#db/schema";

export const PROVIDER_NAMES: Readonly<Record<IdentityProvider, string>> = { discord: "Discord", riot: "Riot" };

/** The provider that a form names; undefined where it is none. */
export const providerOf = (value: unknown) =>
  (Object.keys(PROVIDER_NAMES) as IdentityProvider[]).find((provider) => provider === value);

/** Where accounts are linked and unlinked. */
export const LINKED_ACCOUNTS = "/dashboard/settings/linked-accounts";
