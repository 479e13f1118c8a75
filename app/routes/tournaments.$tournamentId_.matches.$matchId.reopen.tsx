import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { matchAddress, requireOption } from "~/features/tournaments/match/match-page.server";
import { listUndone } from "~/features/tournaments/match/undone.server";
import { answerMatchForm } from "~/features/tournaments/play/actions.server";
import { reopenSchema } from "~/features/tournaments/play/schema";
import { writeResults } from "~/features/tournaments/play/state";
import { nameInSentence } from "~/features/tournaments/shared/match-names";
import type { ToastReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { reloadDialogIfOutdated } from "~/ui/dialogs/dialogs";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Reopen Match");

export const shouldRevalidate = reloadDialogIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const address = matchAddress(params, context, request);
  const [match, [own, ...later]] = await Promise.all([
    requireOption(context, request, address, "reopen"),
    listUndone(context.db, address.tournamentId, address.matchId),
  ]);
  return {
    here: address.here,
    name: match.name,
    result: own?.result ?? null,
    later,
    expects: writeResults(own ? [own, ...later] : []),
  };
}

export function action(args: ActionFunctionArgs) {
  const address = matchAddress(args.params, args.context, args.request);
  return answerMatchForm(args, address, {
    limit: "ruling",
    schema: reopenSchema,
    command: ({ expects }) => ({ type: "reopen", match: address.matchId, expects }),
    success: { title: "Match reopened", description: "Its teams will play it again." },
  });
}

export default function ReopenDialog() {
  const { here, name, result, later, expects } = useLoaderData<typeof loader>();
  useReplyToast(useReply<ToastReply>());
  const busy = useNavigation().formMethod === "POST";
  return (
    <RouteDialog title="Reopen Match" closeTo={here} isQuestion>
      <p className="wrap-anywhere">
        The result of {nameInSentence(name)}
        {result && ` (${result})`} is undone. Its teams check in and play again.{" "}
        {later.length === 0 && "No later match depends on it."}
      </p>
      {later.length > 0 && (
        <>
          <p className="mt-4 font-semibold">
            {later.length === 1 ? "1 later match is undone, too:" : `${later.length} later matches are undone, too:`}
          </p>
          <ul className="mt-1.5 max-h-60 list-disc overflow-y-auto pl-5 wrap-anywhere">
            {later.map((match) => (
              <li key={match.id}>
                {match.name}
                {match.result === null ? ", without a result yet" : `: its result is undone (${match.result})`}
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogForm className="mt-5">
        <input type="hidden" name="expects" value={expects} />
        <DialogFooter closeTo={here}>
          <Button variant="danger-filled" busy={busy} busyLabel="Reopening">
            Reopen Match
          </Button>
        </DialogFooter>
      </DialogForm>
    </RouteDialog>
  );
}
