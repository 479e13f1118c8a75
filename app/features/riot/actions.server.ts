import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { authAddress, CONFIRM_ADDRESS } from "~/features/auth/rules";
import { LINKED_ACCOUNTS } from "~/features/identities/rules";
import { UPHELD } from "~/features/moderation/shared/upheld-words";
import type { RequestContext } from "~/platform/context";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormFailure, SIGNED_OUT } from "~/platform/forms/forms.server";
import type { SessionClaim } from "~/platform/session/viewer";
import { lookUpRiotAccount, readRiotAccount } from "./client.server";
import { linkRiotAccount } from "./commands.server";
import { RIOT_LOOKUP_LIMITS } from "./limits.server";
import { findClaim } from "./queries.server";
import { linkRefusal, type RiotAccountData, verifiedAccount } from "./rules";
import { riotAccountSchema } from "./schema";
import { VERIFICATION_FAILED } from "./shared/verification-failed";

const PROFILE = "/dashboard/profile";

/**
 * Links a Riot account that was found at Riot to the player of a session.
 * @param hasSignOn whether Riot Sign-On is configured
 * @returns the refusal; null if the link was made
 */
export async function linkOrRefuse(
  context: RequestContext,
  claim: SessionClaim,
  account: RiotAccountData,
  hasSignOn: boolean,
): Promise<FormFailure | null> {
  const link = await linkRiotAccount(context, claim.userId, account, claim);
  const { isLinked, isSignedOut, isUpheld, isVerified, mustConfirm } = link;
  if (isLinked) return null;
  if (isSignedOut) return SIGNED_OUT;
  if (isUpheld) return UPHELD;
  const signOn = hasSignOn ? { to: LINKED_ACCOUNTS, label: "Linked Accounts" } : undefined;
  return {
    status: 409,
    error: linkRefusal({ isVerified, mustConfirm, hasSignOn }),
    next: mustConfirm ? { to: authAddress(CONFIRM_ADDRESS, PROFILE), label: "Confirm your email" } : signOn,
  };
}

/**
 * Handles the form of an unverified player: finds the account at Riot and links it.
 * @param hasSignOn as in `linkOrRefuse`
 */
export const verifyRiotAccount = (args: ActionFunctionArgs, form: FormData, hasSignOn: boolean) =>
  answerForm(args, {
    schema: riotAccountSchema,
    form,
    failed: VERIFICATION_FAILED,
    limit: RIOT_LOOKUP_LIMITS,
    async run({ value, claim }) {
      const found = await lookUpRiotAccount(args.context, value);
      if (!found.ok) return { ...found, field: found.status === 400 || found.status === 404 ? "gameName" : undefined };
      const refusal = await linkOrRefuse(args.context, claim, found.account, hasSignOn);
      if (refusal) return refusal === SIGNED_OUT ? refusal : { ...refusal, field: "gameName" };
      const description = "Your account has been linked and rank synced.";
      return { to: PROFILE, title: "Riot account verified!", description };
    },
  });

/**
 * Handles `Update Riot ID`: asks Riot for the current name of the player's verified account. The PUUID stays the same,
 * but the name may have changed.
 * @param hasSignOn as in `linkOrRefuse`
 */
export const updateRiotId = (args: ActionFunctionArgs, form: FormData, hasSignOn: boolean) =>
  answerForm(args, {
    schema: z.object({ intent: z.string() }),
    form,
    failed: VERIFICATION_FAILED,
    limit: RIOT_LOOKUP_LIMITS,
    alongside: ({ userId }) => findClaim(args.context.db, userId),
    async run({ claim, found: riotClaim }) {
      const known = verifiedAccount(riotClaim);
      if (!known) {
        return { status: 409, error: "Your profile isn't verified any more. Verify your Riot account again." };
      }
      const read = await readRiotAccount(args.context, known);
      if (!read.ok) return read;
      const { account } = read;
      const refusal = await linkOrRefuse(args.context, claim, account, hasSignOn);
      if (refusal) return refusal;
      const riotId = `${account.gameName}#${account.tagLine}`;
      return riotId === `${known.gameName}#${known.tagLine}`
        ? { to: PROFILE, title: "Your Riot ID is up to date", description: `Riot still knows you as ${riotId}.` }
        : { to: PROFILE, title: "Riot ID updated!", description: `Players now see you as ${riotId}.` };
    },
  });
