import type { Refusal } from "#party/wire/tournament-commands";
import type { FormFailure } from "~/platform/forms/forms.server";
import { OUTDATED } from "~/ui/dialogs/dialogs";

/**
 * The status and the error message for each refusal. Refusals because something doesn't exist have none: they are a
 * 404.
 */
const REFUSALS: Record<Exclude<Refusal, "missing" | "no-match" | "no-team">, FormFailure> = {
  "not-organiser": { status: 403, error: "Only the organisers of this tournament can do that." },
  "not-captain": { status: 403, error: "Only the captains of the two teams can do that." },
  "not-member": { status: 403, error: "Only players on the two teams can do that." },
  "not-open": { status: 409, error: "This tournament has started or was cancelled." },
  "not-running": { status: 409, error: "This tournament isn't being played." },
  "registration-open": {
    status: 409,
    error: "Registration is still open. You can start the tournament after the registration deadline.",
  },
  "check-in-open": {
    status: 409,
    error: "Not all teams have checked in. You can start the tournament on its date, or once they all have.",
  },
  "too-few-teams": { status: 409, error: "You need at least two teams to start." },
  "start-changed": {
    status: 409,
    error: "The tournament has changed since you opened this. Check who plays and how they're seeded, then start it.",
    more: OUTDATED,
  },
  locked: { status: 409, error: "One of the teams isn't known yet." },
  "other-teams": {
    status: 409,
    error: "Another team plays in this match now. Check the names, then try again.",
    more: OUTDATED,
  },
  "played-again": {
    status: 409,
    error: "This match has been reopened, so it's played again. Check it, then try again.",
    more: OUTDATED,
  },
  "not-up": { status: 409, error: "This match isn't up yet. To play it sooner, both teams check in first." },
  "no-chat": { status: 409, error: "This match has no chat yet." },
  finished: { status: 409, error: "This match is already decided, so nothing was changed." },
  "not-finished": { status: 409, error: "This match has no result yet." },
  "reported-by-other": { status: 409, error: "The other captain reported first. Confirm or dispute it." },
  "nothing-reported": { status: 409, error: "There's no report to confirm." },
  "report-changed": {
    status: 409,
    error: "A captain has sent a new report. Check it, then try again.",
    more: OUTDATED,
  },
  "disputed-since": {
    status: 409,
    error: "A captain has disputed this match. Read why, then decide.",
    more: OUTDATED,
  },
  "own-report": { status: 409, error: "The other captain has to confirm your report." },
  disputed: { status: 409, error: "This match is disputed. The organisers will decide." },
  "bad-score": { status: 400, error: "A match can't end with this score." },
  "too-early": { status: 409, error: "The other team still has time to check in." },
  "they-are-here": { status: 409, error: "The other team has checked in." },
  "check-in-first": { status: 409, error: "Check in first, then claim the win." },
  "out-already": { status: 409, error: "This team has no matches left, so you can't disqualify it." },
  "disqualified-already": {
    status: 409,
    error: "This team has just been disqualified, for another reason. Its page shows which.",
    more: OUTDATED,
  },
  "disqualified-again": {
    status: 409,
    error: "This team has been disqualified again. Check the reason, then undo it.",
    more: OUTDATED,
  },
  over: {
    status: 409,
    error: "The tournament is over. To disqualify a team now, first reopen the match that brought it this far.",
  },
  "played-on": {
    status: 409,
    error: "A later match was played after the disqualification. Reopen that one first.",
  },
  disqualified: { status: 409, error: "A team in this match is disqualified. Undo that first." },
  changed: { status: 409, error: "The bracket has changed. Check again what is undone.", more: OUTDATED },
  busy: { status: 503, error: "A lot is happening in this tournament right now. Try again in a moment." },
};

/** Returns a refusal's status and error message; null if something doesn't exist. */
export const refusalOf = (reason: Refusal) =>
  reason === "missing" || reason === "no-match" || reason === "no-team" ? null : REFUSALS[reason];
