import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { AuthAside, AuthLayout } from "~/features/auth/auth-layout";
import { awaitsCode } from "~/features/auth/codes/verification.server";
import { authAddress, CONFIRM_ADDRESS, safeRedirect } from "~/features/auth/rules";
import { signInSchema, signUpSchema } from "~/features/auth/schema";
import { signIn } from "~/features/auth/sign-in/password-sign-in.server";
import { afterSignIn } from "~/features/auth/sign-in/sign-in.server";
import { SignInForm } from "~/features/auth/sign-in/sign-in-form";
import type { PendingSignup } from "~/features/auth/sign-up/queries.server";
import {
  beginSignup,
  completeSignup,
  currentSignup,
  keepForNextSignup,
  keepRiotAccount,
  mustConfirmFirst,
} from "~/features/auth/sign-up/sign-up.server";
import { type RiotStep, SignUpAccountForm, SignUpRiotForm } from "~/features/auth/sign-up/sign-up-forms";
import { linkAtSignup } from "~/features/identities/commands.server";
import { ProviderButtons } from "~/features/identities/provider-buttons";
import { findProvider, offeredProviders } from "~/features/identities/providers.server";
import { lookUpRiotAccount } from "~/features/riot/client.server";
import { linkAfterSignup, proveRiotAccount } from "~/features/riot/commands.server";
import { countVerification } from "~/features/riot/limits.server";
import { findOtherHolder } from "~/features/riot/queries.server";
import type { RiotAccountData } from "~/features/riot/rules";
import { riotAccountSchema } from "~/features/riot/schema";
import type { RequestContext } from "~/platform/context";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm } from "~/platform/forms/forms.server";
import { checkHuman, offerHumanCheck } from "~/platform/forms/human-check.server";
import { firstCharacters } from "~/platform/forms/text-length";
import { originOf, publicPage } from "~/platform/pages/public-page";
import { redirectWithToast } from "~/platform/pages/toast.server";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  publicPage({
    ...(data?.tab === "sign-up" ? SIGN_UP : SIGN_IN),
    // Tabs, steps and where one goes afterwards are all the same page to others.
    path: "/auth",
    origin: originOf(matches),
  });

const SIGN_IN = {
  title: "Sign in",
  description: "Sign in to Lineup and find the teammates you are missing for your next game of VALORANT.",
};
const SIGN_UP = {
  title: "Sign up",
  description:
    "Join Lineup with your Riot account and find teammates for VALORANT who fit your rank, your role and your region.",
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams, search } = new URL(request.url);
  const tab = searchParams.get("tab") === "sign-up" ? ("sign-up" as const) : ("sign-in" as const);
  const [viewer, signup] = await Promise.all([context.viewer(), tab === "sign-up" ? currentSignup(context) : null]);
  if (viewer) throw redirect(safeRedirect(searchParams.get("redirectTo")) ?? "/");
  const wantsStep2 = tab === "sign-up" && searchParams.get("step") === "2";
  if (wantsStep2 && !signup?.email) throw redirect(signUpAddress(searchParams));
  const riot: RiotStep | null =
    wantsStep2 && signup
      ? {
          gameName: signup.gameName ?? "",
          tagLine: signup.tagLine ?? "",
          region: signup.region ?? "americas",
          account: signup.accountData && {
            gameName: signup.accountData.gameName,
            tagLine: signup.accountData.tagLine,
            region: signup.accountData.region,
          },
          held:
            signup.isHeld && !provesAccount(context, signup)
              ? { hasSignOn: findProvider(context.env, "riot") !== undefined }
              : null,
        }
      : null;
  return {
    tab,
    search,
    email: signup?.email ?? "",
    riot,
    carried: authAddress("", safeRedirect(searchParams.get("redirectTo"))),
    awaitsConfirmation: awaitsCode(context, "confirm-email"),
    providers: riot ? [] : offeredProviders(context.env),
    redirectTo: safeRedirect(searchParams.get("redirectTo")),
    humanCheck: tab === "sign-up" ? offerHumanCheck(context) : null,
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const { searchParams } = new URL(request.url);
  switch (form.get("intent")) {
    case "next":
      return startSigningUp(context, form, searchParams);
    case "verify":
    case "complete":
      return verifyOrComplete(context, form, searchParams);
    case "back":
      return goBack(context, form, searchParams);
    default:
      return openSession(context, form, searchParams);
  }
}

