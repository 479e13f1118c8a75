import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import { changeFeed, findOwnFeed } from "~/features/tournaments/calendar/feed.server";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { Button } from "~/ui/button";
import { CopyButton } from "~/ui/copy-button";
import { reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { TextField } from "~/ui/forms/field";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Calendar");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const [, [feed]] = await Promise.all([requireViewer(context, request), findOwnFeed(context.db, userId)]);
  const token = feed?.token ?? null;
  return { token, address: token && `${context.origin}/calendar/${token}.ics` };
}

/** After a refusal, the page loads again and shows the current link, if there still is one. */
export const shouldRevalidate = reloadIfOutdated;

/**
 * Creates the feed's address, or replaces (`renew`) or removes (`end`) the one that the page has `shown`. A link that
 * was created elsewhere since is kept.
 */
export async function action(args: ActionFunctionArgs) {
  const { context, request } = args;
  const form = await request.formData();
  const intent = form.get("intent");
  if (intent !== "renew" && intent !== "end") notFound(context, request);
  const shown = form.get("shown");
  return answerButton(args, {
    limit: "tournamentChange",
    to: settingsAddress("calendar"),
    async run({ viewer }) {
      const isDone = await changeFeed(context, viewer.id, shown === null ? null : String(shown), intent);
      if (!isDone) return { status: 409, error: "Your link has changed since you opened this page. Check it first." };
      return { title: intent === "renew" ? "Calendar link created" : "Calendar link removed" };
    },
  });
}

export default function CalendarSettings() {
  const { token, address } = useLoaderData<typeof loader>();
  useReplyToast(useReply<ToastReply>());
  const pressed = useNavigation().formData?.get("intent");
  return (
    <SettingsSection title="Calendar">
      <p className="mt-1 text-muted">
        Your own calendar can show the tournaments you play in or run. Add this link to your calendar app, and it stays
        up to date by itself.
      </p>
      {address && (
        <TextField
          id="calendar-address"
          name="address"
          label="Calendar Link"
          defaultValue={address}
          key={address}
          readOnly
          hint="Anyone with the link can see these tournaments. A new link replaces this one."
          className="mt-5"
        />
      )}
      <Form method="post" className="mt-5 flex flex-wrap gap-2">
        <input type="hidden" name="shown" value={token ?? ""} />
        {address && <CopyButton text={address} />}
        <Button
          name="intent"
          value="renew"
          variant={address ? "secondary" : "primary"}
          busy={pressed === "renew"}
          busyLabel="Creating"
        >
          {address ? "Create New Link" : "Create Calendar Link"}
        </Button>
        {address && (
          <Button name="intent" value="end" variant="danger" busy={pressed === "end"} busyLabel="Removing">
            Remove Link
          </Button>
        )}
      </Form>
    </SettingsSection>
  );
}
