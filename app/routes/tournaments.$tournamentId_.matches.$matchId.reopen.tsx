import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { listDependents } from "~/features/tournaments/match/dependents.server";
import { matchAddress, requireOption } from "~/features/tournaments/match/match-page.server";
import { answerMatchForm } from "~/features/tournaments/play/actions.server";
import { reopenSchema } from "~/features/tournaments/play/schema";
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
  const [match, hanging] = await Promise.all([
    requireOption(context, request, address, "reopen"),
    listDependents(context.db, address.tournamentId, address.matchId),
  ]);
  return { here: address.here, name: match.name, hanging };
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
  const { here, name, hanging } = useLoaderData<typeof loader>();
  useReplyToast(useReply<ToastReply>());
  const busy = useNavigation().formMethod === "POST";
  return (
    <RouteDialog title="Reopen Match" closeTo={here} isQuestion>
      <p>
        The result of {nameInSentence(name)} is undone. Its teams check in and play again.{" "}
        {hanging.length === 0 && "No later match depends on it."}
      </p>
      {hanging.length > 0 && (
        <>
          <p className="mt-4 font-semibold">
            {hanging.length === 1
              ? "1 later match is undone, too:"
              : `${hanging.length} later matches are undone, too:`}
          </p>
          <ul className="mt-1.5 max-h-60 list-disc overflow-y-auto pl-5 wrap-anywhere">
            {hanging.map((match) => (
              <li key={match.id}>
                {match.name}
                {match.result === null ? ", without a result yet" : `: its result is undone (${match.result})`}
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogForm className="mt-5">
        <input type="hidden" name="expects" value={hanging.map(({ id }) => id).join()} />
        <DialogFooter closeTo={here}>
          <Button variant="danger-filled" busy={busy} busyLabel="Reopening">
            Reopen Match
          </Button>
        </DialogFooter>
      </DialogForm>
    </RouteDialog>
  );
}