/** `Back` keeps this much of what was typed as a Riot ID, right or wrong. Characters. */
const KEPT_TEXT = 200;
const SIGN_IN_FAILED = "Error signing in";
const SIGN_UP_FAILED = "Error creating account";
const VERIFICATION_FAILED = "Verification failed";

/** The address of a step of the sign-up, with `redirectTo` carried along. */
const signUpAddress = (params: URLSearchParams, step: { step?: "2" } = {}) =>
  authAddress("/auth", safeRedirect(params.get("redirectTo")), { tab: "sign-up", ...step });

async function openSession(context: RequestContext, form: FormData, params: URLSearchParams) {
  const submission = parseWithZod(form, { schema: signInSchema });
  if (submission.status !== "success") return refuseForm(context, submission, SIGN_IN_FAILED);
  return orDatabaseAway(context, submission, SIGN_IN_FAILED, async () => {
    const redirectTo = safeRedirect(params.get("redirectTo"));
    const result = await signIn(context, submission.value, redirectTo);
    if (!result.ok) return refuseForm(context, submission, SIGN_IN_FAILED, result);
    if (result.outcome.kind === "refused") {
      return refuseForm(context, submission, SIGN_IN_FAILED, { status: 403, error: result.outcome.error });
    }
    return afterSignIn(context, result.outcome, redirectTo);
  });
}

async function startSigningUp(context: RequestContext, form: FormData, params: URLSearchParams) {
  const submission = parseWithZod(form, { schema: signUpSchema });
  if (submission.status !== "success") return refuseForm(context, submission, SIGN_UP_FAILED);
  return orDatabaseAway(context, submission, SIGN_UP_FAILED, async () => {
    const result = await beginSignup(context, submission.value, checkHuman(context, form, "sign-up"));
    if (result.ok) return redirect(signUpAddress(params, { step: "2" }), 303);
    return refuseForm(context, submission, SIGN_UP_FAILED, result);
  });
}

async function verifyOrComplete(context: RequestContext, form: FormData, params: URLSearchParams) {
  const step2 = signUpAddress(params, { step: "2" });
  const submission = parseWithZod(form, { schema: riotAccountSchema });
  const failed = form.get("intent") === "complete" ? SIGN_UP_FAILED : VERIFICATION_FAILED;
  return orDatabaseAway(context, submission, failed, async () => {
    const [signup, refusal] = await Promise.all([currentSignup(context), countVerification(context)]);
    if (!signup?.email) {
      // The sign-up was completed by the first of two presses, or has run out of time.
      if (await context.viewer()) return redirect("/dashboard", 303);
      // A sign-up that began with an account elsewhere has no address yet, and keeps that account.
      if (signup && !signup.identity) await keepRiotAccount(context.db, signup.id, riotFields(form), null);
      else if (!signup && !refusal) await keepForNextSignup(context, riotFields(form));
      return redirectWithToast(context, signUpAddress(params), {
        kind: "error",
        title: SIGN_UP_FAILED,
        description:
          "This sign-up has run out of time or is done already. Please begin again: your Riot ID is kept for the second step.",
      });
    }
    if (submission.status !== "success") return refuseForm(context, submission, VERIFICATION_FAILED);
    const { gameName, tagLine, region } = submission.value;
    const unchanged = signup.gameName === gameName && signup.tagLine === tagLine && signup.region === region;

    if (form.get("intent") === "complete" && signup.accountData && unchanged) {
      const verified = { ...signup, accountData: signup.accountData };
      const [outcome] = await Promise.all([
        completeSignup(
          context,
          verified,
          safeRedirect(params.get("redirectTo")),
          identityStatements(context, verified),
        ),
        // Where the address must be confirmed first, the claim waits for that: it would tell whether the address is known.
        mustConfirmFirst(context, signup) || linkAfterSignup(context, signup.userId, verified.accountData),
      ]);
      if (outcome === "identity-taken") {
        return redirectWithToast(context, authAddress("/auth", safeRedirect(params.get("redirectTo"))), {
          kind: "error",
          title: SIGN_UP_FAILED,
          description: "The account you began with belongs to another player by now. Sign in with it instead.",
        });
      }
      if (outcome === "taken") {
        return redirectWithToast(context, signUpAddress(params), {
          kind: "error",
          title: SIGN_UP_FAILED,
          description: "This e-mail address already has an account. Sign in instead.",
        });
      }
      const redirectTo = safeRedirect(params.get("redirectTo")) ?? "/dashboard";
      return redirectWithToast(context, outcome === "signed-in" ? redirectTo : signUpAddress(params), {
        kind: "success",
        title: "Account created successfully!",
        description: signup.identity?.emailVerified
          ? "Your e-mail address is confirmed already."
          : "Please check your email to verify your account.",
      });
    }

    const found = refusal ?? (await lookUpRiotAccount(context, submission.value));
    const accountData = found.ok ? found.account : null;
    const [holder] = await Promise.all([
      accountData && findOtherHolder(context.db, accountData.puuid, signup.userId),
      keepRiotAccount(context.db, signup.id, submission.value, accountData),
    ]);
    if (!found.ok) {
      const field = found.status === 400 || found.status === 404 ? "gameName" : undefined;
      return refuseForm(context, submission, VERIFICATION_FAILED, { ...found, field });
    }
    // The page says that another player holds the account: a toast of success would say the contrary.
    if (holder && !provesAccount(context, { ...signup, accountData })) return redirect(step2, 303);
    return redirectWithToast(context, step2, {
      kind: "success",
      title: "Riot account verified!",
      description: "Account found and verified successfully.",
    });
  });
}

