import { offlineAction } from "~/platform/forms/forms";

/** The error for an unexpected failure to contact a player (specification, section 8). */
export const CONTACT_UNEXPLAINED = "Failed to start conversation. Please try again.";

/** The `clientAction` of the dialogs that contact a player. */
export const clientAction = offlineAction("Error", CONTACT_UNEXPLAINED);
