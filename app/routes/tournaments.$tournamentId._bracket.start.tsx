import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { loadPlay } from "~/features/tournaments/play/load.server";
import { refusalOf } from "~/features/tournaments/play/refusals";
import { startSchema } from "~/features/tournaments/play/schema";
import { prepareCommand, sendCommand } from "~/features/tournaments/play/send.server";
import { presentStart } from "~/features/tournaments/seeding/present.server";
import { StartForm } from "~/features/tournaments/seeding/start-form";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import type { FormFailure } from "~/platform/forms/forms.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/guards.server";
import { reloadDialogIfOutdated } from "~/ui/dialogs/dialogs";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Start Tournament");

export const shouldRevalidate = reloadDialogIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const [viewer, state] = await Promise.all([requireViewer(context, request), loadPlay(context.db, id)]);
  if (!state?.organisers.includes(viewer.id)) notFound(context, request);
  if (state.state !== "open" && !context.submitted) {
    const { error } = refusalOf("not-open") as FormFailure;
    throw redirectWithToast(context, `/tournaments/${id}`, { kind: "error", title: "Error", description: error });
  }
  return { id, ...presentStart(state, context.now.getTime()) };
}

export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = tournamentIdOf(params, context, request);
  const form = startSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!form.success) notFound(context, request);
  return answerButton(args, {
    limit: "seeding",
    to: `/tournaments/${id}`,
    alongside: () => prepareCommand(context, id),
    async run({ viewer }) {
      const outcome = await sendCommand(context, id, viewer.id, { type: "start", ...form.data });
      if (outcome.outcome === "done") {
        const description = "The bracket is drawn, and we've told the first teams.";
        return { title: "The tournament has started", description };
      }
      const { reason } = outcome;
      return (reason !== "not-organiser" && reason !== "limited" && refusalOf(reason)) || "missing";
    },
  });
}

export default function StartTournament() {
  const { id, ...view } = useLoaderData<typeof loader>();
  useReplyToast(useReply<ToastReply>());
  return (
    <RouteDialog title="Start Tournament" closeTo={`/tournaments/${id}`} isQuestion>
      <StartForm id={id} view={view} />
    </RouteDialog>
  );
}
