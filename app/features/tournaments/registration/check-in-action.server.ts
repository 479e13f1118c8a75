import type { RequestContext } from "~/platform/context";
import { tellTournament } from "../tell-tournament.server";
import type { Pressed } from "./buttons.server";
import { checkIn } from "./check-in.server";
import { NOT_OPEN, refuseObstacle, sayMisfits } from "./refusals";
import { sayMissing } from "./rules";
import { stopSeeking } from "./seekers.server";

/** Does what a button on the list of teams asks for; who looks at the tournament hears of it after the answer. */
export async function pressTeamsButton(
  context: RequestContext,
  intent: "check-in" | "stop-seeking",
  who: { tournamentId: string; userId: string },
): Promise<Pressed> {
  if (intent === "stop-seeking") {
    await stopSeeking(context.db, who);
    tellTournament(context, who.tournamentId);
    const to = `/tournaments/${who.tournamentId}/teams`;
    return { outcome: "done", toast: { kind: "success", title: "You are off the list" }, to };
  }
  const checked = await checkIn(context.db, who, context.now.getTime());
  const refused = (error: string): Pressed => ({ outcome: "refused", status: 409, error });
  switch (checked.outcome) {
    case "missing":
      return checked;
    case "not-open":
      return { outcome: "refused", ...NOT_OPEN, error: "Nobody checks in for this tournament now." };
    case "early":
      return refused("Check-in is not open yet.");
    case "incomplete":
      return refused(`${sayMissing(checked.missing)}: only a complete team can check in.`);
    case "misfits": {
      const { misfits, isSolo } = checked;
      if (isSolo) return { outcome: "refused", ...refuseObstacle(misfits[0]) };
      return refused(`${sayMisfits(misfits)} Swap in a substitute on your team's page, then check in.`);
    }
    default:
      tellTournament(context, who.tournamentId);
      return {
        outcome: "done",
        toast: {
          kind: "success",
          title: `${checked.team} has checked in`,
          description: checked.isWaiting
            ? "If a team with a place doesn't, yours may play instead."
            : "Good luck. You hear from us when your match is ready.",
        },
      };
  }
}
