import type { Email } from "./email";
import { html, type Markup } from "./markup";
import { PALETTE } from "./palette";

const { light, dark } = PALETTE;

const TEXT = "Onest, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
/** Digits of equal width that can't be mistaken for each other. */
const DIGITS = "Consolas, Menlo, 'Courier New', monospace";

/**
 * Light colours are inline in `style`, which every email program reads; dark ones are for programs that also read a
 * style sheet. The template escapes this text like any other, but HTML doesn't decode entities inside `<style>`, so it
 * must contain no quotes, `<`, `>` or `&`.
 */
const STYLES = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .floor { background-color: ${dark.floor} !important; }
  .sheet { background-color: ${dark.sheet} !important; border-top-color: ${dark.text} !important; }
  .raised { background-color: ${dark.raised} !important; }
  .text { color: ${dark.text} !important; }
  .muted { color: ${dark.muted} !important; }
  .link { color: ${dark["spot-text"]} !important; }
  .line { border-top-color: ${dark.line} !important; }
  .banner { background-color: ${dark.banner} !important; }
  .spot { border-color: ${dark["spot-edge"]} !important; }
}
@media (max-width: 480px) {
  .sheet { padding: 24px 20px 28px !important; }
  .code { font-size: 32px !important; letter-spacing: 5px !important; }
}
`;

const type = (size: number, line: number, colour: string = light.text) =>
  `font-family:${TEXT};font-size:${size}px;line-height:${line}px;color:${colour}`;

const BODY = type(16, 25);
const SMALL = type(13, 20, light.muted);
const TITLE = `${type(24, 30)};font-weight:700;margin:0`;

/** The attributes of a table used for layout. */
const LAYOUT = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;

/**
 * Renders the email as HTML for all programs from Outlook to Gmail, with tables and inline styles. It loads no images,
 * fonts or other files.
 */
export function renderEmailHtml({ subject, paragraphs, code, action, notes = [], unsubscribe }: Email): string {
  const words = html`
    <h1 class="text" style="${TITLE}">${subject}</h1>
    ${paragraphs.map((paragraph) => html`<p class="text" style="${BODY};margin:16px 0 0">${paragraph}</p>`)}
    ${code && codeBox(code)}
    ${action && actionButton(action)}
    ${(notes.length > 0 || unsubscribe) && smallPrint(notes, unsubscribe)}
  `;
  const sheet = `padding:28px 36px 32px;background-color:${light.sheet};border-top:4px solid ${light.text};border-radius:0 0 8px 8px`;
  const page = html`
    ${row(html`<td align="left" style="padding:0 0 16px">${logo()}</td>`, SHEET_WIDTH)}
    ${row(html`<td class="sheet" align="left" style="${sheet}">${words}</td>`, SHEET_WIDTH)}
  `;
  const floor = { className: "floor", style: `background-color:${light.floor}` };
  // `format-detection`: keeps codes from becoming telephone links.
  return html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <meta name="supported-color-schemes" content="light dark"/>
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no"/>
        <meta name="x-apple-disable-message-reformatting"/>
        <title>${subject}</title>
        <style>${STYLES}</style>
      </head>
      <body class="floor" style="margin:0;padding:0;background-color:${light.floor}">
        ${preheader(paragraphs[0])}
        ${row(html`<td align="center" style="padding:28px 12px 40px">${page}</td>`, floor)}
      </body>
    </html>
  `.text;
}

/**
 * The preview that email lists show after the subject. The filler pushes the rest of the email out of the preview.
 */
function preheader(text = ""): Markup {
  const hidden = "display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px";
  const filler = "\u00a0\u200c".repeat(80);
  return html`<div style="${hidden};color:${light.floor};mso-hide:all">${text}${filler}</div>`;
}

const SHEET_WIDTH = { width: 600, style: "max-width:600px" };

/** A layout table of one row. */
function row(
  cells: Markup,
  { className = "", width = "100%", style }: { className?: string; width?: number | string; style: string },
): Markup {
  const styles = `width:100%;border-collapse:separate;${style}`;
  return html`
    <table ${LAYOUT}${className && html` class="${className}"`} width="${width}" style="${styles}">
      <tbody>
        <tr>${cells}</tr>
      </tbody>
    </table>
  `;
}

/**
 * The logo: five hanging banners, the last one in the accent colour. It is drawn in table cells, since pictures may be
 * blocked.
 */
function logo(): Markup {
  const bar = "width:6px;height:24px;font-size:1px;line-height:1px;border-radius:0 0 3px 3px";
  const banner = html`
    <td class="banner" width="6" height="24" style="${bar};background-color:${light.banner}"></td>
    <td style="width:3px;font-size:1px"></td>
  `;
  return html`
    <table ${LAYOUT}>
      <tbody>
        <tr>
          ${[banner, banner, banner, banner]}
          <td width="6" height="24" style="${bar};background-color:${light.spot}"></td>
          <td class="text" style="${type(20, 24)};padding-left:12px;font-weight:700">Lineup</td>
        </tr>
      </tbody>
    </table>
  `;
}

/** The code in large digits; one click selects all of it. */
function codeBox(code: string): Markup {
  const cell = `padding:20px 12px;background-color:${light.raised};border-radius:6px`;
  const digits = `font-family:${DIGITS};font-size:40px;line-height:48px;font-weight:700;letter-spacing:8px;color:${light.text};user-select:all`;
  const box = html`
    <td class="raised" align="center" style="${cell}">
      <span class="code text" style="${digits}">${code}</span>
    </td>
  `;
  return row(box, { style: "margin:24px 0 0" });
}

/** A button that also works in Outlook (which ignores the padding of links), and its URL in full. */
function actionButton({ label, link }: { label: string; link: string }): Markup {
  const cell = `background-color:${light.spot};border:1px solid ${light["spot-edge"]};border-radius:6px;mso-padding-alt:12px 22px`;
  const button = `display:inline-block;padding:12px 22px;${type(16, 20, light["on-spot"])};font-weight:700;text-decoration:none`;
  return html`
    <table ${LAYOUT} style="margin:24px 0 0">
      <tbody>
        <tr>
          <td class="spot" align="center" style="${cell}"><a href="${link}" style="${button}">${label}</a></td>
        </tr>
      </tbody>
    </table>
    <p class="muted" style="${SMALL};margin:16px 0 0">
      If the button does nothing, open this address:<br/>
      <a class="link" href="${link}" style="color:${light["spot-text"]};word-break:break-all">${link}</a>
    </p>
  `;
}

function smallPrint(notes: readonly string[], unsubscribe: Email["unsubscribe"]): Markup {
  const link =
    unsubscribe &&
    html`<a class="link" href="${unsubscribe.link}" style="color:${light["spot-text"]}">${unsubscribe.label}</a>`;
  const lines = [...notes, ...(link ? [link] : [])].map(
    (note, index) => html`<p class="muted" style="${SMALL};margin:${index === 0 ? "0" : "6px 0 0"}">${note}</p>`,
  );
  const cell = html`<td class="line" style="border-top:1px solid ${light.line};padding:16px 0 0">${lines}</td>`;
  return row(cell, { style: "margin:28px 0 0" });
}
