/** The content of an e-mail; `renderEmail` adds the design. */
export interface Email {
  recipient: string;
  subject: string;
  /** Sentences above the code and the button, one paragraph each. */
  paragraphs: readonly string[];
  /** Six digits to be typed in. */
  code?: string;
  /** The call to action: a button, and its URL in full. */
  action?: { label: string; link: string };
  /** Sentences below: how long the code works, what to do if someone else asked for it. */
  notes?: readonly string[];
  /**
   * Where e-mails of this kind are switched off: a link below, and the mail program's own button (RFC 8058). Left out
   * for e-mails that nobody can switch off.
   */
  unsubscribe?: { label: string; link: string };
}
