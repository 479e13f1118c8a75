import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import type { SQL } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "#db/client";
import type { PendingIdentity } from "#db/schema";
import type { Answering, Steps } from "#db/statements";
import { PROVIDER_NAMES } from "~/features/identities/rules";
import { UPHELD } from "~/features/moderation/shared/upheld-words";
import { tellNotified } from "~/features/notifications/shared/unread.server";
import type { RiotAccountData } from "~/features/riot/rules";
import { type RiotAccountQuery, riotAccountSchema } from "~/features/riot/schema";
import { VERIFICATION_FAILED } from "~/features/riot/shared/verification-failed";
import type { RequestContext } from "~/platform/context";
import { type Answer, answerGuestForm } from "~/platform/forms/answer-form.server";
import { type FormFailure, refuseForm } from "~/platform/forms/forms.server";
import { checkHuman } from "~/platform/forms/human-check.server";
import { firstCharacters } from "~/platform/forms/text-length";
import { timeUntil } from "~/platform/limits/refusal";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { authAddress, readRedirectTo } from "../rules";
import { signUpSchema } from "../schema";
import { completeSignup, mustConfirmFirst } from "./complete-sign-up.server";
import { beginSignup, currentSignup, keepForNextSignup, keepRiotAccount } from "./pending-sign-up.server";
import type { PendingSignup } from "./queries.server";
import { SIGN_UP_FAILED, signUpAddress } from "./steps";

type Refusal = { ok: false } & FormFailure;

/** The functions of other features that a sign-up needs; the route passes them in. */
export interface SignUpParts {
  /** Counts a lookup at Riot against the rate limits. */
  countRiotLookup(context: RequestContext): Promise<Refusal | null>;
  lookUpRiotAccount(
    context: RequestContext,
    query: RiotAccountQuery,
  ): Promise<{ ok: true; account: RiotAccountData } | Refusal>;
  /** Finds a player other than `userId` who holds this Riot account. */
  findOtherHolder(db: Database, puuid: string, userId: string): PromiseLike<object | undefined>;
  linkAfterSignup(context: RequestContext, userId: string, account: RiotAccountData): Promise<void>;
  linkAtSignup(
    context: RequestContext,
    userId: string,
    identity: PendingIdentity,
  ): { statements: Steps; isLinked: SQL };
  proveRiotAccount(
    context: RequestContext,
    userId: string,
    account: RiotAccountData,
  ): { statements(isLinked: SQL): Steps & { displaced: Answering<{ userId: string }[]> } };
}

/** The number of characters kept of each field of step 2, valid or not. */
const KEPT_LENGTH = 200;

/** Handles the form of step 1: email and password. */
export const handleCredentials = (args: ActionFunctionArgs, form: FormData) =>
  answerGuestForm(args, {
    schema: signUpSchema,
    form,
    failed: SIGN_UP_FAILED,
    to: signUpAddress(args.request, { step: "2" }),
    async run(value) {
      const started = await beginSignup(args.context, value, checkHuman(args.context, form, "sign-up"));
      if (!started.ok) return started;
      return started.dropped ? droppedProviderToast(PROVIDER_NAMES[started.dropped]) : {};
    },
  });

/** Says that step 1 has dropped the provider account with which the sign-up began, which may be someone else's. */
const droppedProviderToast = (provider: string) => ({
  title: `Signing up without ${provider}`,
  description: `This sign-up began with ${provider}, but with another email address, so that account won't be linked. You can link yours in your settings once you've signed up.`,
});

