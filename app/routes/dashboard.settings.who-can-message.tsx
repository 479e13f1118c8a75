import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { CONTACT_POLICIES } from "#db/words/contact-policies";
import { CONTACT_POLICY_WORDS } from "~/features/messages/rules";
import { contactPolicySchema } from "~/features/messages/schema";
import { findContactPolicy, saveContactPolicy } from "~/features/messages/shared/contact-policy.server";
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

export const meta: MetaFunction = () => privatePage("Who Can Message Me");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const [, policy] = await Promise.all([requireViewer(context, request), findContactPolicy(context.db, userId)]);
  return { policy };
}

export const action = (args: ActionFunctionArgs) =>
  answerForm(args, {
    schema: contactPolicySchema,
    failed: "Error saving settings",
    to: settingsAddress("who-can-message"),
    async run({ value, viewer }) {
      await saveContactPolicy(args.context.db, viewer.id, value.policy);
      return { title: "Settings saved" };
    },
  });

export default function WhoCanMessageSettings() {
  const { policy } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const { formProps, fields, props, summary, busy } = useServerForm<{ policy: string }>({
    id: "who-can-message",
    reply,
    labels: { policy: "Who can send me a first message" },
  });
  const { id, errors } = props("policy");
  const chosen = fields.policy.initialValue ?? policy;
  return (
    <SettingsSection title="Who Can Message Me">
      <Form method="post" {...formProps} className="mt-4 grid gap-5">
        <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
        <fieldset id={id} aria-describedby={errors.length > 0 ? `${id}-error` : undefined}>
          <legend className="text-meta font-semibold">Who can send me a first message</legend>
          <div className="mt-2 border-t-2 border-edge">
            {CONTACT_POLICIES.map((one) => (
              <RadioField
                key={one}
                id={`${id}-${one}`}
                name="policy"
                value={one}
                {...CONTACT_POLICY_WORDS[one]}
                defaultChecked={chosen === one}
                required
              />
            ))}
          </div>
          <FieldError id={id} errors={errors} />
        </fieldset>
        <p className="text-meta text-muted">
          Conversations you've written in stay open, and so do your team and match chats. Anyone can still request to
          join your posts.
        </p>
        <Button variant="primary" busy={busy} busyLabel="Saving" className="md:justify-self-start">
          Save
        </Button>
      </Form>
    </SettingsSection>
  );
}
