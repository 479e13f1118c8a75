import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatHex, parse } from "culori";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderEmail } from "../../app/platform/email/content";
import type { Email } from "../../app/platform/email/email";
import { PALETTE } from "../../app/platform/email/palette";
import { EmailNotSentError, parseSender, sendEmail } from "../../app/platform/email/provider.server";
import type { Env } from "../../app/platform/env";
import { parseEnv } from "../../app/platform/env";
import { ROOT } from "../../scripts/local/build";
import { textOf } from "../support/html";
import { REQUIRED_SETTINGS } from "../support/settings";

const email: Email = {
  recipient: "reader@lineup.test",
  subject: "Your code",
  paragraphs: ["Type this code.", "Or press the button."],
  code: "048215",
  action: { label: "Sign In", link: "https://lineup.test/auth/code?token=abc&purpose=sign-in" },
  notes: ["It works for 10 minutes.", "Not you? Ignore this email."],
};

const tags = (html: string) => [...html.matchAll(/<\/?([a-z][a-z0-9]*)\b/gi)].map(([tag]) => tag);

describe("an email", () => {
  const { body, html } = renderEmail(email);

  it("has the same content as text and as HTML, in the same order", () => {
    const { paragraphs, code, action, notes } = email;
    const words = [...paragraphs, code, action?.label, action?.link, ...(notes ?? [])] as string[];
    const shown = textOf(html.slice(html.indexOf("</h1>")));
    for (const text of [body, shown]) {
      const places = words.map((word) => text.indexOf(word));
      expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
  });

  it("links its button, and shows the link in full below", () => {
    const address = "https://lineup.test/auth/code?token=abc&amp;purpose=sign-in";
    expect(html.split(`href="${address}"`)).toHaveLength(3);
    expect(html).toContain(`>${address}</a>`);
  });

  it("shows its first sentence in a list of emails, and not its code", () => {
    const preheader = html.slice(html.indexOf("<body"), html.indexOf("<table"));
    expect(textOf(preheader)).toMatch(/^Type this code\./);
    expect(preheader).not.toContain(email.code);
  });

  it("loads no files and runs no scripts", () => {
    expect(html).not.toMatch(
      /<(script|img|link|iframe|svg|form|object|video|audio)\b|\bsrc=|url\(|@import|@font-face/i,
    );
    expect(html).not.toMatch(/\son\w+=/i);
  });

  it("has a style sheet that escaping has not changed", () => {
    const style = html.match(/<style>([^<]*)<\/style>/)?.[1] ?? "";
    expect(style).toContain(`.link { color: ${PALETTE.dark["spot-text"]} !important; }`);
    expect(style).not.toContain("&");
  });

  it("stays far below 102 kB, where Gmail cuts emails off", () => {
    expect(html.length).toBeLessThan(12_000);
  });

  it("leaves out the parts it doesn't have", () => {
    const { body, html } = renderEmail({ recipient: "a@lineup.test", subject: "Short", paragraphs: ["That is all."] });
    expect(body).toBe("Hello,\n\nThat is all.\n\nLineup");
    expect(html).not.toMatch(/<a\b|undefined|null/);
  });

  it("treats every text as plain text, whatever it contains", () => {
    const word = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom(
        '"><script>alert(1)</script>',
        "</style><img src=x onerror=alert(1)>",
        "' onclick='x",
        "&lt;b&gt;",
      ),
    );
    const plain = renderEmail({ ...email, subject: "S", paragraphs: ["P"], notes: ["N"], code: "C" }).html;
    fc.assert(
      fc.property(word, word, word, word, word, (subject, paragraph, label, code, note) => {
        const { html } = renderEmail({
          recipient: "a@lineup.test",
          subject,
          paragraphs: [paragraph],
          code,
          action: { label, link: `https://lineup.test/?${new URLSearchParams({ token: label })}` },
          notes: [note],
        });
        // No text opens or closes a tag, or adds an attribute.
        expect(tags(html)).toEqual(tags(plain));
        expect(html.match(/<[^>]*>/g)?.length).toBe(plain.match(/<[^>]*>/g)?.length);
      }),
    );
  });
});

describe("the colours of emails", () => {
  it("are the same as the pages' colours", () => {
    const css = readFileSync(join(ROOT, "app/styles/tokens.css"), "utf8");
    const [dark = "", light = ""] = css.split("@variant theme-light {");
    const hex = (part: string, token: string) => {
      const colour = part.match(new RegExp(`--${token}: (oklch\\([^)]*\\))`))?.[1];
      return colour && formatHex(parse(colour));
    };
    for (const [token, value] of Object.entries(PALETTE.dark)) expect(value, token).toBe(hex(dark, token));
    for (const [token, value] of Object.entries(PALETTE.light)) {
      expect(value, token).toBe(hex(light, token) ?? hex(dark, token));
    }
  });
});

describe("Cloudflare's email binding", () => {
  const outgoing = {
    id: "1",
    recipient: "reader@lineup.test",
    subject: "S",
    body: "B",
    html: "<p>B</p>",
    unsubscribeUrl: null,
  };
  const failing = (error: unknown) =>
    sendEmail(
      { EMAIL: { send: () => Promise.reject(error) }, EMAIL_FROM: "no-reply@lineup.test" } as unknown as Env,
      outgoing,
    ).then(
      () => null,
      (failure: EmailNotSentError) => failure,
    );

  it.each([
    ["E_RECIPIENT_SUPPRESSED", "recipient"],
    ["E_VALIDATION_ERROR", "email"],
    ["E_RATE_LIMIT_EXCEEDED", undefined],
    ["E_DELIVERY_FAILED", undefined],
    // The operator can fix these two, so the email stays in the outbox until then.
    ["E_SENDER_NOT_VERIFIED", undefined],
    ["E_RECIPIENT_NOT_ALLOWED", undefined],
    ["E_SOMETHING_NEW", undefined],
  ])("fails with %s (refused for good: %s)", async (code, refused) => {
    const failure = await failing(Object.assign(new Error("no mail to reader@lineup.test"), { code }));
    expect(failure).toBeInstanceOf(EmailNotSentError);
    expect(failure?.refused).toBe(refused);
    expect(failure?.message).toBe(`The email binding failed: ${code}`);
  });

  it("may fail without a code, and its error message is not passed on", async () => {
    expect(await failing(new Error("no mail to reader@lineup.test"))).toMatchObject({
      message: "The email binding failed: no code",
      refused: undefined,
    });
  });

  it("receives the sender as name and address", () => {
    expect(parseSender("Lineup <no-reply@lineup.test>")).toEqual({ name: "Lineup", email: "no-reply@lineup.test" });
    expect(parseSender('"Lineup, Inc." <a@b.test>')).toEqual({ name: "Lineup, Inc.", email: "a@b.test" });
    expect(parseSender("<a@b.test>")).toBe("a@b.test");
    expect(parseSender(" a@b.test ")).toBe("a@b.test");
  });

  it("suffices for confirming email addresses", () => {
    const settings = { ...REQUIRED_SETTINGS, REQUIRE_CONFIRMED_EMAIL: "true" };
    const EMAIL = { send: () => undefined };
    const APP_ORIGIN = "https://lineup.example";
    expect(() => parseEnv({ ...settings, APP_ORIGIN })).toThrow(/EMAIL_API_URL/);
    expect(() => parseEnv({ ...settings, APP_ORIGIN, EMAIL })).not.toThrow();
    // Without APP_ORIGIN, a request could decide where links lead.
    expect(() => parseEnv({ ...settings, EMAIL })).toThrow(/APP_ORIGIN/);
    expect(() => parseEnv({ ...settings, EMAIL: "yes" })).toThrow(/EMAIL: isn't a binding that sends email/);
  });
});
