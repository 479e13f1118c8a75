/** What an e-mail says. `renderEmail` gives it its looks. */
export interface Email {
  recipient: string;
  subject: string;
  /** Sentences above the code and the button, a paragraph each. */
  paragraphs: readonly string[];
  /** Six digits to be typed in. */
  code?: string;
  /** The one thing to do: a button, and its address in full. */
  action?: { label: string; link: string };
  /** Sentences below: how long it works, what to do when it was someone else. */
  notes?: readonly string[];
}
