import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { limitedBy, readLimit } from "~/features/moderation/shared/limits.server";
import { DisputeForm } from "~/features/tournaments/match/dispute-form";
import { matchAddress, opponentOf, requireOption } from "~/features/tournaments/match/match-page.server";
import { sayReport } from "~/features/tournaments/match/present-match.server";
import { answerMatchForm } from "~/features/tournaments/play/actions.server";
import { disputeSchema, writeShown } from "~/features/tournaments/play/schema";
import { exactMoment } from "~/platform/dates/dates";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { reloadDialogIfOutdated } from "~/ui/dialogs/dialogs";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Dispute");

export const shouldRevalidate = reloadDialogIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const address = matchAddress(params, context, request);
  const { db, claim, now } = context;
  const [match, limits, clock] = await Promise.all([
    requireOption(context, request, address, "dispute"),
    claim ? readLimit(db, claim.userId, "messaging", now.getTime()) : [],
    context.clock(),
  ]);
  const limited = limitedBy(limits);
  return {
    here: address.here,
    host: match.tournament.hostName,
    other: opponentOf(match),
    shown: writeShown(match),
    report: sayReport(match),
    limitedUntil: limited ? exactMoment(limited.until, clock) : null,
  };
}

export function action(args: ActionFunctionArgs) {
  const address = matchAddress(args.params, args.context, args.request);
  return answerMatchForm(args, address, {
    limit: "match",
    schema: disputeSchema,
    command: (dispute) => ({ type: "dispute", match: address.matchId, ...dispute }),
    message: {
      field: "evidence",
      missing: "Say what happened.",
      without: "Leave the evidence empty: your dispute counts all the same.",
    },
    success: { title: "Dispute sent", description: "The organisers will decide. We'll let you know." },
  });
}

export { clientAction } from "~/platform/forms/forms";

export default function DisputeDialog() {
  const { here, ...form } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title="Dispute" closeTo={here}>
      <DisputeForm reply={reply} {...form} closeTo={here} />
    </RouteDialog>
  );
}
