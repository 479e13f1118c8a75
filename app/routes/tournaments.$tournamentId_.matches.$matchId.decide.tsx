import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DecisionForm } from "~/features/tournaments/match/decision-form";
import { matchAddress, requireOption } from "~/features/tournaments/match/match-page.server";
import { sayReport } from "~/features/tournaments/match/present-match.server";
import { answerMatchForm } from "~/features/tournaments/play/actions.server";
import { decisionSchema, writeShown } from "~/features/tournaments/play/schema";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { reloadDialogIfOutdated } from "~/ui/dialogs/dialogs";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Decide");

export const shouldRevalidate = reloadDialogIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const address = matchAddress(params, context, request);
  const match = await requireOption(context, request, address, "decide");
  const { bestOf, advantage, report } = match;
  const [one, two] = match.teams;
  return {
    here: address.here,
    teams: [one?.name ?? "Side 1", two?.name ?? "Side 2"] as [string, string],
    shown: writeShown(match),
    length: { bestOf, advantage },
    maps: report ?? [],
    report: sayReport(match),
  };
}

export function action(args: ActionFunctionArgs) {
  const address = matchAddress(args.params, args.context, args.request);
  return answerMatchForm(args, address, {
    limit: "ruling",
    schema: decisionSchema,
    command: (decision) => ({ type: "rule", match: address.matchId, ...decision }),
    success: { title: "Match decided", description: "We've told both teams." },
  });
}

export { clientAction } from "~/platform/forms/forms";

export default function DecideDialog() {
  const { here, ...form } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title="Decide" closeTo={here}>
      <DecisionForm reply={reply} {...form} closeTo={here} />
    </RouteDialog>
  );
}
