import { authAddress, CONFIRM_ADDRESS } from "~/features/auth/rules";
import { LINKED_ACCOUNTS } from "~/features/identities/rules";
import { UPHELD } from "~/features/moderation/shared/upheld-words";
import type { RequestContext } from "~/platform/context";
import type { FormFailure } from "~/platform/forms/forms.server";
import { linkRiotAccount } from "./commands.server";
import { linkRefusal, type RiotAccountData } from "./rules";

const PROFILE = "/dashboard/profile";

/**
 * Links a Riot account that was found at Riot to a player.
 * @param hasSignOn whether Riot Sign-On is configured
 * @returns the refusal; null if the link was made
 */
export async function linkOrRefuse(
  context: RequestContext,
  userId: string,
  account: RiotAccountData,
  hasSignOn: boolean,
): Promise<FormFailure | null> {
  const { isLinked, isUpheld, isVerified, mustConfirm } = await linkRiotAccount(context, userId, account);
  if (isLinked) return null;
  if (isUpheld) return UPHELD;
  const signOn = hasSignOn ? { to: LINKED_ACCOUNTS, label: "Linked Accounts" } : undefined;
  return {
    status: 409,
    error: linkRefusal({ isVerified, mustConfirm, hasSignOn }),
    next: mustConfirm ? { to: authAddress(CONFIRM_ADDRESS, PROFILE), label: "Confirm your email" } : signOn,
  };
}
