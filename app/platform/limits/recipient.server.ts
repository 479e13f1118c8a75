import { hashToken } from "../crypto/crypto.server";

/** Domains whose mailboxes ignore dots in front of the @. */
const IGNORES_DOTS = new Set(["gmail.com", "googlemail.com"]);

/**
 * Returns the subject under which limits count emails to an address. All spellings that commonly reach one mailbox
 * share it: `name+word@example.com`, and dots at Gmail. It doesn't identify an account, because accounts differ by the
 * whole address.
 */
export function recipientOf(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1).toLowerCase();
  const mailbox = email
    .slice(0, at)
    .toLowerCase()
    .replace(/(?<=.)\+.*$/, "");
  return hashToken(IGNORES_DOTS.has(domain) ? `${mailbox.replaceAll(".", "")}@gmail.com` : `${mailbox}@${domain}`);
}
