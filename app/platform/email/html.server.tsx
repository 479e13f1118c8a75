import type { CSSProperties, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Email } from "./content";
import { PALETTE } from "./palette";

const { light, dark } = PALETTE;

const TEXT = "Onest, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
/** Every digit as wide as the next, and none that looks like another. */
const DIGITS = "Consolas, Menlo, 'Courier New', monospace";

/**
 * Light stands in `style`, where every program reads it; dark is for those that read a style sheet as well. React escapes
 * it like any text, which a style sheet does not undo: it holds no quotes, no `>` and no `&`.
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

const body: CSSProperties = { fontFamily: TEXT, fontSize: 16, lineHeight: "25px", color: light.text };
const small: CSSProperties = { ...body, fontSize: 13, lineHeight: "20px", color: light.muted };

/**
 * The e-mail as HTML for programs from Outlook to Gmail: tables, styles in place, nothing that is loaded. React escapes
 * what it says; the Worker carries it for the pages anyway.
 */
export function renderEmailHtml(email: Email): string {
  return `<!DOCTYPE html>${renderToStaticMarkup(<EmailDocument {...email} />)}`;
}

function EmailDocument({ subject, paragraphs, code, action, notes = [] }: Email) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* A code is no telephone number. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
        <meta name="x-apple-disable-message-reformatting" />
        <title>{subject}</title>
        <style>{STYLES}</style>
      </head>
      <body className="floor" style={{ margin: 0, padding: 0, backgroundColor: light.floor }}>
        <Preheader>{paragraphs[0]}</Preheader>
        <Table className="floor" style={{ backgroundColor: light.floor }}>
          <td align="center" style={{ padding: "28px 12px 40px" }}>
            <Table width={600} style={{ maxWidth: 600 }}>
              <td align="left" style={{ padding: "0 0 16px" }}>
                <Logo />
              </td>
            </Table>
            <Table width={600} style={{ maxWidth: 600 }}>
              <td
                className="sheet"
                align="left"
                style={{
                  padding: "28px 36px 32px",
                  backgroundColor: light.sheet,
                  borderTop: `4px solid ${light.text}`,
                  borderRadius: "0 0 8px 8px",
                }}
              >
                <h1 className="text" style={{ ...body, fontSize: 24, lineHeight: "30px", fontWeight: 700, margin: 0 }}>
                  {subject}
                </h1>
                {paragraphs.map((paragraph) => (
                  <p key={paragraph} className="text" style={{ ...body, margin: "16px 0 0" }}>
                    {paragraph}
                  </p>
                ))}
                {code && <Code>{code}</Code>}
                {action && <Action {...action} />}
                {notes.length > 0 && <Notes>{notes}</Notes>}
              </td>
            </Table>
          </td>
        </Table>
      </body>
    </html>
  );
}

/** What a list of e-mails shows after the subject. Nothing else may be there, so what follows is pushed out of sight. */
function Preheader({ children }: { children: ReactNode }) {
  const hidden = { display: "none", maxHeight: 0, maxWidth: 0, overflow: "hidden", opacity: 0, fontSize: 1 };
  return (
    <div style={{ ...hidden, lineHeight: "1px", color: light.floor, msoHide: "all" } as CSSProperties}>
      {children}
      {"\u00a0\u200c".repeat(80)}
    </div>
  );
}

/** One row of a table that is no table. */
function Table({
  children,
  width = "100%",
  style,
  className,
}: {
  children: ReactNode;
  width?: number | "100%";
  style?: CSSProperties;
  className?: string;
}) {
  return (
    <table
      role="presentation"
      className={className}
      width={width}
      cellPadding={0}
      cellSpacing={0}
      border={0}
      style={{ width: "100%", borderCollapse: "separate", ...style }}
    >
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  );
}

/** Five banners that hang from one line, of which the last is yours; drawn in cells, since pictures may not be shown. */
function Logo() {
  const bar: CSSProperties = { width: 6, height: 24, fontSize: 1, lineHeight: "1px", borderRadius: "0 0 3px 3px" };
  const gap = <td style={{ width: 3, fontSize: 1 }} />;
  const banner = (
    <>
      <td className="banner" width={6} height={24} style={{ ...bar, backgroundColor: light.banner }} />
      {gap}
    </>
  );
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          {banner}
          {banner}
          {banner}
          {banner}
          <td width={6} height={24} style={{ ...bar, backgroundColor: light.spot }} />
          <td className="text" style={{ ...body, paddingLeft: 12, fontSize: 20, lineHeight: "24px", fontWeight: 700 }}>
            Lineup
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** The code, large, and all of it selected by one press. */
function Code({ children }: { children: string }) {
  return (
    <Table style={{ margin: "24px 0 0" }}>
      <td
        className="raised"
        align="center"
        style={{ padding: "20px 12px", backgroundColor: light.raised, borderRadius: 6 }}
      >
        <span
          className="code text"
          style={{
            fontFamily: DIGITS,
            fontSize: 40,
            lineHeight: "48px",
            fontWeight: 700,
            letterSpacing: 8,
            color: light.text,
            userSelect: "all",
          }}
        >
          {children}
        </span>
      </td>
    </Table>
  );
}

/** A button that is one in Outlook too (which knows no padding of links), and its address in full. */
function Action({ label, link }: { label: string; link: string }) {
  const button = { backgroundColor: light.spot, border: `1px solid ${light["spot-edge"]}`, borderRadius: 6 };
  return (
    <>
      <table role="presentation" cellPadding={0} cellSpacing={0} border={0} style={{ margin: "24px 0 0" }}>
        <tbody>
          <tr>
            <td className="spot" align="center" style={{ ...button, msoPaddingAlt: "12px 22px" } as CSSProperties}>
              <a
                href={link}
                style={{
                  display: "inline-block",
                  padding: "12px 22px",
                  fontFamily: TEXT,
                  fontSize: 16,
                  lineHeight: "20px",
                  fontWeight: 700,
                  color: light["on-spot"],
                  textDecoration: "none",
                }}
              >
                {label}
              </a>
            </td>
          </tr>
        </tbody>
      </table>
      <p className="muted" style={{ ...small, margin: "16px 0 0" }}>
        If the button does nothing, open this address:
        <br />
        <a className="link" href={link} style={{ color: light["spot-text"], wordBreak: "break-all" }}>
          {link}
        </a>
      </p>
    </>
  );
}

function Notes({ children }: { children: readonly string[] }) {
  return (
    <Table style={{ margin: "28px 0 0" }}>
      <td className="line" style={{ borderTop: `1px solid ${light.line}`, padding: "16px 0 0" }}>
        {children.map((note, index) => (
          <p key={note} className="muted" style={{ ...small, margin: index === 0 ? 0 : "6px 0 0" }}>
            {note}
          </p>
        ))}
      </td>
    </Table>
  );
}
