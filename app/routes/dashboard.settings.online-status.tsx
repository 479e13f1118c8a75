import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { PRESENCE_POLICIES } from "#db/words/presence-policies";
import { PRESENCE_POLICY_WORDS } from "~/features/players/presence-policy";
import { presencePolicySchema } from "~/features/players/schema";
import { choosePresencePolicy, findPresencePolicy } from "~/features/players/shared/presence-policy.server";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import { answerForm } from "~/platform/forms/answer-form.server";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { Button } from "~/ui/button";
import { RadioField } from "~/ui/forms/choice-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FieldError } from "~/ui/forms/field";
import { useReply } from "~/ui/forms/use-reply";
import { useServerForm } from "~/ui/forms/use-server-form";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Online Status");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const [, policy] = await Promise.all([requireViewer(context, request), findPresencePolicy(context.db, userId)]);
  return { policy };
}

export const action = (args: ActionFunctionArgs) =>
  answerForm(args, {
    schema: presencePolicySchema,
    failed: "Error saving settings",
    to: settingsAddress("online-status"),
    async run({ value, viewer }) {
      await choosePresencePolicy(args.context, viewer.id, value.policy);
      return { title: "Settings saved" };
    },
  });

export default function OnlineStatusSettings() {
  const { policy } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const { formProps, fields, props, summary, busy } = useServerForm<{ policy: string }>({
    id: "online-status",
    reply,
    labels: { policy: "Who can see when I'm online" },
  });
  const { id, errors } = props("policy");
  const chosen = fields.policy.initialValue ?? policy;
  return (
    <SettingsSection title="Online Status">
      <Form method="post" {...formProps} className="mt-4 grid gap-5">
        <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
        <fieldset id={id} aria-describedby={errors.length > 0 ? `${id}-error` : undefined}>
          <legend className="text-meta font-semibold">Who can see when I'm online</legend>
          <div className="mt-2 border-t-2 border-edge">
            {PRESENCE_POLICIES.map((one) => (
              <RadioField
                key={one}
                id={`${id}-${one}`}
                name="policy"
                value={one}
                {...PRESENCE_POLICY_WORDS[one]}
                defaultChecked={chosen === one}
                required
              />
            ))}
          </div>
          <FieldError id={id} errors={errors} />
        </fieldset>
        <p className="text-meta text-muted">Players you've blocked, or who've blocked you, never see it.</p>
        <Button variant="primary" busy={busy} busyLabel="Saving" className="md:justify-self-start">
          Save
        </Button>
      </Form>
    </SettingsSection>
  );
}
