import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { data } from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { unsubscribeFrom } from "~/features/notifications/commands.server";
import { listGroups } from "~/features/notifications/email/rules";
import { readUnsubscription } from "~/features/notifications/email/token.server";
import { getsEmails } from "~/features/notifications/queries.server";
import { settingsAddress } from "~/features/settings/subjects";
import { answerGuestButton } from "~/platform/forms/answer-form.server";
import { tooManyTries } from "~/platform/limits/refusal";
import { countUse } from "~/platform/limits/uses.server";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { Button, ButtonLink } from "~/ui/button";
import { SiteFooter } from "~/ui/page/site-footer";
import { SiteHeader } from "~/ui/page/site-header";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Unsubscribe");

/** The page has only text, a form and links. */
export const handle = { withoutScript: true };

/** Asks before it changes anything, because mail programs open links to look for viruses. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const found = readUnsubscription(context.env, params.token ?? "");
  if (!found) notFound(context, request);
  const isOn = await getsEmails(context.db, found.userId, found.groups);
  return { groups: listGroups(found.groups), isOn };
}

/**
 * Turns the emails off: for the page's button, and for the mail program's own (RFC 8058), which sends neither our
 * origin nor a cookie, and follows no redirects. Only the address's signature is checked.
 */
export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const found = readUnsubscription(context.env, params.token ?? "");
  if (!found) notFound(context, request);
  const isOneClick = (await request.formData()).has("List-Unsubscribe");
  return answerGuestButton(args, {
    failed: "Error unsubscribing",
    async run() {
      const verdict = await countUse(context, "unsubscribe", found.userId);
      if (!verdict.allowed) return tooManyTries(verdict.retryAfter);
      await unsubscribeFrom(context.db, found.userId, found.groups);
      return isOneClick ? data(null) : {};
    },
  });
}

export default function Unsubscribe() {
  const { groups, isOn } = useLoaderData<typeof loader>();
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main id="content" className="measure w-full flex-1 py-10 md:py-16">
        <div className="max-w-[640px]">
          <h1 className="font-display text-h2-phone md:text-h2">
            {isOn ? "Stop these emails?" : "You're unsubscribed"}
          </h1>
          <p className="mt-4 text-muted">
            {isOn
              ? `We won't email you about ${groups} any more. The bell still has it all.`
              : `We don't email you about ${groups}. The bell still has it all.`}
          </p>
          <p className="mt-3 text-muted">
            You'll still get emails about the security of your account, and about moderators' decisions.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            {isOn && (
              <Form method="post">
                <Button variant="primary">Unsubscribe</Button>
              </Form>
            )}
            <ButtonLink to={settingsAddress("notifications")}>Notification settings</ButtonLink>
          </div>
        </div>
      </main>
      <SiteFooter />
    </div>
  );
}
