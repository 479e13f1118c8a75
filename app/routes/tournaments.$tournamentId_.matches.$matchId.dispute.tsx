import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { DisputeForm } from "~/features/tournaments/match/dispute-form";
import { matchAddress, requireOption } from "~/features/tournaments/match/match-page.server";
import { answerMatchForm } from "~/features/tournaments/play/actions.server";
import { disputeSchema } from "~/features/tournaments/play/schema";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Dispute");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const address = matchAddress(params, context, request);
  const { tournament } = await requireOption(context, request, address, "dispute");
  return { here: address.here, host: tournament.hostName };
}

export function action(args: ActionFunctionArgs) {
  const address = matchAddress(args.params, args.context, args.request);
  return answerMatchForm(args, address, {
    limit: "match",
    schema: disputeSchema,
    command: ({ evidence }) => ({ type: "dispute", match: address.matchId, evidence }),
    isMessage: true,
    success: { title: "Dispute sent", description: "The organisers will decide. We'll let you know." },
  });
}

export { clientAction } from "~/platform/forms/forms";

export default function DisputeDialog() {
  const { here, host } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Dispute" closeTo={here}>
      <DisputeForm reply={reply} host={host} closeTo={here} />
    </RouteDialog>
  );
}
