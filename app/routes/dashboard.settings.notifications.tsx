import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { saveMutedKinds } from "~/features/notifications/commands.server";
import { NOTIFICATION_KINDS } from "~/features/notifications/kinds";
import { listMutedKinds } from "~/features/notifications/queries.server";
import { notificationSettingsSchema } from "~/features/notifications/schema";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import { answerForm } from "~/platform/forms/answer-form.server";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaimedUserId, requireViewer } from "~/platform/session/session.server";
import { Button } from "~/ui/button";
import { CheckboxField } from "~/ui/forms/choice-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { useServerForm } from "~/ui/forms/use-server-form";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Notification Settings");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const [, muted] = await Promise.all([requireViewer(context, request), listMutedKinds(context.db, userId)]);
  return {
    kinds: NOTIFICATION_KINDS.map(({ name, setting }) => ({ name, ...setting, isOn: !muted.includes(name) })),
  };
}

export const action = (args: ActionFunctionArgs) =>
  answerForm(args, {
    schema: notificationSettingsSchema,
    failed: "Error saving settings",
    to: settingsAddress("notifications"),
    async run({ value, viewer }) {
      const choice = NOTIFICATION_KINDS.map(({ name }) => ({ kind: name, isOn: value.kinds.includes(name) }));
      await saveMutedKinds(args.context.db, viewer.id, choice);
      return { title: "Settings saved" };
    },
  });

export default function NotificationSettings() {
  const { kinds } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  const { formProps, summary, busy } = useServerForm<{ kinds: string[] }>({
    id: "notification-settings",
    reply,
    labels: { kinds: "Tell me about" },
  });
  // The choices in a refused form.
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
        <p className="text-meta text-muted">Switched-off alerts won't appear in the bell.</p>
        <Button variant="primary" busy={busy} busyLabel="Saving" className="md:justify-self-start">
          Save
        </Button>
      </Form>
    </SettingsSection>
  );
}