/** Handles step 2: looks the Riot account up, or completes the sign-up with the one found before. */
export function handleRiotAccount(args: ActionFunctionArgs, form: FormData, parts: SignUpParts) {
  const isCompleting = form.get("intent") === "complete";
  return answerGuestForm(args, {
    // `run` parses the fields itself, once it has found the pending sign-up that they belong to.
    schema: z.object({}),
    form,
    failed: isCompleting ? SIGN_UP_FAILED : VERIFICATION_FAILED,
    async run() {
      const { context } = args;
      const [signup, refusal] = await Promise.all([currentSignup(context), parts.countRiotLookup(context)]);
      if (!signup?.email) return answerWithoutSignup(args, form, { signup, isLimited: refusal !== null });
      const submission = parseWithZod(form, { schema: riotAccountSchema });
      if (submission.status !== "success") return refuseForm(context, submission, VERIFICATION_FAILED);
      const { accountData } = signup;
      if (isCompleting && accountData && isUnchanged(signup, submission.value)) {
        return complete(args, { ...signup, accountData }, parts);
      }
      return verify(args, signup, submission.value, { parts, refusal });
    },
  });
}

/**
 * Answers a request of step 2 that has no sign-up to continue: a first click has already completed the sign-up, or the
 * sign-up has expired or has no address yet. The form keeps what was entered, and links to the first step. The server
 * also keeps the Riot ID for step 2, unless the sign-up began at a provider, whose Riot account must stay, or there is
 * no sign-up left and the lookup limit is used up.
 */
async function answerWithoutSignup(
  { context, request }: ActionFunctionArgs,
  form: FormData,
  { signup, isLimited }: { signup: PendingSignup | null; isLimited: boolean },
): Promise<Answer> {
  if (await context.viewer()) return { to: "/dashboard" };
  const fields = riotFields(form);
  const isKept = Boolean(fields.gameName) && (signup ? !signup.identity : !isLimited);
  if (isKept && signup) await keepRiotAccount(context.db, signup.id, fields, null);
  else if (isKept) await keepForNextSignup(context, fields);
  return {
    status: 410,
    error: `This sign-up has timed out or is already finished.${isKept ? " We've kept your Riot ID for step two." : ""}`,
    toastTitle: SIGN_UP_FAILED,
    next: { to: signUpAddress(request), label: "Start Again" },
  };
}

/** Creates the account. */
async function complete(
  { context, request }: ActionFunctionArgs,
  signup: PendingSignup & { accountData: RiotAccountData },
  parts: SignUpParts,
): Promise<Answer> {
  const redirectTo = readRedirectTo(request);
  const [outcome] = await Promise.all([
    completeSignup(context, signup, redirectTo, isProven(signup), identityStatements(context, signup, parts)),
    // If the address must be confirmed first, the Riot account is linked when that happens. Linking it now would reveal
    // whether the address is known.
    mustConfirmFirst(context, signup) || parts.linkAfterSignup(context, signup.userId, signup.accountData),
  ]);
  if (outcome.kind === "identity-taken") {
    return redirectWithToast(context, authAddress("/auth", redirectTo), {
      kind: "error",
      title: SIGN_UP_FAILED,
      description: "The account you started with now belongs to another player. Sign in with it instead.",
    });
  }
  if (outcome.kind === "upheld") {
    const { error: description } = UPHELD;
    return redirectWithToast(context, signUpAddress(request), { kind: "error", title: SIGN_UP_FAILED, description });
  }
  if (outcome.kind === "taken") {
    return redirectWithToast(context, signUpAddress(request), {
      kind: "error",
      title: SIGN_UP_FAILED,
      description: "This email address already has an account. Sign in instead.",
    });
  }
  const { proof } = outcome.answers ?? {};
  if (proof) tellNotified(context, proof.displaced);
  const isSignedIn = outcome.kind === "signed-in";
  return {
    to: isSignedIn ? (redirectTo ?? "/dashboard") : signUpAddress(request),
    title: "Account created successfully!",
    description: signup.identity?.emailVerified
      ? "Your email address is already confirmed."
      : outcome.email.allowed
        ? "Please check your email to verify your account."
        : howToGetEmail(timeUntil(outcome.email.retryAfter), isSignedIn),
  };
}

