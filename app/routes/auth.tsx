import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AuthAside, AuthLayout } from "~/features/auth/auth-layout";
import { hasPendingCode } from "~/features/auth/codes/redeeming.server";
import { authAddress, CONFIRM_ADDRESS, readRedirectTo } from "~/features/auth/rules";
import { signInSchema } from "~/features/auth/schema";
import { signIn } from "~/features/auth/sign-in/password-sign-in.server";
import { afterSignIn } from "~/features/auth/sign-in/sign-in.server";
import { SignInForm } from "~/features/auth/sign-in/sign-in-form";
import {
  goBack,
  handleCredentials,
  handleRiotAccount,
  provesAccount,
  type SignUpParts,
} from "~/features/auth/sign-up/actions.server";
import { currentSignup } from "~/features/auth/sign-up/pending-sign-up.server";
import { type RiotStep, SignUpAccountForm, SignUpRiotForm } from "~/features/auth/sign-up/sign-up-forms";
import { SignUpTerms } from "~/features/auth/sign-up/sign-up-terms";
import { SIGN_UP_FAILED, signUpAddress } from "~/features/auth/sign-up/steps";
import { linkAtSignup } from "~/features/identities/commands.server";
import { ProviderButtons } from "~/features/identities/provider-buttons";
import { findProvider, offeredProviders } from "~/features/identities/providers.server";
import { lookUpRiotAccount } from "~/features/riot/client.server";
import { linkAfterSignup, proveRiotAccount } from "~/features/riot/commands.server";
import { countRiotLookup } from "~/features/riot/limits.server";
import { findOtherHolder } from "~/features/riot/queries.server";
import { VERIFICATION_FAILED } from "~/features/riot/shared/verification-failed";
import { answerGuestForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { offerHumanCheck } from "~/platform/forms/human-check.server";
import { originOf, publicPage } from "~/platform/pages/public-page";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  publicPage({
    ...(data?.tab === "sign-up" ? SIGN_UP : SIGN_IN),
    // For search engines, the tabs, steps and redirect targets are all the same page.
    path: "/auth",
    origin: originOf(matches),
  });

const SIGN_IN = {
  title: "Sign in",
  description: "Sign in to Lineup and find teammates for your next game of VALORANT.",
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
  const redirectTo = readRedirectTo(request);
  if (viewer) throw redirect(redirectTo ?? "/");
  const wantsStep2 = tab === "sign-up" && searchParams.get("step") === "2";
  // A refused form stays on this page even if its sign-up has expired.
  if (wantsStep2 && !signup?.email && !context.submitted) throw redirect(signUpAddress(request));
  const riot: RiotStep | null = wantsStep2
    ? {
        gameName: signup?.gameName ?? "",
        tagLine: signup?.tagLine ?? "",
        region: signup?.region ?? "americas",
        account: signup?.accountData
          ? {
              gameName: signup.accountData.gameName,
              tagLine: signup.accountData.tagLine,
              region: signup.accountData.region,
            }
          : null,
        heldByOther:
          signup?.isHeld && !provesAccount(context, signup)
            ? { hasSignOn: findProvider(context.env, "riot") !== undefined }
            : null,
      }
    : null;
  return {
    tab,
    search,
    email: signup?.email ?? "",
    riot,
    carried: authAddress("", redirectTo),
    awaitsConfirmation: hasPendingCode(context, "confirm-email"),
    providers: riot ? [] : offeredProviders(context.env),
    redirectTo,
    humanCheck: tab === "sign-up" ? offerHumanCheck(context) : null,
  };
}

export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData();
  const parts: SignUpParts = {
    countRiotLookup,
    lookUpRiotAccount,
    findOtherHolder,
    linkAfterSignup,
    linkAtSignup,
    proveRiotAccount,
  };
  switch (form.get("intent")) {
    case "next":
      return handleCredentials(args, form);
    case "verify":
    case "complete":
      return handleRiotAccount(args, form, parts);
    case "back":
      return goBack(args, form, parts);
    default:
      return openSession(args, form);
  }
}

const SIGN_IN_FAILED = "Error signing in";

const openSession = (args: ActionFunctionArgs, form: FormData) =>
  answerGuestForm(args, {
    schema: signInSchema,
    form,
    failed: SIGN_IN_FAILED,
    async run(value) {
      const redirectTo = readRedirectTo(args.request);
      const result = await signIn(args.context, value, redirectTo);
      if (!result.ok) return result;
      const { outcome } = result;
      if (outcome.kind === "refused") return { status: 403, error: outcome.error };
      return afterSignIn(args.context, outcome, redirectTo);
    },
  });

/** Chooses the title of the toast for a button whose form can't reach the server. */
function failureTitle(form: FormData): string {
  const intent = form.get("intent");
  if (intent === "verify") return VERIFICATION_FAILED;
  return intent === null ? SIGN_IN_FAILED : SIGN_UP_FAILED;
}

export const clientAction = offlineAction(failureTitle);

export default function AuthPage() {
  const { tab, search, carried, email, riot, awaitsConfirmation, providers, redirectTo, humanCheck } =
    useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
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
          You have an email from us.{" "}
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
      {tab === "sign-up" && <SignUpTerms />}
    </AuthLayout>
  );
}
