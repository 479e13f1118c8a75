import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useActionData, useNavigation } from "@remix-run/react";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { findOwnTeamId } from "~/features/tournaments/own-team.server";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { withdrawTeam } from "~/features/tournaments/registration/withdraw.server";
import { tellTournament } from "~/features/tournaments/tell-tournament.server";
import { useTournament } from "~/features/tournaments/use-tournament";
import type { ToastReply } from "~/platform/forms/forms";
import { refuseAction } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction<typeof loader> = () => privatePage("Withdraw");

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(context, request);
  return null;
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const userId = await claimedUserId(context, request);
  const [viewer, limit, teamId] = await Promise.all([
    requireViewer(context, request),
    countUse(context, "registration", userId),
    findOwnTeamId(context.db, tournamentId, userId),
  ]);
  if (!limit.allowed) return refuseAction(context, "Error", tooManyTries(limit.retryAfter));
  const home = `/tournaments/${tournamentId}`;
  // Pressed twice: it is out already.
  if (!teamId) return redirectWithToast(context, home, { kind: "success", title: "You are not in this tournament" });
  const place = { tournamentId, teamId, userId: viewer.id };
  const withdrawn = await withdrawTeam(context.db, place, context.now.getTime());
  switch (withdrawn.outcome) {
    case "missing":
      return notFound(context, request);
    case "late":
      return refuseAction(context, "Error", {
        status: 409,
        error: LATE,
      });
    case "not-open":
      return refuseAction(context, "Error", {
        status: 409,
        error: "The tournament has begun: give your matches up instead.",
      });
    default:
      tellUnread(context, ...withdrawn.told);
      tellTournament(context, tournamentId);
      return redirectWithToast(context, home, {
        kind: "success",
        title: `${withdrawn.team} is out`,
        description: WAITING,
      });
  }
}

const LATE = "It is too late to withdraw by yourself: the organisers decide now. Write to them.";
const WAITING = "The waiting list moves up by itself.";

export default function WithdrawDialog() {
  const { tournament, team } = useTournament();
  useReplyToast(useActionData<ToastReply>());
  const busy = useNavigation().formMethod === "POST";
  const closeTo = `/tournaments/${tournament.id}`;
  return (
    <RouteDialog title="Withdraw" closeTo={closeTo}>
      <p className="wrap-anywhere">
        {team?.canWithdraw ? (
          <>
            <bdi className="font-semibold">{team.name}</bdi>{" "}
            {team.state === "waiting" ? "leaves the waiting list" : "gives its place up"}
            {tournament.teamSize > 1 && ", and its players are told"}. {tournament.waiting > 0 && WAITING}
          </>
        ) : team?.isCaptain ? (
          LATE
        ) : (
          "Only a team's captain can withdraw it."
        )}
      </p>
      <Form method="post" className="mt-5">
        <DialogFooter closeTo={closeTo}>
          {team?.canWithdraw && (
            <Button variant="danger-filled" busy={busy} busyLabel="Withdrawing">
              Withdraw
            </Button>
          )}
        </DialogFooter>
      </Form>
    </RouteDialog>
  );
}
