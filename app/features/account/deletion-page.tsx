import { Form, useLoaderData } from "@remix-run/react";
import { RecentSignIn } from "~/features/settings/shared/recent-sign-in";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { Button } from "~/ui/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import { useReply } from "~/ui/forms/use-reply";
import { useServerForm } from "~/ui/forms/use-server-form";
import { Link } from "~/ui/link";
import { DELETION_FAILED } from "./deletion-failed";
import { KeepAccount } from "./keep-account";
import { type DeletionPageData, restrictedAddress } from "./rules";

/* The page `Delete Account`: in the settings, and for suspended players under `/account/`. */

export const meta = () => privatePage("Delete Account");

export const clientAction = offlineAction(DELETION_FAILED);

export function DeletionPage() {
  const { dueOn, isRecent, isSuspended, page, exportPage } = useLoaderData<DeletionPageData>();
  return (
    <SettingsSection title="Delete Account" as={page === restrictedAddress("delete-account") ? "h1" : "h2"}>
      {dueOn ? (
        <>
          <p className="mt-1 text-muted">
            Your account will be deleted on {dueOn}. Until then you can {!isSuspended && "use it as before and "}change
            your mind.
          </p>
          <KeepAccount to={page} variant="primary" className="mt-5" />
        </>
      ) : (
        <>
          <ul className="mt-2 list-disc space-y-1.5 pl-5 text-muted">
            <li>You're signed out on all devices, and your open posts close.</li>
            <li>You leave your teams. Tournaments you run alone are cancelled.</li>
            <li>
              For seven days you can still sign in and keep your account. Players with a link still see your page.
            </li>
            <li>Then your account, your profile, your posts and your settings are gone for good.</li>
            <li>Your messages stay with the people you wrote to, from “Unknown User”.</li>
            {isSuspended && (
              <li>
                Until your suspension ends, your email address and Riot account can't be used for another account. For
                that, we keep them only as hashes that can't be reversed.
              </li>
            )}
          </ul>
          <p className="mt-3 text-muted">
            You may want to{" "}
            <Link to={exportPage} className="text-spot-text underline underline-offset-3">
              download your data
            </Link>{" "}
            first.
          </p>
          {isRecent ? <DeletionForm /> : <RecentSignIn returnTo={page} />}
        </>
      )}
    </SettingsSection>
  );
}

function DeletionForm() {
  const { formProps, props, busy, summary } = useServerForm<{ email: string }>({
    id: "delete-account",
    reply: useReply<FormReply>(),
    labels: { email: "Email" },
  });
  return (
    <Form method="post" {...formProps} className="mt-6 grid max-w-[420px] gap-5">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      <TextField
        {...props("email")}
        type="email"
        required
        autoComplete="off"
        hint="Type your email address to confirm."
      />
      <Button variant="danger-filled" busy={busy} busyLabel="Deleting" className="md:justify-self-start">
        Delete Account
      </Button>
    </Form>
  );
}
