import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { RecentSignIn } from "~/features/settings/recent-sign-in";
import { SettingsSection } from "~/features/settings/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import { privatePage } from "~/platform/pages/page-meta";
import { isRecent, requireViewer } from "~/platform/session/session.server";
import { Button } from "~/ui/button";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Your Data");

export async function loader({ request, context }: LoaderFunctionArgs) {
  return { isRecent: isRecent(await requireViewer(context, request), context.now) };
}

export default function YourData() {
  const page = settingsAddress("export");
  return (
    <SettingsSection title="Your Data">
      <p className="mt-1 text-muted">
        One file (JSON) with everything Lineup holds about you: your account, your profile, your posts, your
        conversations as you see them, your notifications, whom you blocked and what you reported, your sessions, and
        what was changed about your account.
      </p>
      <p className="mt-3 text-muted">Keep it safe: it holds your private messages.</p>
      {useLoaderData<typeof loader>().isRecent ? (
        // The browser downloads the response and stays on this page.
        <Form method="post" action={`${page}/download`} reloadDocument className="mt-5">
          <Button variant="primary">Download My Data</Button>
        </Form>
      ) : (
        <RecentSignIn returnTo={page} />
      )}
    </SettingsSection>
  );
}
