import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { safeRedirect } from "~/features/auth/rules";
import { INTENTS, startFlow } from "~/features/identities/flow.server";
import { findProvider } from "~/features/identities/providers.server";
import { LINKED_ACCOUNTS } from "~/features/identities/rules";
import { tooManyTries } from "~/platform/limits/refusal";
import { countUse } from "~/platform/limits/uses.server";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { requireRecentSignIn } from "~/platform/session/guards.server";
import "~/shell";

/** Only buttons start the flow; a GET (a link, the back button) is redirected. */
export const loader = () => redirect("/auth");

const formSchema = z.object({ intent: z.enum(INTENTS), redirectTo: z.string().nullish() });

/**
 * Handles the buttons `Continue with …` and `Link …`: redirects to the provider. Never on GET, or any page could send
 * players there.
 */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const provider = findProvider(context.env, params.provider);
  const form = formSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!provider || !form.success) return notFound(context, request);
  const { intent } = form.data;
  const redirectTo = safeRedirect(form.data.redirectTo);
  const [limit] = await Promise.all([
    countUse(context, "linkedAccounts", context.ip),
    // Changing the ways to sign in requires a recent sign-in.
    intent === "link" && requireRecentSignIn(context, request, LINKED_ACCOUNTS),
  ]);
  if (!limit.allowed) {
    return redirectWithToast(context, intent === "link" ? LINKED_ACCOUNTS : "/auth", {
      kind: "error",
      title: `Error asking ${provider.name}`,
      description: tooManyTries(limit.retryAfter).error,
    });
  }
  return startFlow(context, provider, { intent, redirectTo });
}

/**
 * Never rendered. With a component the route counts as a page, which has an error page if the database is unavailable.
 */
export default function StartAtProvider() {
  return null;
}