/**
 * What links the account elsewhere that a sign-up began with, if one did. Not where the e-mail address must be confirmed
 * first, for the same reason as the claim; and not a Riot account in whose place another was verified.
 */
function identityStatements(context: RequestContext, signup: PendingSignup & { accountData: RiotAccountData }) {
  const { identity, userId, accountData } = signup;
  if (!identity || mustConfirmFirst(context, signup)) return undefined;
  const { statements, isLinked } = linkAtSignup(context, userId, identity);
  if (identity.provider !== "riot") return statements;
  if (!provesAccount(context, signup)) return undefined;
  return { link: statements, proof: proveRiotAccount(context, userId, accountData).statements(isLinked) };
}

/** Whether the sign-up began with Riot Sign-On and ends with that same account as the player's own. */
const provesAccount = (context: RequestContext, signup: Pick<PendingSignup, "identity" | "accountData">) =>
  signup.identity?.provider === "riot" &&
  signup.identity.subject === signup.accountData?.puuid &&
  !mustConfirmFirst(context, signup);

/** What stands in the fields of step 2, whether or not it reads well. */
function riotFields(form: FormData) {
  const text = (name: string) => firstCharacters(String(form.get(name) ?? ""), KEPT_TEXT);
  return { gameName: text("gameName"), tagLine: text("tagLine"), region: text("region") };
}

async function goBack(context: RequestContext, form: FormData, params: URLSearchParams) {
  const [signup, refusal] = await Promise.all([currentSignup(context), countVerification(context)]);
  const fields = riotFields(form);
  if (signup) {
    const { gameName, tagLine, region } = signup;
    const unchanged = gameName === fields.gameName && tagLine === fields.tagLine && region === fields.region;
    if (!unchanged) await keepRiotAccount(context.db, signup.id, fields, null);
  } else if (!refusal) {
    await keepForNextSignup(context, fields);
  }
  return redirect(signUpAddress(params), 303);
}

/** The title of the toast when what a button asks for was refused. */
function failureTitle(form: FormData): string {
  const intent = form.get("intent");
  if (intent === "verify") return VERIFICATION_FAILED;
  return intent === null ? SIGN_IN_FAILED : SIGN_UP_FAILED;
}

/** Offline the form stays, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, failureTitle);

export default function AuthPage() {
  const { tab, search, carried, email, riot, awaitsConfirmation, providers, redirectTo, humanCheck } =
    useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  const heading = riot ? "Your Riot account" : tab === "sign-up" ? "Create your account" : "Welcome back";
  const aside = riot ? (
    <AuthAside
      title="Your spot has a name."
      text="Next you choose your rank, up to three main agents and when you play. Then find your four."
      name={riot.account?.gameName}
      tag={riot.account?.tagLine}
    />
  ) : undefined;
  return (
    <AuthLayout tab={tab} heading={heading} search={search} aside={aside}>
      {awaitsConfirmation && !riot && (
        <p className="mb-[18px] text-muted">
          You have e-mail from us.{" "}
          <Link to={`${CONFIRM_ADDRESS}${carried}`} className="link">
            Enter the code
          </Link>
        </p>
      )}
      {riot ? (
        <SignUpRiotForm key="riot" reply={reply} riot={riot} />
      ) : tab === "sign-up" ? (
        <SignUpAccountForm key="account" reply={reply} email={email} humanCheck={humanCheck} />
      ) : (
        <SignInForm key="sign-in" reply={reply} search={carried} />
      )}
      <ProviderButtons providers={providers} redirectTo={redirectTo} />
    </AuthLayout>
  );
}
