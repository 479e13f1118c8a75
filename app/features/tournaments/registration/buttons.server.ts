import { tellUnread } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import type { Toast } from "~/platform/pages/toast";
import { tellTournament } from "../tell-tournament.server";
import { alreadyIn, NOT_OPEN, type Refused, refuseObstacle, sayMisfits } from "./refusals";
import {
  acceptInvitation,
  declineInvitation,
  handOver,
  invitePlayers,
  type JoinOutcome,
  leaveTeam,
  type Place,
  type RosterOutcome,
  removePlayer,
  renewLink,
  swapPlayers,
  takeBackInvitation,
} from "./roster.server";
import type { RosterButton } from "./schema";
import { removeTeam } from "./withdraw.server";

/** How pressing a button went. `missing`: there is nothing of this player's here to press it on. */
export type Pressed =
  | { outcome: "done"; toast: Omit<Toast, "id">; to?: string }
  | ({ outcome: "refused" } & Refused)
  | { outcome: "missing" };

const done = (title: string, description?: string, to?: string): Pressed => ({
  outcome: "done",
  toast: { kind: "success", title, ...(description && { description }) },
  ...(to && { to }),
});
const refused = (refusal: Refused): Pressed => ({ outcome: "refused", ...refusal });
const because = (error: string): Pressed => refused({ status: 409, error });
const MISSING: Pressed = { outcome: "missing" };

/** Does what a button of a team's page asks for, and tells those whom it concerns once it is stored, after the answer. */
export async function pressRosterButton(context: RequestContext, button: RosterButton, place: Place): Promise<Pressed> {
  const pressed = await press(context, button, place);
  if (pressed.outcome === "done") tellTournament(context, place.tournamentId);
  return pressed;
}

async function press(context: RequestContext, button: RosterButton, place: Place): Promise<Pressed> {
  const { db } = context;
  const now = context.now.getTime();
  const home = `/tournaments/${place.tournamentId}`;
  switch (button.intent) {
    case "accept":
      return joined(context, await acceptInvitation(db, place, now));
    case "decline":
      await declineInvitation(db, place);
      return done("Invitation declined", undefined, home);
    case "leave":
      return changed(context, await leaveTeam(db, place, now), () => done("You have left the team", undefined, home));
    case "remove":
      return changed(context, await removePlayer(db, place, button.player, now), (name) =>
        done(`${name} is out of your team`, "They are told."),
      );
    case "hand-over":
      return changed(context, await handOver(db, place, button.player, now), (name) =>
        done(`${name} is the captain now`, "You stay in the team."),
      );
    case "swap": {
      const players = { playerId: button.player, substituteId: button.substitute };
      return changed(context, await swapPlayers(db, place, players, now), (name) => done(`${name} plays now`));
    }
    case "renew-link":
      return (await renewLink(db, place)) ? done("New link made", "The old one works no more.") : MISSING;
    case "invite": {
      const invited = await invitePlayers(db, place, button.players, now);
      switch (invited.outcome) {
        case "missing":
          return MISSING;
        case "not-open":
          return refused(NOT_OPEN);
        case "nobody":
          return because("They can't be asked: they are in a team meanwhile, or too many invitations are open.");
        default:
          tellUnread(context, ...invited.told);
          return done(
            invited.count === 1 ? "Invitation sent" : `${invited.count} invitations sent`,
            "You hear of it when somebody joins.",
          );
      }
    }
    case "take-back":
      return (await takeBackInvitation(db, place, button.player)) ? done("Invitation taken back") : MISSING;
    case "remove-team": {
      const removed = await removeTeam(db, place, now);
      if (removed.outcome === "missing") return MISSING;
      if (removed.outcome !== "done") return because("The tournament has begun: disqualify the team instead.");
      tellUnread(context, ...removed.told);
      return done(`${removed.team} is out`, "Its players are told.", `${home}/teams`);
    }
    default:
      return button satisfies never;
  }
}

function changed(context: RequestContext, outcome: RosterOutcome, words: (name: string) => Pressed): Pressed {
  switch (outcome.outcome) {
    case "missing":
      return MISSING;
    case "not-open":
      return because("The tournament has begun: only substitutes can take somebody's place now.");
    case "captain":
      return because("You are the captain: hand the team over first, or withdraw it while that is still possible.");
    case "misfit":
      return because(sayMisfits([outcome.misfit]));
    default:
      tellUnread(context, ...outcome.told);
      return words(outcome.name);
  }
}

/** What a player hears who joins a team, by its link or on an invitation. */
export function joined(context: RequestContext, outcome: JoinOutcome): Pressed {
  switch (outcome.outcome) {
    case "joined":
      tellUnread(context, ...outcome.told);
      return done(
        `You are in ${outcome.team}`,
        outcome.isSubstitute ? "You are a substitute: you play when somebody can't." : undefined,
      );
    case "missing":
      return because("This invitation doesn't work any more. Ask the captain for a new link.");
    case "not-open":
      return refused(NOT_OPEN);
    case "full":
      return because("This team is full, substitutes included.");
    case "blocked":
      // The same words as for a message: who has blocked whom is nobody's business.
      return refused({ status: 403, error: "You can't join this team." });
    case "gone":
      return because("That didn't work out: something has changed meanwhile. Load the page again.");
    case "twice":
      return refused(alreadyIn(outcome.team));
    case "obstacle":
      return refused(refuseObstacle(outcome));
    default:
      return outcome satisfies never;
  }
}
