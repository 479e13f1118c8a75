import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useTournament } from "~/features/tournaments/page/use-tournament";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { seek } from "~/features/tournaments/registration/actions.server";
import { seekSchema } from "~/features/tournaments/registration/schema";
import { findOwnSearch } from "~/features/tournaments/registration/seekers/queries.server";
import { SeekForm } from "~/features/tournaments/registration/seekers/seek-form";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const FAILED = "Error saving";

export const meta: MetaFunction<typeof loader> = () => privatePage("Look for a Team");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const userId = await requireClaimedUserId(context, request);
  const [, own] = await Promise.all([requireViewer(context, request), findOwnSearch(context.db, tournamentId, userId)]);
  return { own: own ?? null };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const tournamentId = tournamentIdOf(params, context, request);
  return answerForm(args, {
    schema: seekSchema,
    failed: FAILED,
    limit: "registration",
    run: ({ value, viewer }) => seek(context, { ...value, tournamentId, userId: viewer.id }),
  });
}

export const clientAction = offlineAction(FAILED);

export default function SeekDialog() {
  const { own } = useLoaderData<typeof loader>();
  const { tournament } = useTournament();
  const closeTo = `/tournaments/${tournament.id}`;
  return (
    <RouteDialog title="Look for a Team" closeTo={closeTo}>
      <SeekForm reply={useReply<FormReply>()} own={own} closeTo={closeTo} />
    </RouteDialog>
  );
}
