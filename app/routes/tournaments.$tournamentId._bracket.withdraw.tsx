import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useNavigation } from "@remix-run/react";
import { findOwnTeamId } from "~/features/tournaments/own-team.server";
import { useTournament } from "~/features/tournaments/page/use-tournament";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { withdraw } from "~/features/tournaments/registration/actions.server";
import {
  ONLY_CAPTAIN_WITHDRAWS,
  TOO_LATE_TO_WITHDRAW,
  WAITING_LIST_MOVES,
} from "~/features/tournaments/registration/refusals";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { requireViewer } from "~/platform/session/guards.server";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { OUTDATED } from "~/ui/dialogs/dialogs";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction<typeof loader> = () => privatePage("Withdraw");

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(context, request);
  return null;
}

export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const tournamentId = tournamentIdOf(params, context, request);
  // Pages that were opened before the form had these fields name neither the team nor its state.
  const form = await request.formData();
  const shownId = form.get("team");
  return answerButton(args, {
    limit: "registration",
    to: `/tournaments/${tournamentId}`,
    alongside: async ({ userId }) => ({ teamId: await findOwnTeamId(context.db, tournamentId, userId) }),
    run: async ({ viewer, found: { teamId } }) =>
      teamId && shownId && shownId !== teamId
        ? {
            status: 409,
            error: "You've joined another team since you opened this page. Check it first.",
            more: OUTDATED,
          }
        : withdraw(context, { tournamentId, teamId, userId: viewer.id }, form.get("state") === "waiting"),
  });
}

export default function WithdrawDialog() {
  const { tournament, team } = useTournament();
  useReplyToast(useReply<ToastReply>());
  const busy = useNavigation().formMethod === "POST";
  const closeTo = `/tournaments/${tournament.id}`;
  return (
    <RouteDialog title="Withdraw" closeTo={closeTo} isQuestion>
      <p className="wrap-anywhere">
        {team?.canWithdraw ? (
          <>
            <bdi className="font-semibold">{team.name}</bdi>{" "}
            {team.state === "waiting" ? "leaves the waiting list" : "gives up its spot"}.{" "}
            {tournament.teamSize > 1 && "We'll tell its players."} {tournament.waiting > 0 && WAITING_LIST_MOVES}
          </>
        ) : team?.isCaptain ? (
          TOO_LATE_TO_WITHDRAW
        ) : (
          ONLY_CAPTAIN_WITHDRAWS
        )}
      </p>
      <DialogForm className="mt-5">
        <input type="hidden" name="team" value={team?.id} />
        <input type="hidden" name="state" value={team?.state} />
        <DialogFooter closeTo={closeTo}>
          {team?.canWithdraw && (
            <Button variant="danger-filled" busy={busy} busyLabel="Withdrawing">
              Withdraw
            </Button>
          )}
        </DialogFooter>
      </DialogForm>
    </RouteDialog>
  );
}
