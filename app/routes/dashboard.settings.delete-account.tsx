import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { keepAccount, scheduleDeletion } from "~/features/account/deletion.server";
import { KeepAccount } from "~/features/account/keep-account";
import { deletionSchema } from "~/features/account/schema";
import { RecentSignIn } from "~/features/settings/recent-sign-in";
import { SettingsSection } from "~/features/settings/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import { leaveTeamsLater } from "~/features/teams/leaving.server";
import { leaveTournamentsLater } from "~/features/tournaments/leaving.server";
import { longDate } from "~/platform/dates/dates";
import { answerButton, answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { isRecent, requireRecentSignIn, requireViewer } from "~/platform/session/session.server";
import { Button } from "~/ui/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import "~/shell";

const FAILED = "Error deleting account";
const PAGE = settingsAddress("delete-account");

export const meta: MetaFunction = () => privatePage("Delete Account");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(context, request);
  const { deletionDueAt } = viewer;
  return {
    dueOn: deletionDueAt && longDate(deletionDueAt, await context.clock()),
    isRecent: isRecent(viewer, context.now),
  };
}

export async function action(args: ActionFunctionArgs) {
  const form = await args.request.formData();
  return form.get("intent") === "keep" ? keep(args) : remove(args, form);
}

const remove = (args: ActionFunctionArgs, form: FormData) =>
  answerForm(args, {
    schema: deletionSchema,
    form,
    failed: FAILED,
    limit: "deletion",
    viewer: requireRecentSignIn,
    async run({ value, viewer }) {
      const { context } = args;
      if (value.email !== viewer.email) {
        return { status: 400, field: "email", error: "This is not the e-mail address of your account." };
      }
      const date = await scheduleDeletion(context, viewer, PAGE);
      leaveTeamsLater(context, viewer.id);
      leaveTournamentsLater(context, viewer.id);
      return {
        to: "/auth",
        title: `Your account will be deleted on ${date}`,
        description: "Sign in before then if you want to keep it.",
      };
    },
  });

const keep = (args: ActionFunctionArgs) =>
  answerButton(args, {
    failed: "Error keeping account",
    refusedTo: PAGE,
    limit: "deletion",
    async run({ viewer }) {
      // If this was submitted twice, or in two tabs, the deletion has already been cancelled.
      if (viewer.deletionDueAt && !(await keepAccount(args.context, viewer.id))) {
        return { status: 409, error: "Its time is over." };
      }
      const description = "What was closed or cancelled stays so.";
      return { to: "/dashboard", title: "Your account stays", description };
    },
  });

export const clientAction = offlineAction(FAILED);

export default function DeleteAccount() {
  const { dueOn, isRecent } = useLoaderData<typeof loader>();
  return (
    <SettingsSection title="Delete Account">
      {dueOn ? (
        <>
          <p className="mt-1 text-muted">
            Your account will be deleted on {dueOn}. Until then you can use it as before, and keep it after all.
          </p>
          <KeepAccount variant="primary" className="mt-5" />
        </>
      ) : (
        <>
          <ul className="mt-2 list-disc space-y-1.5 pl-5 text-muted">
            <li>You are signed out on all devices, and your open posts close.</li>
            <li>You leave your teams. Tournaments that nobody else runs are cancelled.</li>
            <li>For seven days you can still sign in and keep the account.</li>
            <li>Then your account, your profile, your posts and your settings are gone for good.</li>
            <li>What you wrote to others stays with them, as from “Unknown User”.</li>
          </ul>
          <p className="mt-3 text-muted">
            You may want to{" "}
            <Link to={settingsAddress("export")} className="text-spot-text underline underline-offset-3">
              download your data
            </Link>{" "}
            first.
          </p>
          {isRecent ? <DeletionForm /> : <RecentSignIn returnTo={PAGE} />}
        </>
      )}
    </SettingsSection>
  );
}

function DeletionForm() {
  const { formProps, props, busy, summary } = useServerForm<{ email: string }>({
    id: "delete-account",
    reply: useActionData<FormReply>(),
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
        hint="Type your e-mail address, so that this doesn't happen by a slip."
      />
      <Button variant="danger-filled" busy={busy} busyLabel="Deleting" className="md:justify-self-start">
        Delete Account
      </Button>
    </Form>
  );
}
