import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { DecisionForm } from "~/features/tournaments/match/decision-form";
import { matchAddress, requireOption } from "~/features/tournaments/match/match-page.server";
import { takeMatchForm } from "~/features/tournaments/play/run-command.server";
import { decisionSchema } from "~/features/tournaments/play/schema";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { RouteDialog } from "~/ui/dialogs/route-dialog";

export const meta: MetaFunction = () => privatePage("Decide");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const address = matchAddress(params, context, request);
  const { teams, bestOf, report } = await requireOption(context, request, address, "decide");
  const [one, two] = teams;
  return {
    here: address.here,
    teams: [one?.name ?? "Side 1", two?.name ?? "Side 2"] as [string, string],
    bestOf,
    maps: report ?? [],
  };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const address = matchAddress(params, context, request);
  const submission = parseWithZod(await request.formData(), { schema: decisionSchema });
  return takeMatchForm(
    context,
    request,
    address,
    submission,
    (decision) => ({ type: "rule", match: address.matchId, ...decision }),
    { title: "Match decided", description: "Both teams are told." },
  );
}

/** Offline the dialog stays open, with what was entered. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) => orOffline(request, serverAction);

export default function DecideDialog() {
  const { here, ...form } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Decide" closeTo={here}>
      <DecisionForm reply={reply} {...form} closeTo={here} />
    </RouteDialog>
  );
}
