import type { IdentityProvider } from "#db/schema";
import type { Clock } from "~/platform/dates/dates";
import { type ShownMoment, showMoment } from "~/platform/dates/time";
import type { Provider } from "./providers.server";
import type { listLinkedAccounts } from "./queries.server";
import { PROVIDER_NAMES } from "./rules";

/** A provider in the settings. */
interface LinkedAccountView {
  id: IdentityProvider;
  name: string;
  /** The benefit of linking it. */
  about: string;
  linked: { as: string; since: ShownMoment } | null;
  /** False if it is the last way to sign in. */
  mayUnlink: boolean;
}

const ABOUT: Record<IdentityProvider, string> = {
  discord: "Fills in your Discord tag and proves it's yours.",
  riot: "Puts “Verified by Riot” beside your name.",
};

/** Presents the offered providers, and those of linked accounts even if they are no longer offered. */
export function presentLinkedAccounts(
  { accounts, hasPassword }: Awaited<ReturnType<typeof listLinkedAccounts>>,
  offered: readonly Pick<Provider, "id">[],
  clock: Clock,
): LinkedAccountView[] {
  const isOffered = (id: IdentityProvider) => offered.some((provider) => provider.id === id);
  const ids = Object.keys(PROVIDER_NAMES) as IdentityProvider[];
  return ids
    .filter((id) => isOffered(id) || accounts.some(({ provider }) => provider === id))
    .map((id) => {
      const account = accounts.find(({ provider }) => provider === id);
      return {
        id,
        name: PROVIDER_NAMES[id],
        about: ABOUT[id],
        linked: account ? { as: account.name, since: showMoment(account.createdAt, clock) } : null,
        mayUnlink: hasPassword || accounts.some(({ provider }) => provider !== id && isOffered(provider)),
      };
    });
}
