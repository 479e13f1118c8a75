import type { Email } from "./email";
import { renderEmailHtml } from "./html.server";

/** @returns the e-mail as plain text (`body`) and as HTML */
export function renderEmail(email: Email): { body: string; html: string } {
  const { paragraphs, code, action, notes = [] } = email;
  const parts = [
    "Hello,",
    ...paragraphs,
    ...(code ? [`Your code: ${code}`] : []),
    ...(action ? [`${action.label}:\n${action.link}`] : []),
    ...notes,
    "Lineup",
  ];
  return { body: parts.join("\n\n"), html: renderEmailHtml(email) };
}
