import { useNavigation } from "@remix-run/react";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { Notice } from "~/ui/notice";
import { FORMAT_NAMES } from "../format/formats";
import { useTournament } from "../page/use-tournament";
import { MIN_PLAYERS_WITH_FEE } from "../rules";
import type { StartView } from "./present.server";

const SEEDED: Record<StartView["seeding"], string> = {
  random: "drawn at random",
  rank: "seeded by average rank",
  manual: "seeded in your order",
};

const MIN_TEAMS = 2;

/** The effects of starting a tournament now, and the button that starts it. */
export function StartForm({ id, view }: { id: string; view: StartView }) {
  const { title, format, seeding, teams, isSolo, absent, hasCheckIn, movingUp, isRegistrationOpen, isCheckInRunning } =
    view;
  const busy = useNavigation().formMethod === "POST";
  const { tournament } = useTournament();
  const players = teams * tournament.teamSize;
  const who = isSolo ? "players" : "teams";
  const canStart = teams >= MIN_TEAMS && !isRegistrationOpen && !isCheckInRunning;
  return (
    <>
      <p className="wrap-anywhere">
        {isRegistrationOpen
          ? "Registration is still open. You can start the tournament after the registration deadline."
          : isCheckInRunning
            ? `Not all ${who} have checked in. You can start the tournament on its date, or once they all have.`
            : teams < MIN_TEAMS
              ? `You need at least two ${who} to start, and ${teams === 1 ? "only one is" : "none is"} complete${hasCheckIn ? ", verified and checked in. Check-in stays open until you start" : " and verified"}.`
              : `“${title}” starts with ${teams} ${who}: ${FORMAT_NAMES[format].toLowerCase()}, ${SEEDED[seeding]}. Nobody can join after that.`}
      </p>
      {canStart && tournament.feeCents > 0 && players < MIN_PLAYERS_WITH_FEE && (
        <Notice title="Return the fees first." className="mt-4">
          With an entry fee, Riot asks for at least {MIN_PLAYERS_WITH_FEE} players, and you have {players}. Return the
          fees before you start.
        </Notice>
      )}
      <Names
        names={absent}
        title={
          isCheckInRunning
            ? "Not complete, not verified or not checked in yet"
            : hasCheckIn
              ? "Not complete, not verified or not checked in: they lose their spot"
              : "Not complete or not verified: they lose their spot"
        }
      />
      <Names names={movingUp} title="From the waiting list" />
      <DialogForm className="mt-5">
        <input type="hidden" name="expects" value={view.expects} />
        <DialogFooter closeTo={`/tournaments/${id}`}>
          {canStart && (
            <Button variant="primary" busy={busy} busyLabel="Drawing">
              Start Tournament
            </Button>
          )}
        </DialogFooter>
      </DialogForm>
    </>
  );
}

/** Maximum number of names listed one by one. */
const MAX_NAMED = 20;

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div className="mt-4">
      <h3 className="text-meta font-semibold">{title}</h3>
      <p className="mt-1 text-meta wrap-anywhere text-muted">
        {names.slice(0, MAX_NAMED).join(", ")}
        {names.length > MAX_NAMED && ` and ${names.length - MAX_NAMED} more`}
      </p>
    </div>
  );
}
