import { Form, useLoaderData } from "@remix-run/react";
import { RecentSignIn } from "~/features/settings/shared/recent-sign-in";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { privatePage } from "~/platform/pages/page-meta";
import { Button } from "~/ui/button";
import { restrictedAddress } from "../rules";

/* The page `Your Data`: in the settings, and for suspended players under `/account/`. */

export const meta = () => privatePage("Your Data");

export function ExportPage() {
  const { isRecent, page } = useLoaderData<{ isRecent: boolean; page: string }>();
  return (
    <SettingsSection title="Your Data" as={page === restrictedAddress("export") ? "h1" : "h2"}>
      <p className="mt-1 text-muted">
        One JSON file with everything Lineup holds about you: your account, profile, posts, teams, tournaments,
        conversations as you see them, your messages in chats you've left, feedback you gave and received,
        notifications, emails, blocks, reports, moderators' decisions about you and your appeals, sessions, and changes
        to your account.
      </p>
      <p className="mt-3 text-muted">Keep it safe: it holds your private messages.</p>
      {isRecent ? (
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