/** Tells the player how to get the confirmation email that the limits on emails didn't allow. */
const howToGetEmail = (wait: string, isSignedIn: boolean): string =>
  `We can't email you at the moment. ${
    isSignedIn
      ? `In ${wait} you can ask for the link that confirms your address in your settings.`
      : `In ${wait}, sign in and we'll send you the link that confirms your address.`
  }`;

/** Looks a Riot account up, and stores the result. */
async function verify(
  { context, request }: ActionFunctionArgs,
  signup: PendingSignup,
  query: RiotAccountQuery,
  { parts, refusal }: { parts: SignUpParts; refusal: Refusal | null },
): Promise<Answer> {
  const found = refusal ?? (await parts.lookUpRiotAccount(context, query));
  const accountData = found.ok ? found.account : null;
  const [holder] = await Promise.all([
    accountData && parts.findOtherHolder(context.db, accountData.puuid, signup.userId),
    keepRiotAccount(context.db, signup.id, query, accountData),
  ]);
  if (!found.ok) {
    const field = found.status === 400 || found.status === 404 ? "gameName" : undefined;
    return { ...found, field, toastTitle: VERIFICATION_FAILED };
  }
  const to = signUpAddress(request, { step: "2" });
  // The page says that another player holds the account, which a success toast would contradict.
  if (holder && !provesAccount(context, { ...signup, accountData })) return { to };
  return { to, title: "Riot account verified!", description: "Account found and verified successfully." };
}

/**
 * Builds the statements that link the provider account that a sign-up began with, if any. There are none if the address
 * must be confirmed first (see `complete`), or if the player began with one Riot account and verified another.
 */
function identityStatements(
  context: RequestContext,
  signup: PendingSignup & { accountData: RiotAccountData },
  { linkAtSignup, proveRiotAccount }: SignUpParts,
) {
  const { identity, userId, accountData } = signup;
  if (!identity || mustConfirmFirst(context, signup)) return undefined;
  const { statements, isLinked } = linkAtSignup(context, userId, identity);
  if (identity.provider !== "riot") return { link: statements };
  if (!provesAccount(context, signup)) return undefined;
  return { link: statements, proof: proveRiotAccount(context, userId, accountData).statements(isLinked) };
}

/** Whether the sign-up began with Riot Sign-On and ends with that same Riot account. */
const isProven = ({ identity, accountData }: Pick<PendingSignup, "identity" | "accountData">) =>
  identity?.provider === "riot" && identity.subject === accountData?.puuid;

/** Whether the sign-up links the Riot account that it has proven: not if its address must be confirmed first. */
export const provesAccount = (context: RequestContext, signup: Pick<PendingSignup, "identity" | "accountData">) =>
  isProven(signup) && !mustConfirmFirst(context, signup);

/** Reads the fields of step 2, valid or not. */
function riotFields(form: FormData) {
  const text = (name: string) => firstCharacters(String(form.get(name) ?? ""), KEPT_LENGTH);
  return { gameName: text("gameName"), tagLine: text("tagLine"), region: text("region") };
}

const isUnchanged = (
  signup: PendingSignup,
  { gameName, tagLine, region }: { gameName: string; tagLine: string; region: string },
) => signup.gameName === gameName && signup.tagLine === tagLine && signup.region === region;

/** Handles `Back` in step 2: keeps the typed values. */
export async function goBack(
  { context, request }: ActionFunctionArgs,
  form: FormData,
  { countRiotLookup }: SignUpParts,
) {
  const [signup, refusal] = await Promise.all([currentSignup(context), countRiotLookup(context)]);
  const fields = riotFields(form);
  if (signup) {
    if (!isUnchanged(signup, fields)) await keepRiotAccount(context.db, signup.id, fields, null);
  } else if (!refusal) {
    await keepForNextSignup(context, fields);
  }
  return redirect(signUpAddress(request), 303);
}
