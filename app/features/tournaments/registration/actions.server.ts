import { refuseLimited } from "~/features/moderation/shared/limits.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import type { Rank } from "~/game/ranks";
import type { RequestContext } from "~/platform/context";
import type { Answer, Done } from "~/platform/forms/answer-form.server";
import type { FormFailure } from "~/platform/forms/forms.server";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { OUTDATED } from "~/ui/dialogs/dialogs";
import { tellAgain, tellTournament } from "../shared/tell-tournament.server";
import { checkIn } from "./check-in.server";
import {
  alreadyIn,
  alreadyInSome,
  NOT_OPEN,
  ONLY_CAPTAIN_WITHDRAWS,
  type Refused,
  refuseObstacle,
  sayIneligible,
  TEAM_FULL,
  TOO_LATE_TO_WITHDRAW,
  WAITING_LIST_MOVES,
} from "./refusals";
import { type RegisterOutcome, type Registration, registerTeam } from "./register.server";
import { obstacleOf, type RankLimits, sayMissing } from "./rules";
import type { RosterButton } from "./schema";
import { seekTeam, stopSeeking } from "./seekers/commands.server";
import type { TeamActor } from "./team/changes.server";
import { declineInvitation, invitePlayers, renewLink, withdrawInvitation } from "./team/invite.server";
import { acceptInvitation, type JoinOutcome, joinTeamByLink } from "./team/join.server";
import { findStanding } from "./team/queries.server";
import { handOverCaptaincy, leaveTeam, type RosterOutcome, removePlayer, swapPlayers } from "./team/roster.server";
import { removeTeam, withdrawTeam } from "./withdraw.server";

const done = (title: string, description?: string, to?: string): Answer => ({ title, description, to });
const because = (error: string): FormFailure => ({ status: 409, error });

/**
 * Handles a button of a team's page. After the response, once the change is stored, updates the tabs of everyone
 * affected. If the page is outdated because the team is gone, redirects to the list of teams.
 */
export async function pressRosterButton(
  context: RequestContext,
  button: RosterButton,
  actor: TeamActor,
): Promise<Answer> {
  if (button.intent === "decline") {
    const declined = declineInvitation(context.db, actor);
    await tellRemoval(
      context,
      actor.tournamentId,
      declined.then(({ isRemoved }) => isRemoved),
    );
    tellUnread(context, actor.userId);
    if ((await declined).hasJoined) return because("You've already joined this team.");
    return done("Invitation declined", undefined, `/tournaments/${actor.tournamentId}`);
  }
  // The two share a round trip, in this order, so the standing already reflects the button's change.
  const [answer, standing] = await Promise.all([press(context, button, actor), findStanding(context.db, actor)]);
  if (isDone(answer)) {
    tellTournament(context, actor.tournamentId);
    return answer;
  }
  if (standing && !standing.hasTeam) {
    if (button.intent === "remove-team") tellAgain(context, actor, "removed-team");
    return leaveGoneTeam(context, actor.tournamentId);
  }
  if (answer !== "missing" || !standing?.isOtherPlayer) return answer;
  return because(
    button.intent === "remove-team" ? "Only the organisers can remove a team." : "You're not this team's captain.",
  );
}

/**
 * Waits for a removal, and reloads the tournament's open pages unless there was nothing to remove. Also does so after a
 * failure: the removal may have been stored although the database's response was lost, and the next try would find
 * nothing.
 */
async function tellRemoval(context: RequestContext, tournamentId: string, removal: Promise<boolean>): Promise<void> {
  let isRemoved = true;
  try {
    isRemoved = await removal;
  } finally {
    if (isRemoved) tellTournament(context, tournamentId);
  }
}

/** Redirects from the page of a team that is gone to the tournament's teams. */
export function leaveGoneTeam(context: RequestContext, tournamentId: string): Response {
  const response = redirectWithToast(context, `/tournaments/${tournamentId}/teams`, {
    kind: "error",
    title: "Error",
    description: "This team is no longer in the tournament.",
  });
  // Replaces the page in the browser's history. Otherwise Back would lead to the gone team, and from there here again.
  response.headers.set("X-Remix-Replace", "yes");
  return response;
}

