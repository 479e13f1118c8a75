import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { DisputeForm } from "~/features/tournaments/match/dispute-form";
import { matchAddress, requireOption } from "~/features/tournaments/match/match-page.server";
import { takeMatchForm } from "~/features/tournaments/play/run-command.server";
import { disputeSchema } from "~/features/tournaments/play/schema";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { RouteDialog } from "~/ui/dialogs/route-dialog";

export const meta: MetaFunction = () => privatePage("Dispute");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const address = matchAddress(params, context, request);
  const { tournament } = await requireOption(context, request, address, "dispute");
  return { here: address.here, host: tournament.hostName };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const address = matchAddress(params, context, request);
  const submission = parseWithZod(await request.formData(), { schema: disputeSchema });
  return takeMatchForm(
    context,
    request,
    address,
    submission,
    ({ evidence }) => ({ type: "dispute", match: address.matchId, evidence }),
    { title: "Dispute sent", description: "The organisers decide. You hear of it." },
  );
}

/** Offline the dialog stays open, with what was written. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) => orOffline(request, serverAction);

export default function DisputeDialog() {
  const { here, host } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Dispute" closeTo={here}>
      <DisputeForm reply={reply} host={host} closeTo={here} />
    </RouteDialog>
  );
}
