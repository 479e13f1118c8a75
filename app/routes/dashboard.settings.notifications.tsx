import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { saveNotificationSettings } from "~/features/notifications/commands.server";
import { NOTIFICATION_KINDS } from "~/features/notifications/kinds";
import { unsubscribe } from "~/features/notifications/push/commands.server";
import { PushFields, PushSwitch } from "~/features/notifications/push/push-settings";
import { findPushSettings } from "~/features/notifications/push/queries.server";
import { listMutedKinds } from "~/features/notifications/queries.server";
import { notificationSettingsSchema } from "~/features/notifications/schema";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import { timeOf } from "~/platform/dates/dates";
import { answerButton, answerForm } from "~/platform/forms/answer-form.server";
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
  const { db, env, claim } = context;
  const publicKey = env.VAPID_PUBLIC_KEY;
  const [, muted, push, clock] = await Promise.all([
    requireViewer(context, request),
    listMutedKinds(db, userId),
    claim && publicKey ? findPushSettings(db, claim) : null,
    context.clock(),
  ]);
  const hour = (one: number) => timeOf(Date.UTC(2000, 0, 1, one), { ...clock, timeZone: "UTC" });
  return {
    kinds: NOTIFICATION_KINDS.map(({ name, setting }) => ({ name, ...setting, isOn: !muted.includes(name) })),
    push:
      push && publicKey ? { ...push, publicKey, hourWords: Array.from({ length: 24 }, (_, one) => hour(one)) } : null,
  };
}

export async function action(args: ActionFunctionArgs) {
  const { db, claim } = args.context;
  const form = await args.request.formData();
  if (form.get("intent") === "push-off") {
    return answerButton(args, {
      limit: "push",
      to: settingsAddress("notifications"),
      async run() {
        if (claim) await unsubscribe(db, claim);
        return { title: "Push is off in this browser" };
      },
    });
  }
  return answerForm(args, {
    schema: notificationSettingsSchema,
    form,
    failed: "Error saving settings",
    to: settingsAddress("notifications"),
    async run({ value: { lockScreen, quietFrom, quietUntil, ...value }, viewer }) {
      const kinds = NOTIFICATION_KINDS.map(({ name }) => ({ kind: name, isOn: value.kinds.includes(name) }));
      const hasQuiet = quietFrom !== undefined && quietUntil !== undefined && quietFrom !== quietUntil;
      const quiet: [number, number] | null = hasQuiet ? [quietFrom, quietUntil] : null;
      await saveNotificationSettings(db, viewer.id, { kinds, ...(lockScreen && { push: { lockScreen, quiet } }) });
      return { title: "Settings saved" };
    },
  });
}

export default function NotificationSettings() {
  const { kinds, push } = useLoaderData<typeof loader>();
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
      {push && <PushSwitch publicKey={push.publicKey} isOn={push.isOn} />}
      <Form method="post" {...formProps} className="mt-7 grid gap-7">
        <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
        {push && <PushFields {...push} />}
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
