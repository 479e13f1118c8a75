import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import { unlinkAccount } from "~/features/identities/commands.server";
import { presentLinkedAccounts } from "~/features/identities/present.server";
import { configuredProviders } from "~/features/identities/providers.server";
import { listLinkedAccounts } from "~/features/identities/queries.server";
import { LINKED_ACCOUNTS, PROVIDER_NAMES, providerOf } from "~/features/identities/rules";
import { forgetProof } from "~/features/riot/commands.server";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { requireClaimedUserId, requireRecentSignIn, requireViewer } from "~/platform/session/guards.server";
import { Button } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { useReply } from "~/ui/forms/use-reply";
import { RelativeTime } from "~/ui/relative-time";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Linked Accounts");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const [, linked, clock] = await Promise.all([
    requireViewer(context, request),
    listLinkedAccounts(context.db, userId),
    context.clock(),
  ]);
  return { providers: presentLinkedAccounts(linked, configuredProviders(context.env), clock) };
}

/** Handles `Unlink`. `Link …` goes to `/auth/oauth/:provider`. */
export async function action(args: ActionFunctionArgs) {
  const { context, request } = args;
  const { env } = context;
  const provider = providerOf((await request.formData()).get("unlink"));
  if (!provider) return notFound(context, request);
  return answerButton(args, {
    failed: "Error unlinking account",
    limit: "linkedAccounts",
    viewer: requireRecentSignIn,
    to: LINKED_ACCOUNTS,
    async run({ viewer }) {
      const outcome = await unlinkAccount(context, viewer, provider, configuredProviders(env), (isUnlinked) =>
        provider === "riot" ? { proof: forgetProof(context, viewer.id, isUnlinked) } : {},
      );
      if (outcome === "last-way-in") {
        const error = `${PROVIDER_NAMES[provider]} is your only way to sign in. Set a password first.`;
        return { status: 409, error };
      }
      return { title: `${PROVIDER_NAMES[provider]} unlinked`, description: "It no longer signs you in." };
    },
  });
}

export default function LinkedAccounts() {
  const { providers } = useLoaderData<typeof loader>();
  useReplyToast(useReply<ToastReply>());
  const { formData } = useNavigation();
  return (
    <SettingsSection title="Linked Accounts">
      <p className="mt-1 text-muted">Linking an account proves it's yours and lets you sign in with it.</p>
      {providers.length === 0 && <EmptyState title="There's nothing to link yet." />}
      {providers.length > 0 && (
        <ul className="mt-5 border-t border-line">
          {providers.map(({ id, name, about, linked, mayUnlink }) => (
            <li
              key={id}
              className="grid gap-x-4 gap-y-3 border-b border-line py-3.5 md:grid-cols-[minmax(0,1fr)_auto] md:items-center"
            >
              <div className="min-w-0">
                <h3 className="text-post font-semibold">{name}</h3>
                {linked ? (
                  <p className="wrap-anywhere text-muted">
                    Linked as <strong className="font-semibold text-text">{linked.as}</strong>,{" "}
                    <RelativeTime moment={linked.since} />
                  </p>
                ) : (
                  <p className="text-muted">{about}</p>
                )}
                {linked && !mayUnlink && (
                  <p className="text-meta text-muted">It's your only way to sign in. Set a password to unlink it.</p>
                )}
              </div>
              {!linked && (
                // A plain form, because it redirects to another site.
                <form method="post" action={`/auth/oauth/${id}`}>
                  <input type="hidden" name="intent" value="link" />
                  <Button size="row">Link {name}</Button>
                </form>
              )}
              {linked && mayUnlink && (
                <Form method="post" preventScrollReset>
                  <Button
                    name="unlink"
                    value={id}
                    size="row"
                    aria-label={`Unlink ${name}`}
                    busy={formData?.get("unlink") === id}
                  >
                    Unlink
                  </Button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
    </SettingsSection>
  );
}
