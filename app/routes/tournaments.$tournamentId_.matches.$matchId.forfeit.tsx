import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { matchAddress, opponentOf, requireOption } from "~/features/tournaments/match/match-page.server";
import { answerMatchButton } from "~/features/tournaments/play/actions.server";
import { forfeitSchema, writeShown } from "~/features/tournaments/play/schema";
import { nameInSentence } from "~/features/tournaments/shared/match-names";
import type { ToastReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { reloadDialogIfOutdated } from "~/ui/dialogs/dialogs";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Forfeit");

export const shouldRevalidate = reloadDialogIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const address = matchAddress(params, context, request);
  const match = await requireOption(context, request, address, "forfeit");
  return {
    here: address.here,
    name: match.name,
    other: opponentOf(match),
    shown: writeShown(match),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const address = matchAddress(params, context, request);
  const form = forfeitSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!form.success) notFound(context, request);
  const command = { type: "forfeit", match: address.matchId, ...form.data } as const;
  return answerMatchButton(args, address, command, { title: "Match forfeited" });
}

export default function ForfeitDialog() {
  const { here, name, other, shown } = useLoaderData<typeof loader>();
  useReplyToast(useReply<ToastReply>());
  const busy = useNavigation().formMethod === "POST";
  return (
    <RouteDialog title="Forfeit" closeTo={here} isQuestion>
      <p className="wrap-anywhere">
        {other} wins {nameInSentence(name)}, whatever was played. Only an organiser can undo that.
      </p>
      <DialogForm className="mt-5">
        <input type="hidden" name="shown" value={shown} />
        <DialogFooter closeTo={here}>
          <Button variant="danger-filled" busy={busy} busyLabel="Forfeiting">
            Forfeit
          </Button>
        </DialogFooter>
      </DialogForm>
    </RouteDialog>
  );
}
