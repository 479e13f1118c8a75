import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { authAddress, CONFIRM_ADDRESS } from "~/features/auth/rules";
import { afterSignIn, finishSignIn } from "~/features/auth/sign-in/sign-in.server";
import { askToConfirm } from "~/features/auth/sign-up/confirmation.server";
import { beginSignupWith } from "~/features/auth/sign-up/pending-sign-up.server";
import { type LinkOutcome, linkAccount, renameAccount } from "~/features/identities/commands.server";
import { checkCallback, type Flow } from "~/features/identities/flow.server";
import { askProvider } from "~/features/identities/provider-client.server";
import { findProvider, type ProvenAccount, type Provider } from "~/features/identities/providers.server";
import { findLinkedPlayer, hasAccount } from "~/features/identities/queries.server";
import { LINKED_ACCOUNTS } from "~/features/identities/rules";
import { tellNotified } from "~/features/notifications/shared/unread.server";
import { proveRiotAccount, renameRiotAccount } from "~/features/riot/commands.server";
import type { RequestContext } from "~/platform/context";
import { tooManyTries } from "~/platform/limits/refusal";
import { countUse } from "~/platform/limits/uses.server";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import "~/shell";

/**
 * The URL to which Discord and Riot send the browser back. It acts on GET because OAuth requires it; it is protected by
 * the state that this browser got from our POST (docs/decisions/0016).
 */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const provider = findProvider(context.env, params.provider);
  if (!provider) return notFound(context, request);
  if (context.isPrefetch || request.method !== "GET") throw redirect("/auth");
  const callback = checkCallback(context, provider, new URL(request.url).searchParams);
  const refuse = (error: string) => refuseFlow(context, callback.flow, error);
  if (!callback.ok) throw refuse(callback.error);
  const { flow, code } = callback;

  // Limited before we ask the provider: repeating a callback would otherwise repeat our request to it.
  const [viewer, limit] = await Promise.all([
    flow.intent === "link" ? context.viewer() : null,
    countUse(context, "linkedAccounts", context.ip),
  ]);
  if (!limit.allowed) throw refuse(tooManyTries(limit.retryAfter).error);
  if (flow.intent === "link" && !viewer) throw refuse("Your session has ended. Sign in and start again.");
  const answer = await askProvider(context, provider, code, flow.verifier);
  if (!answer.ok) throw refuse(answer.error);
  const { account } = answer;
  const { claim } = context;
  if (!viewer || !claim) throw await signInOrUp(context, provider, account, flow);

  const proof = account.riot ? proveRiotAccount(context, viewer.id, account.riot) : undefined;
  const { outcome, effects } = await linkAccount(context, viewer, claim, account, proof);
  if (outcome !== "linked" && outcome !== "linked-before")
    throw refuse(NOT_LINKED[outcome](provider.name, account.name));
  if (effects && outcome === "linked") tellNotified(context, effects.displaced);
  throw redirectWithToast(context, LINKED_ACCOUNTS, {
    kind: "success",
    title: `${provider.name} linked`,
    description: account.riot
      ? `Riot has confirmed that ${account.name} is yours.`
      : `You can sign in with ${account.name} from now on.`,
  });
}

const NOT_LINKED: Record<
  Exclude<LinkOutcome, "linked" | "linked-before">,
  (provider: string, name: string) => string
> = {
  "someone-else's": (provider, name) => `The ${provider} account ${name} is linked to another player here.`,
  "another-linked": (provider) => `You've already linked another ${provider} account. Unlink that one first.`,
  "not-allowed": (provider, name) =>
    `The ${provider} account ${name} can't be linked here at the moment. If you don't know why, write to us.`,
  "signed-out": () => "Your session has ended. Sign in and start again.",
};

const SIGN_IN_FAILED = "Error signing in";

/** Signs in the player that the account is linked to; a new visitor continues with the sign-up. */
async function signInOrUp(
  context: RequestContext,
  provider: Provider,
  account: ProvenAccount,
  flow: Flow,
): Promise<Response> {
  const { db, env, now } = context;
  const [player, isKnown] = await Promise.all([
    findLinkedPlayer(context, account),
    account.email !== null && hasAccount(db, account.email),
  ]);
  const refuse = (error: string) => refuseFlow(context, flow, error);
  if (player) {
    if (env.REQUIRE_CONFIRMED_EMAIL && !player.emailConfirmedAt) {
      const { error, isSent } = await askToConfirm(context, player, flow.redirectTo);
      if (!isSent) return refuse(error);
      return redirectWithToast(context, authAddress(CONFIRM_ADDRESS, flow.redirectTo), {
        kind: "error",
        title: SIGN_IN_FAILED,
        description: error,
      });
    }
    const outcome = await finishSignIn(context, player, {
      account: renameAccount(context, player.id, account),
      riotAccount: account.riot ? renameRiotAccount(db, player.id, account.riot, now) : undefined,
    });
    return outcome.kind === "refused" ? refuse(outcome.error) : afterSignIn(context, outcome, flow.redirectTo);
  }
  // Linking it automatically would let in anyone who takes over the address elsewhere. This reveals nothing: the
  // provider has shown that the address is the visitor's own.
  if (isKnown) {
    return refuse(
      `Your email address has an account here. Sign in to it, then link ${provider.name} in your settings.`,
    );
  }
  if (!account.email && !account.riot) {
    return refuse(
      `${provider.name} has no confirmed email address for you. Sign up with your email, then link ${provider.name} in your settings.`,
    );
  }
  const { provider: id, subject, name, email, riot } = account;
  const begun = await beginSignupWith(context, { provider: id, subject, name }, email, riot);
  if (!begun.ok) return refuse(begun.error);
  const { redirectTo } = flow;
  const next = new URLSearchParams({ tab: "sign-up", ...(email && { step: "2" }), ...(redirectTo && { redirectTo }) });
  return redirectWithToast(context, `/auth?${next}`, {
    kind: "success",
    title: `Hello, ${name}`,
    description: email
      ? `No player is linked to your ${provider.name} account yet. Verify your Riot account to sign up.`
      : "No player is linked to your Riot account yet. Choose an email address and a password to sign up.",
  });
}

/** Redirects to the page that the player came from, with a toast that says why nothing was changed. */
function refuseFlow(context: RequestContext, flow: Flow | null, error: string): Response {
  const isLink = flow ? flow.intent === "link" : context.claim !== null;
  const redirectTo = flow?.redirectTo;
  const signIn = redirectTo ? `/auth?${new URLSearchParams({ redirectTo })}` : "/auth";
  return redirectWithToast(context, isLink ? LINKED_ACCOUNTS : signIn, {
    kind: "error",
    title: isLink ? "Error linking account" : SIGN_IN_FAILED,
    description: error,
  });
}

/**
 * Never rendered. With a component the route counts as a page, which has an error page if the database is unavailable.
 */
export default function BackFromProvider() {
  return null;
}
