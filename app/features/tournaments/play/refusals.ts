import type { Refusal } from "#party/wire/tournament-commands";

/**
 * The status and the sentence with which a page answers each refusal. Refusals because something doesn't exist have
 * none: they are a 404.
 */
const REFUSALS: Record<Exclude<Refusal, "missing" | "no-match" | "no-team">, { status: number; error: string }> = {
  "not-organiser": { status: 403, error: "Only the organisers of this tournament can do that." },
  "not-captain": { status: 403, error: "Only a captain of the two teams can do that." },
  "not-member": { status: 403, error: "Only a player of the two teams can do that." },
  "not-open": { status: 409, error: "This tournament has begun, or was cancelled." },
  "not-running": { status: 409, error: "This tournament is not being played." },
  "registration-open": {
    status: 409,
    error: "Teams can still register. It can start after the registration deadline.",
  },
  "check-in-open": {
    status: 409,
    error: "Not all teams have checked in. It can start at its date, or when all of them have.",
  },
  "too-few-teams": { status: 409, error: "It takes two teams to start." },
  locked: { status: 409, error: "A team of this match is not known yet." },
  "no-chat": { status: 409, error: "This match has no chat yet." },
  finished: { status: 409, error: "This match is decided already. Nothing was changed." },
  "not-finished": { status: 409, error: "This match has no result yet." },
  "reported-by-other": { status: 409, error: "The other captain was first to report: confirm it, or dispute it." },
  "nothing-reported": { status: 409, error: "There is no report to confirm." },
  "report-changed": { status: 409, error: "The report has changed. Look at it again." },
  "own-report": { status: 409, error: "The other captain has to confirm what you reported." },
  disputed: { status: 409, error: "This match is disputed: the organisers decide." },
  "bad-score": { status: 400, error: "A match can't end with this score." },
  "too-early": { status: 409, error: "The other team still has time to check in." },
  "they-are-here": { status: 409, error: "The other team has checked in." },
  "check-in-first": { status: 409, error: "Check in first: your team has to be there to claim the win." },
  "out-already": { status: 409, error: "This team has no match left, so there is nothing to disqualify it from." },
  over: {
    status: 409,
    error: "The tournament is over. To disqualify a team now, reopen the match that brought it this far first.",
  },
  "played-on": {
    status: 409,
    error: "A match after the team's disqualification was played. Reopen that one first.",
  },
  disqualified: { status: 409, error: "A team of this match is disqualified. Take that back first." },
  changed: { status: 409, error: "The bracket has changed meanwhile. Look at the list again." },
  busy: { status: 503, error: "Much is happening in this tournament right now. Try again in a moment." },
};

/** The status and sentence of a refusal; null if it is because something doesn't exist. */
export const refusalOf = (reason: Refusal) =>
  reason === "missing" || reason === "no-match" || reason === "no-team" ? null : REFUSALS[reason];
