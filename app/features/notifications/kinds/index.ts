import type { NotificationKind } from "../kind";
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
import { riotClaim } from "./riot-claim";
import { teamChange } from "./team-change";
import { tournamentCancelled } from "./tournament-cancelled";
import { tournamentCheckIn } from "./tournament-check-in";
import { tournamentDue } from "./tournament-due";
import { tournamentFinished } from "./tournament-finished";
import { tournamentInvitation } from "./tournament-invitation";
import { tournamentOrganiser } from "./tournament-organiser";
import { tournamentPlace } from "./tournament-place";
import { tournamentRegistered } from "./tournament-registered";
import { tournamentTeam } from "./tournament-team";
import { tournamentWithdrawn } from "./tournament-withdrawn";

/** Every kind of news, in the order of the settings. A new one is a file beside this one, and a line here. */
export const NOTIFICATION_KINDS: readonly NotificationKind<never>[] = [
  message,
  contact,
  joinRequest,
  joinAccepted,
  joinDeclined,
  teamChange,
  feedback,
  feedbackReceived,
  postExpiring,
  tournamentInvitation,
  tournamentTeam,
  tournamentPlace,
  tournamentWithdrawn,
  tournamentCheckIn,
  tournamentRegistered,
  tournamentDue,
  tournamentOrganiser,
  matchReady,
  matchReport,
  matchResult,
  matchDispute,
  tournamentFinished,
  tournamentCancelled,
  riotClaim,
];
