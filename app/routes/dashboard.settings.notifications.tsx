import type {
  ActionFunctionArgs,
  LinksFunction,
  LoaderFunctionArgs,
  MetaFunction,
  SerializeFrom,
} from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { Fragment } from "react";
import type { LockScreen } from "#db/words/lock-screens";
import { CHANNELS, NEWS_GROUPS, type NewsGroup } from "#db/words/news-groups";
import { saveNotificationSettings } from "~/features/notifications/commands.server";
import { NOTIFICATION_KINDS } from "~/features/notifications/kinds";
import { unsubscribe } from "~/features/notifications/push/commands.server";
import { PushFields, PushSwitch } from "~/features/notifications/push/push-settings";
import { findPushSettings } from "~/features/notifications/push/queries.server";
import { findSwitches, listMutedKinds } from "~/features/notifications/queries.server";
import { notificationSettingsSchema } from "~/features/notifications/schema";
import { tellInboxes } from "~/features/notifications/shared/unread.server";
import { SoundSwitch } from "~/features/notifications/sound/sound-switch";
import { SwitchTable } from "~/features/notifications/switch-table";
import { completeSwitches, GROUP_WORDS, groupOf } from "~/features/notifications/switches";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import { timeOf } from "~/platform/dates/dates";
import { answerButton, answerForm } from "~/platform/forms/answer-form.server";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import styles from "~/styles/notification-settings.css";
import { Button } from "~/ui/button";
import { CheckboxField } from "~/ui/forms/choice-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { useReply } from "~/ui/forms/use-reply";
import { useServerForm } from "~/ui/forms/use-server-form";
import { ChevronIcon } from "~/ui/icons";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Notification Settings");

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const { db, env, claim } = context;
  const publicKey = env.VAPID_PUBLIC_KEY;
  const [viewer, muted, switches, push, clock] = await Promise.all([
    requireViewer(context, request),
    listMutedKinds(db, userId),
    findSwitches(db, userId),
    claim && publicKey ? findPushSettings(db, claim) : null,
    context.clock(),
  ]);
  const hour = (one: number) => timeOf(Date.UTC(2000, 0, 1, one), { ...clock, timeZone: "UTC" });
  return {
    kinds: NOTIFICATION_KINDS.flatMap(({ name, setting }) =>
      setting ? [{ name, ...setting, group: groupOf(name), isOn: !muted.includes(name) }] : [],
    ),
    switches,
    channels: CHANNELS.filter((channel) => channel !== "push" || publicKey),
    canEmail: viewer.emailConfirmed,
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
    async run({ value: { lockScreen, quietFrom, quietUntil, channels, listed, ...value }, viewer }) {
      const kinds = NOTIFICATION_KINDS.filter(
        ({ name, setting }) => setting && (listed.length === 0 || listed.includes(name)),
      ).map(({ name }) => ({ kind: name, isOn: value.kinds.includes(name) }));
      const hasQuiet = quietFrom !== undefined && quietUntil !== undefined;
      const quiet: [number, number] | null = hasQuiet ? [quietFrom, quietUntil] : null;
      const switches = channels.flatMap((channel) =>
        NEWS_GROUPS.map((newsGroup) => ({ newsGroup, channel, isOn: value[channel].includes(newsGroup) })),
      );
      const push = lockScreen && { push: { lockScreen, quiet } };
      const hasPush = await saveNotificationSettings(args.context, viewer.id, { kinds, switches, ...push });
      if (hasPush) tellInboxes(args.context, [{ userId: viewer.id, hasPush: 1 }]);
      return { title: "Settings saved" };
    },
  });
}

export default function NotificationSettings() {
  const { kinds, switches, channels, canEmail, push } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const [quietFrom, quietUntil] = push?.quiet ?? [];
  const { formProps, props, summary, busy } = useServerForm<{
    kinds: string[];
    quietFrom: number | undefined;
    quietUntil: number | undefined;
  }>({
    id: "notification-settings",
    reply,
    defaultValue: { quietFrom, quietUntil },
    labels: { quietFrom: "From", quietUntil: "Until", kinds: "Tell me about" },
  });
  /** Returns the choices of a field in a refused form. */
  const kept = (field: string) => reply && [reply.result.initialValue?.[field] ?? []].flat();
  const keptKinds = kept("kinds");
  const shownSwitches = reply
    ? completeSwitches(
        channels.flatMap((channel) =>
          NEWS_GROUPS.map((newsGroup) => ({ newsGroup, channel, isOn: kept(channel)?.includes(newsGroup) ?? false })),
        ),
      )
    : switches;
  return (
    <SettingsSection title="Notifications">
      {push && <PushSwitch publicKey={push.publicKey} isOn={push.isOn} />}
      <SoundSwitch />
      <Form method="post" {...formProps} className="mt-7 grid grid-cols-[minmax(0,1fr)] gap-7">
        <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
        <SwitchTable switches={shownSwitches} channels={channels} canEmail={canEmail} />
        {push && (
          <PushFields
            {...push}
            lockScreen={(kept("lockScreen")?.[0] as LockScreen | undefined) ?? push.lockScreen}
            fieldProps={props}
          />
        )}
        <details open={kinds.some(({ isOn }) => !isOn)} className="group">
          <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold">
            <ChevronIcon className="size-4 group-open:rotate-180" />
            Choose kind by kind
          </summary>
          <p className="text-meta text-muted">Switched-off alerts won't appear in the bell.</p>
          <fieldset className="mt-3">
            <legend className="text-meta font-semibold">Tell me about</legend>
            {NEWS_GROUPS.map((group) => (
              <KindList key={group} group={group} kinds={kinds} kept={keptKinds} />
            ))}
          </fieldset>
        </details>
        <Button variant="primary" busy={busy} busyLabel="Saving" className="md:justify-self-start">
          Save
        </Button>
      </Form>
    </SettingsSection>
  );
}

type ShownKind = SerializeFrom<typeof loader>["kinds"][number];

/** The kinds of one group. @param props.kept the kinds that a refused form had ticked */
function KindList({
  group,
  kinds,
  kept,
}: {
  group: NewsGroup;
  kinds: readonly ShownKind[];
  kept: readonly unknown[] | undefined;
}) {
  return (
    <section aria-labelledby={`kinds-${group}`} className="mt-5">
      <h3 id={`kinds-${group}`} className="text-meta text-muted">
        {GROUP_WORDS[group].name}
      </h3>
      <div className="mt-2 border-t-2 border-edge">
        {kinds
          .filter((kind) => kind.group === group)
          .map(({ name, label, sentence, isOn }) => (
            <Fragment key={name}>
              {/* The form lists its kinds, because unticked boxes send nothing. */}
              <input type="hidden" name="listed" value={name} />
              <CheckboxField
                id={`kind-${name}`}
                name="kinds"
                value={name}
                label={label}
                hint={sentence}
                defaultChecked={kept ? kept.includes(name) : isOn}
              />
            </Fragment>
          ))}
      </div>
    </section>
  );
}
