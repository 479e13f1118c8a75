import { NEWS_KINDS, type NewsKind } from "#db/words/news-kinds";
import type { NotificationKind } from "../kind";
import { caseUrgent } from "./case-urgent";
import { caseWaiting } from "./case-waiting";
import { contact } from "./contact";
import { feedback } from "./feedback";
import { feedbackReceived } from "./feedback-received";
import { joinAccepted } from "./join-accepted";
import { joinDeclined } from "./join-declined";
import { joinRequest } from "./join-request";
import { matchDispute } from "./match-dispute";
import { matchReady } from "./match-ready";
import { matchReport } from "./match-report";
import { matchResult } from "./match-result";
import { message } from "./message";
import { postExpiring } from "./post-expiring";
import { reportAnswered } from "./report-answered";
import { riotClaim } from "./riot-claim";
import { teamChange } from "./team-change";
import { tournamentCancelled } from "./tournament-cancelled";
import { tournamentCaptain } from "./tournament-captain";
import { tournamentCheckIn } from "./tournament-check-in";
import { tournamentDue } from "./tournament-due";
import { tournamentFinished } from "./tournament-finished";
import { tournamentInvitation } from "./tournament-invitation";
import { tournamentOrganiser } from "./tournament-organiser";
import { tournamentPlace } from "./tournament-place";
import { tournamentRegistered } from "./tournament-registered";
import { tournamentTeam } from "./tournament-team";
import { tournamentWithdrawn } from "./tournament-withdrawn";

const KINDS: { [Name in NewsKind]: NotificationKind<never, Name> } = {
  message,
  contact,
  "join-request": joinRequest,
  "join-accepted": joinAccepted,
  "join-declined": joinDeclined,
  "team-change": teamChange,
  feedback,
  "feedback-received": feedbackReceived,
  "post-expiring": postExpiring,
  "tournament-invitation": tournamentInvitation,
  "tournament-team": tournamentTeam,
  "tournament-captain": tournamentCaptain,
  "tournament-place": tournamentPlace,
  "tournament-withdrawn": tournamentWithdrawn,
  "tournament-check-in": tournamentCheckIn,
  "tournament-registered": tournamentRegistered,
  "tournament-due": tournamentDue,
  "tournament-organiser": tournamentOrganiser,
  "match-ready": matchReady,
  "match-report": matchReport,
  "match-result": matchResult,
  "match-dispute": matchDispute,
  "tournament-finished": tournamentFinished,
  "tournament-cancelled": tournamentCancelled,
  "riot-claim": riotClaim,
  "report-answered": reportAnswered,
  "case-urgent": caseUrgent,
  "case-waiting": caseWaiting,
};

/**
 * All kinds, in the order in which the settings page lists them. A new one needs a name in `NEWS_KINDS` and a file in
 * this folder.
 */
export const NOTIFICATION_KINDS: readonly NotificationKind<never>[] = NEWS_KINDS.map((name) => KINDS[name]);
