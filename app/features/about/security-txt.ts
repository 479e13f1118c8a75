import { DAY } from "~/platform/dates/durations";

/**
 * How long the file is valid, in milliseconds: 90 days. It is generated for every request, so only copies of it can
 * expire.
 */
const VALID_FOR = 90 * DAY;

/**
 * Returns the text of `security.txt` (RFC 9116).
 * @param contact the email address for reports; without one, the contact page stands in for it
 * @param origin the site's origin, without a trailing slash
 */
export function securityTxt({ contact, origin, now }: { contact: string | null; origin: string; now: Date }): string {
  // Counted from the start of the day, so that the file stays the same all day.
  const expires = new Date(Math.floor(now.getTime() / DAY) * DAY + VALID_FOR);
  const lines = [
    `Contact: ${contact ? `mailto:${contact}` : `${origin}/contact`}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${origin}/.well-known/security.txt`,
    `Policy: ${origin}/contact#security`,
  ];
  return `${lines.join("\n")}\n`;
}
