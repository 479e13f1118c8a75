import { tellUnread } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { tellTournament } from "../tell-tournament.server";
import { alreadyIn, NOT_OPEN, type Refused, refuseObstacle } from "./refusals";
import { type RegisterOutcome, type Registration, registerTeam } from "./register.server";

const LATE: Refused = { status: 409, error: "Registration is over: the deadline has passed." };

function refusalOf(outcome: Exclude<RegisterOutcome, { outcome: "registered" | "missing" }>): Refused {
  switch (outcome.outcome) {
    case "not-open":
      return NOT_OPEN;
    case "late":
      return LATE;
    case "twice":
      return alreadyIn(outcome.team);
    case "obstacle":
      return refuseObstacle(outcome);
    case "name-taken":
      return {
        status: 409,
        field: "name",
        error: "Another team of this tournament has this name. Choose another one.",
      };
    case "used":
      return { status: 409, error: "This form is out of date. Open it again." };
    default:
      return outcome satisfies never;
  }
}

/** Registers a team; the organisers' open tabs hear of it after the answer. Null: there is no such tournament. */
export async function register(
  context: RequestContext,
  registration: Registration,
): Promise<{ ok: true; teamId: string; isWaiting: boolean } | ({ ok: false } & Refused) | null> {
  const outcome = await registerTeam(context.db, registration, context.now.getTime());
  if (outcome.outcome === "missing") return null;
  if (outcome.outcome !== "registered") return { ok: false, ...refusalOf(outcome) };
  tellUnread(context, ...outcome.told);
  tellTournament(context, registration.tournamentId);
  return { ok: true, teamId: outcome.teamId, isWaiting: outcome.isWaiting };
}
