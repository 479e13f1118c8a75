/** The content of an email; `renderEmail` adds the design. */
export interface Email {
  recipient: string;
  subject: string;
  /** Sentences above the code and the button, one paragraph each. */
  paragraphs: readonly string[];
  /** Six digits to be typed in. */
  code?: string;
  /** The call to action: a button, and its URL in full. */
  action?: { label: string; link: string };
  /** Sentences below, such as the code's lifetime, or advice in case someone else requested it. */
  notes?: readonly string[];
  /**
   * The way to turn off emails of this kind: a link below, and the email program's own button (RFC 8058). Left out
   * for emails that can't be turned off.
   */
  unsubscribe?: { label: string; link: string };
}
