import type { NotificationKind } from "../kind";
import { contact } from "./contact";
import { message } from "./message";
import { postExpiring } from "./post-expiring";
import { riotClaim } from "./riot-claim";

/** Every kind of news, in the order of the settings. A new one is a file beside this one, and a line here. */
export const NOTIFICATION_KINDS: readonly NotificationKind<never>[] = [message, contact, postExpiring, riotClaim];
