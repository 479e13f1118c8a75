import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { register } from "~/features/tournaments/registration/register-action.server";
import { RegisterForm, RegisterObstacle } from "~/features/tournaments/registration/register-form";
import { registerAloneSchema, registerSchema } from "~/features/tournaments/registration/schema";
import { useTournament } from "~/features/tournaments/use-tournament";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/session.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import "~/shell";

const FAILED = "Error registering";

export const meta: MetaFunction<typeof loader> = () => privatePage("Register");

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(context, request);
  return { id: uuidv7(context.now.getTime()) };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const form = await request.formData();
  const submission = form.has("alone")
    ? parseWithZod(form, { schema: registerAloneSchema })
    : parseWithZod(form, { schema: registerSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const userId = context.claim?.userId;
    const [viewer, limit] = await Promise.all([
      context.viewer(),
      userId && submission.status === "success" ? countUse(context, "registration", userId) : null,
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const { id, name } = { name: null, ...submission.value };
    const registered = await register(context, { id, name, tournamentId, userId: viewer.id });
    if (!registered) return notFound(context, request);
    if (!registered.ok) return refuseForm(context, submission, FAILED, registered);
    const home = `/tournaments/${tournamentId}`;
    return redirectWithToast(context, name === null ? home : `${home}/teams/${registered.teamId}`, {
      kind: "success",
      title: registered.isWaiting ? "You are on the waiting list" : "You are registered!",
      description: registered.isWaiting
        ? "You hear from us when a place is free."
        : name === null
          ? "You hear from us when check-in opens."
          : "Now bring your players: by the link, or by name.",
    });
  });
}

/** Offline the dialog stays open, with what was entered. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function RegisterDialog() {
  const { id } = useLoaderData<typeof loader>();
  const { tournament } = useTournament();
  const reply = useActionData<FormReply>();
  const closeTo = `/tournaments/${tournament.id}`;
  return (
    <RouteDialog title="Register" closeTo={closeTo}>
      <RegisterObstacle reply={reply} closeTo={closeTo}>
        <RegisterForm reply={reply} id={id} closeTo={closeTo} />
      </RegisterObstacle>
    </RouteDialog>
  );
}
