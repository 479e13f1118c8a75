import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { saveMutedKinds } from "~/features/notifications/commands.server";
import { NOTIFICATION_KINDS } from "~/features/notifications/kinds";
import { listMutedKinds } from "~/features/notifications/queries.server";
import { notificationSettingsSchema } from "~/features/notifications/schema";
import { SettingsSection } from "~/features/settings/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import type { FormReply } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import { Button } from "~/ui/button";
import { CheckboxField } from "~/ui/forms/checkbox";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { useServerForm } from "~/ui/forms/use-server-form";

const FAILED = "Error saving settings";

export const meta: MetaFunction = () => privatePage("Notification Settings");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await claimedUserId(context, request);
  const [, muted] = await Promise.all([requireViewer(context, request), listMutedKinds(context.db, userId)]);
  return {
    kinds: NOTIFICATION_KINDS.map(({ name, setting }) => ({ name, ...setting, isOn: !muted.includes(name) })),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseWithZod(await request.formData(), { schema: notificationSettingsSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const viewer = await context.viewer();
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    const { kinds } = submission.value;
    const choice = NOTIFICATION_KINDS.map(({ name }) => ({ kind: name, isOn: kinds.includes(name) }));
    await saveMutedKinds(context.db, viewer.id, choice);
    return redirectWithToast(context, settingsAddress("notifications"), { kind: "success", title: "Settings saved" });
  });
}

export default function NotificationSettings() {
  const { kinds } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  const { formProps, summary, busy } = useServerForm<{ kinds: string[] }>({
    id: "notification-settings",
    reply,
    labels: { kinds: "Tell me about" },
  });
  // What was chosen in a form that could not be taken.
  const kept = reply && [reply.result.initialValue?.kinds ?? []].flat();
  return (
    <SettingsSection title="Notifications">
      <Form method="post" {...formProps} className="mt-4 grid gap-5">
        <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
        <fieldset>
          <legend className="text-meta font-semibold">Tell me about</legend>
          <div className="mt-2 border-t-2 border-edge">
            {kinds.map(({ name, label, sentence, isOn }) => (
              <CheckboxField
                key={name}
                id={`kind-${name}`}
                name="kinds"
                value={name}
                label={label}
                hint={sentence}
                defaultChecked={kept ? kept.includes(name) : isOn}
              />
            ))}
          </div>
        </fieldset>
        <p className="text-meta text-muted">What you switch off no longer comes to the bell. Nothing else changes.</p>
        <Button variant="primary" busy={busy} busyLabel="Saving" className="md:justify-self-start">
          Save
        </Button>
      </Form>
    </SettingsSection>
  );
}
