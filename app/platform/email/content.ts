import type { Email } from "./email";
import { renderEmailHtml } from "./html.server";

/**
 * Renders an email.
 * @returns its plain text (`body`) and its HTML
 */
export function renderEmail(email: Email): { body: string; html: string } {
  const { paragraphs, code, action, notes = [], unsubscribe } = email;
  const parts = [
    "Hello,",
    ...paragraphs,
    ...(code ? [`Your code: ${code}`] : []),
    ...(action ? [`${action.label}:\n${action.link}`] : []),
    ...notes,
    ...(unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.link}`] : []),
    "Lineup",
  ];
  return { body: parts.join("\n\n"), html: renderEmailHtml(email) };
}