async function press(
  context: RequestContext,
  button: Exclude<RosterButton, { intent: "decline" }>,
  actor: TeamActor,
): Promise<Answer> {
  const { db } = context;
  const now = context.now.getTime();
  const home = `/tournaments/${actor.tournamentId}`;
  switch (button.intent) {
    case "accept":
      return joined(context, await acceptInvitation(db, actor, now));
    case "leave":
      return changed(context, actor, await leaveTeam(db, actor, now), "You're no longer in this team.", () =>
        done("You've left the team", undefined, home),
      );
    case "remove":
      return changed(context, actor, await removePlayer(db, actor, button.player, now), PLAYER_GONE, (name) =>
        done(`${name} is no longer in your team`, "We've let them know."),
      );
    case "hand-over":
      return changed(context, actor, await handOverCaptaincy(db, actor, button.player, now), PLAYER_GONE, (name) =>
        done(`${name} is now the captain`, "You're still in the team."),
      );
    case "swap": {
      const players = { playerId: button.player, substituteId: button.substitute };
      const absent = "Your team has changed since you opened this page. Choose again.";
      return changed(context, actor, await swapPlayers(db, actor, players, now), absent, (name) =>
        done(`${name} is now playing`),
      );
    }
    case "renew-link":
      switch (await renewLink(db, actor, button.link)) {
        case "missing":
          return "missing";
        case "kept":
          return because("Your link has changed since you opened this page. Check it first.");
        default:
          return done("New link created", "The old one no longer works.");
      }
    case "invite": {
      const invited = await invitePlayers(context, actor, button.players);
      switch (invited.outcome) {
        case "missing":
          return "missing";
        case "not-open":
          return NOT_OPEN;
        case "nobody":
          return because("You can't invite them: they've joined a team, or you have too many open invitations.");
        default:
          tellUnread(context, ...invited.notified);
          return done(
            invited.count === 1 ? "Invitation sent" : `${invited.count} invitations sent`,
            "We'll let you know when someone joins.",
          );
      }
    }
    case "take-back": {
      const outcome = await withdrawInvitation(db, actor, button.player);
      if (outcome === "missing") return "missing";
      if (outcome === "joined") return because("They've already joined your team.");
      tellUnread(context, button.player);
      return done("Invitation cancelled");
    }
    case "remove-team": {
      const removed = await removeTeam(db, actor, now);
      if (removed.outcome === "missing") return "missing";
      if (removed.outcome !== "done") {
        return removed.outcome === "not-open" && removed.isPlaying
          ? because("The tournament has started. Disqualify the team instead.")
          : NOT_OPEN;
      }
      tellUnread(context, ...removed.notified);
      return done(
        `${removed.team} was removed`,
        removed.isHidden ? undefined : "We've told its players.",
        `${home}/teams`,
      );
    }
    default:
      return button satisfies never;
  }
}

const PLAYER_GONE = "This player is no longer in your team.";

/** @param absent the refusal if the player isn't in the team any more */
function changed(
  context: RequestContext,
  { tournamentId }: TeamActor,
  outcome: RosterOutcome,
  absent: string,
  words: (name: string) => Answer,
): Answer {
  switch (outcome.outcome) {
    case "missing":
      return "missing";
    case "absent":
      if (outcome.notified.length > 0) tellTournament(context, tournamentId);
      tellUnread(context, ...outcome.notified);
      return because(absent);
    case "not-open":
      return outcome.isRunning ? because("The tournament has started. Only substitutes can come in now.") : NOT_OPEN;
    case "captain":
      return because("You're the captain. Make someone else captain first, or withdraw the team while you still can.");
    case "ineligible":
      return because(sayIneligible([outcome.player]));
    default:
      tellUnread(context, ...outcome.notified);
      return words(outcome.name);
  }
}

