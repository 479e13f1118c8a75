import type { NotificationKind } from "../kind";
import { contact } from "./contact";
import { feedback } from "./feedback";
import { feedbackReceived } from "./feedback-received";
import { joinAccepted } from "./join-accepted";
import { joinDeclined } from "./join-declined";
import { joinRequest } from "./join-request";
import { message } from "./message";
import { postExpiring } from "./post-expiring";
import { riotClaim } from "./riot-claim";
import { teamChange } from "./team-change";

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
  riotClaim,
];
