import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { validate as isUuid } from "uuid";
import { uuidv7 } from "#db/ids";
import { createTournament } from "~/features/tournaments/hosting/commands.server";
import { copyValues, newFormValues } from "~/features/tournaments/hosting/form-values.server";
import { HostForm } from "~/features/tournaments/hosting/host-form";
import { newTournamentSchema } from "~/features/tournaments/hosting/schema";
import { findTournament } from "~/features/tournaments/queries.server";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import "~/shell";

const LIST = "/dashboard/tournaments";
/** The specification's words, section 8. */
const FAILED = "Failed to create tournament. Please try again.";
const FAILED_TITLE = "Error";

export const meta: MetaFunction = () => privatePage("Host Tournament");

/** The form; `?copy=` names a tournament that fills it in. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now } = context;
  const userId = await claimedUserId(context, request);
  const copied = new URL(request.url).searchParams.get("copy") ?? "";
  const [, old, { fieldZone }] = await Promise.all([
    requireViewer(context, request),
    isUuid(copied) ? findTournament(db, copied.toLowerCase(), userId) : undefined,
    context.clock(),
  ]);
  const id = uuidv7(now.getTime());
  return { values: old ? copyValues(old, id, fieldZone) : newFormValues(id, fieldZone), copied: old?.title ?? null };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const submission = parseWithZod(await request.formData(), { schema: newTournamentSchema(context.now) });
  return orDatabaseAway(
    context,
    submission,
    FAILED_TITLE,
    async () => {
      const userId = context.claim?.userId;
      const [viewer, limit] = await Promise.all([
        context.viewer(),
        userId && submission.status === "success" ? countUse(context, "tournament", userId) : null,
      ]);
      if (!viewer) return refuseForm(context, submission, FAILED_TITLE, SIGNED_OUT);
      if (submission.status !== "success") return refuseForm(context, submission, FAILED_TITLE);
      if (limit && !limit.allowed) return refuseForm(context, submission, FAILED_TITLE, tooManyTries(limit.retryAfter));
      const outcome = await createTournament(context.db, submission.value, viewer.id, context.now);
      if (outcome === "used") {
        const error = "This form was used already. Open it again to host another tournament.";
        return refuseForm(context, submission, FAILED_TITLE, { status: 409, error });
      }
      return redirectWithToast(context, LIST, {
        kind: "success",
        title: "Tournament created!",
        description: "Your tournament has been posted successfully.",
      });
    },
    FAILED,
  );
}

/** Offline the form stays, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, "Error", FAILED);

export default function HostTournament() {
  const { values, copied } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Host Tournament" closeTo={LIST}>
      <HostForm reply={reply} values={values} scope="everything" submit="Create Tournament" closeTo={LIST}>
        {copied && <p className="wrap-anywhere text-muted">As “{copied}” was. Only the dates are missing.</p>}
      </HostForm>
    </RouteDialog>
  );
}