/** Responds to a player who joins a team through its link or an invitation. */
async function joined(context: RequestContext, outcome: JoinOutcome): Promise<Answer> {
  switch (outcome.outcome) {
    case "joined":
      tellUnread(context, ...outcome.concerned);
      return done(
        `You're in ${outcome.team}`,
        outcome.isSubstitute ? "You're a substitute. You play when someone can't." : undefined,
      );
    case "missing":
      return because("This invitation doesn't work any more. Ask the captain for a new link.");
    case "not-open":
      return NOT_OPEN;
    case "full":
      return TEAM_FULL;
    case "blocked":
      // Uses the same words as for a message, so that the response doesn't reveal who blocked whom.
      return { status: 403, error: "You can't join this team." };
    case "gone":
      return because("Something has changed. Reload the page and try again.");
    case "has-team":
      return alreadyIn(outcome.team);
    case "obstacle":
      return refuseObstacle(outcome);
    case "limited":
      return refuseLimited(context, outcome);
    default:
      return outcome satisfies never;
  }
}

/** Lets a player join a team by its captain's link. Without a `teamId` the link is no longer valid. */
export async function joinByLink(
  context: RequestContext,
  { tournamentId, teamId, userId }: Omit<TeamActor, "teamId"> & { teamId: string | undefined },
  token: string,
): Promise<Answer> {
  const actor = teamId && { tournamentId, teamId, userId };
  const outcome = actor
    ? await joinTeamByLink(context.db, actor, token, context.now.getTime())
    : ({ outcome: "missing" } as const);
  const answer = await joined(context, outcome);
  if (!isDone(answer)) return answer;
  tellTournament(context, tournamentId);
  return { ...answer, to: `/tournaments/${tournamentId}/teams/${teamId}` };
}

const isDone = (answer: Answer): answer is Done => typeof answer === "object" && "title" in answer;

const REGISTRATION_OVER: Refused = { status: 409, error: "Registration is closed: the deadline has passed." };

function explainRefusal(
  outcome: Exclude<RegisterOutcome, { outcome: "registered" | "missing" | "limited" }>,
  home: string,
): FormFailure {
  switch (outcome.outcome) {
    case "not-open":
      return NOT_OPEN;
    case "late":
      return REGISTRATION_OVER;
    case "changed":
      return {
        status: 409,
        error: "The host has changed this tournament since you opened this form. Check it, then register.",
        // The dialog doesn't state all terms, and on a phone it covers the page that does.
        next: { to: home, label: "See the tournament", inNewTab: true },
        more: OUTDATED,
      };
    case "full":
      return { status: 409, error: "All spots are taken, and the waiting list is full, too." };
    case "has-team":
      return alreadyIn(outcome.team, `${home}/teams/${outcome.teamId}`);
    case "obstacle":
      return refuseObstacle(outcome);
    case "name-taken":
      return {
        status: 409,
        field: "name",
        error: "Another team in this tournament has that name. Choose another.",
      };
    case "used":
      return { status: 409, error: "This form is out of date. Open it again." };
    default:
      return outcome satisfies never;
  }
}

/**
 * Refuses a rank that a tournament excludes, before it is stored in the player's profile.
 * @returns null if it may play
 */
export function checkRank(rank: Rank, limits: RankLimits): FormFailure | null {
  const obstacle = obstacleOf({ isVerified: true, rank }, limits);
  return obstacle && { ...refuseObstacle({ obstacle, rank, limits }), field: "currentRank" };
}

/**
 * Registers a team, or a player who plays alone. After the response, it updates the open tabs of the organisers and the
 * player.
 */
export async function register(context: RequestContext, registration: Registration): Promise<Answer> {
  const outcome = await registerTeam(context, registration);
  if (outcome.outcome === "missing") return "missing";
  if (outcome.outcome === "limited") return refuseLimited(context, outcome);
  const home = `/tournaments/${registration.tournamentId}`;
  if (outcome.outcome !== "registered") return explainRefusal(outcome, home);
  tellUnread(context, ...outcome.concerned);
  tellTournament(context, registration.tournamentId);
  const isSolo = registration.name === null;
  const to = isSolo ? home : `${home}/teams/${outcome.teamId}`;
  if (outcome.isWaiting) return done("You're on the waiting list", "We'll let you know when a spot opens up.", to);
  return done(
    "You're registered!",
    !isSolo
      ? "Now bring your players, by link, or by inviting those you know."
      : outcome.hasCheckIn
        ? "We'll let you know when check-in opens."
        : "We'll let you know when your match is ready.",
    to,
  );
}

/**
 * Handles a button on the list of teams. After the response, it updates open pages of the tournament, and after a
 * check-in the tabs of the team's players.
 */
