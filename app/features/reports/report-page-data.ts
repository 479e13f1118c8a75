import type { HumanCheckOffer } from "~/platform/forms/human-check";

/** The title of the toast shown when a report is refused. */
export const SEND_FAILED = "Error sending report";

/** The data of the `Report` dialog. */
export interface ReportPageData {
  title: string;
  /** The player's name at the end of the title. */
  player: string | null;
  /** The name of the reported player, who isn't notified; null if their account is gone. */
  reported: string | null;
  /** The parts of the reported thing that the dialog quotes. */
  quote: { stars: number | null; lines: string[] };
  /** The reasons on offer, each with its label. */
  reasons: [value: string, label: string][];
  maxDetails: number;
  /** The id that the report will have. */
  id: string;
  /** The address of the page behind the dialog, which opens when the dialog is closed. */
  closeTo: string;
  /** For visitors, who enter a name and an email address; null for players. */
  guest: { humanCheck: HumanCheckOffer | null } | null;
  /** In a conversation, the messages to choose from, newest first. */
  choice: {
    /** The name of the other player, who can be reported instead of a message; null if there is none. */
    asPlayer: string | null;
    messages: { id: string; words: string }[];
    /** The initial value: a message's id, or an empty string for the player. */
    initial: string;
  } | null;
}
