import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { saveEdit } from "~/features/tournaments/hosting/edit.server";
import { formValues } from "~/features/tournaments/hosting/form-values.server";
import { HostForm } from "~/features/tournaments/hosting/host-form";
import { schemaOf } from "~/features/tournaments/hosting/schema";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { findTournament } from "~/features/tournaments/queries.server";
import { editScope } from "~/features/tournaments/rules";
import { tellTournament } from "~/features/tournaments/tell-tournament.server";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import "~/shell";

const FAILED = "Error saving tournament";
const OVER = "This tournament is over, so it can't be changed.";

/** What the form says of what it leaves out. */
const LEFT = {
  everything: null,
  harmless:
    "Teams have registered, so what they signed up for stays. You can still explain, offer more places or a larger prize, and register longer.",
  words: "The tournament has begun, so only its description and its rules can change.",
} as const;

export const meta: MetaFunction = () => privatePage("Edit Tournament");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const userId = await claimedUserId(context, request);
  const [, tournament] = await Promise.all([requireViewer(context, request), findTournament(context.db, id, userId)]);
  if (!tournament?.viewer.isOrganiser) notFound(context, request);
  const scope = editScope(tournament);
  // As the answer to a form the dialog stays, and says that it came too late.
  if (scope === "nothing" && !context.submitted) throw redirect(`/tournaments/${id}`);
  return { id, scope: scope === "nothing" ? ("words" as const) : scope, values: formValues(tournament) };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const form = await request.formData();
  const asSent = parseWithZod(form, { schema: schemaOf("words", null, context.now) });
  return orDatabaseAway(context, asSent, FAILED, async () => {
    const userId = context.claim?.userId;
    const [viewer, tournament, limit] = await Promise.all([
      context.viewer(),
      findTournament(context.db, id, userId),
      userId ? countUse(context, "tournamentChange", userId) : null,
    ]);
    if (!viewer) return refuseForm(context, asSent, FAILED, SIGNED_OUT);
    if (!tournament?.viewer.isOrganiser) return notFound(context, request);
    const scope = editScope(tournament);
    if (scope === "nothing") return refuseForm(context, asSent, FAILED, { status: 409, error: OVER });
    // What may be said depends on who has registered.
    const submission = parseWithZod(form, { schema: schemaOf(scope, tournament, context.now) });
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const deed = { tournamentId: id, userId: viewer.id, now: context.now };
    const told = await saveEdit(context.db, tournament, scope, submission.value, deed);
    if (!told) {
      const error =
        "Something has changed meanwhile: a team registered, or the tournament began. Look again, then save.";
      return refuseForm(context, submission, FAILED, { status: 409, error });
    }
    tellTournament(context, id);
    tellUnread(context, ...told);
    return redirectWithToast(context, `/tournaments/${id}`, { kind: "success", title: "Tournament saved" });
  });
}

/** Offline the form stays, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function EditTournament() {
  const { id, scope, values } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  const close = `/tournaments/${id}`;
  return (
    <RouteDialog title="Edit Tournament" closeTo={close}>
      <HostForm reply={reply} values={values} scope={scope} submit="Save Tournament" closeTo={close}>
        {LEFT[scope] && <p className="text-muted">{LEFT[scope]}</p>}
      </HostForm>
    </RouteDialog>
  );
}