export async function pressTeamsButton(
  context: RequestContext,
  intent: "check-in" | "stop-seeking",
  who: { tournamentId: string; userId: string },
): Promise<Answer> {
  if (intent === "stop-seeking") {
    await tellRemoval(context, who.tournamentId, stopSeeking(context.db, who));
    return done("You're off the list", undefined, `/tournaments/${who.tournamentId}/teams`);
  }
  const checked = await checkIn(context.db, who, context.now.getTime());
  switch (checked.outcome) {
    case "missing":
      return "missing";
    case "gone":
      return because("You're no longer in this tournament.");
    case "hidden":
      return because("Moderators have hidden this tournament. Check-in waits until it is shown again.");
    case "not-open":
      return because("You can't check in for this tournament now.");
    case "early":
      return because("Check-in isn't open yet.");
    case "incomplete":
      return because(`${sayMissing(checked.missing)}. Incomplete teams can't check in.`);
    case "ineligible": {
      const { players, isSolo } = checked;
      if (isSolo) return refuseObstacle(players[0]);
      return because(`${sayIneligible(players)} Swap in a substitute on your team's page, then check in.`);
    }
    default:
      tellUnread(context, ...checked.answered);
      tellTournament(context, who.tournamentId);
      return done(
        `${checked.team} has checked in`,
        checked.isWaiting
          ? "If someone with a spot doesn't, you may play instead."
          : "Good luck. We'll let you know when your match is ready.",
      );
  }
}

/**
 * Puts a player on the list of players looking for a team. After the response, it updates open pages of the tournament.
 */
export async function seek(context: RequestContext, wish: Parameters<typeof seekTeam>[1]): Promise<Answer> {
  const sought = await seekTeam(context, wish);
  switch (sought.outcome) {
    case "missing":
      return "missing";
    case "not-open":
      return NOT_OPEN;
    case "alone":
      return because("This is a solo tournament.");
    case "has-team":
      return alreadyInSome;
    case "obstacle":
      return refuseObstacle(sought);
    case "limited":
      return refuseLimited(context, sought);
    default:
      tellTournament(context, wish.tournamentId);
      return done(
        "You're on the list",
        "Captains who need a player can find you there.",
        `/tournaments/${wish.tournamentId}/teams`,
      );
  }
}

/**
 * Withdraws a captain's team. After the response, it updates its players' tabs and open pages of the tournament.
 * @param onlyWaiting whether the page has shown the team on the waiting list
 */
export async function withdraw(
  context: RequestContext,
  { tournamentId, teamId, userId }: Omit<TeamActor, "teamId"> & { teamId: string | undefined },
  onlyWaiting: boolean,
): Promise<Answer> {
  // The button was pressed twice: the team has already withdrawn.
  const gone = done("You're not in this tournament");
  if (!teamId) {
    tellAgain(context, { tournamentId, userId }, "withdrew");
    return gone;
  }
  const actor = { tournamentId, teamId, userId };
  // The two share a round trip, in this order.
  const [withdrawn, standing] = await Promise.all([
    withdrawTeam(context.db, actor, onlyWaiting, context.now.getTime()),
    findStanding(context.db, actor),
  ]);
  switch (withdrawn.outcome) {
    case "missing":
      // A hidden tournament has no standing.
      if (!standing) return "missing";
      return standing.isOtherPlayer ? because(ONLY_CAPTAIN_WITHDRAWS) : gone;
    case "late":
      return {
        status: 409,
        error: withdrawn.hasMovedUp
          ? `${withdrawn.team} has a spot now, and it's too late to give it up on your own. Ask the organisers.`
          : TOO_LATE_TO_WITHDRAW,
        more: OUTDATED,
      };
    case "moved-up":
      return {
        status: 409,
        error: `${withdrawn.team} has a spot now. To give it up, withdraw again.`,
        more: OUTDATED,
      };
    case "not-open":
      return {
        ...(withdrawn.isPlaying ? because("The tournament has started. Forfeit your matches instead.") : NOT_OPEN),
        more: OUTDATED,
      };
    default:
      tellUnread(context, ...withdrawn.notified);
      tellTournament(context, tournamentId);
      return done(`${withdrawn.team} withdrew`, WAITING_LIST_MOVES);
  }
}
