import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recipientsOf } from "../../app/features/about/recipients";
import { emailChangedEmail, upheldEmail } from "../../app/features/auth/emails";
import {
  recoveryCodesRenewedEmail,
  recoveryCodeUsedEmail,
  twoFactorOffEmail,
  twoFactorOnEmail,
} from "../../app/features/auth/two-factor/two-factor-emails";
import { contactPoint, operatorOf } from "../../app/platform/operator";
import { missingOperatorSettings } from "../../scripts/local/operator-settings";

const origin = "https://lineup.example";

describe("the operator", () => {
  it("is unknown without settings, and e-mails then name the contact page", () => {
    expect(operatorOf({})).toEqual({ name: null, address: null, contactEmail: null, securityEmail: null });
    expect(contactPoint({ env: {}, origin })).toBe("https://lineup.example/contact");
  });

  it("takes reports about security at the contact address unless there is one for them", () => {
    const CONTACT_EMAIL = "hello@lineup.example";
    const SECURITY_EMAIL = "security@lineup.example";
    expect(operatorOf({ CONTACT_EMAIL }).securityEmail).toBe(CONTACT_EMAIL);
    expect(operatorOf({ CONTACT_EMAIL, SECURITY_EMAIL }).securityEmail).toBe(SECURITY_EMAIL);
    expect(contactPoint({ env: { CONTACT_EMAIL }, origin })).toBe(CONTACT_EMAIL);
  });
});

it("An e-mail that says “write to us” names where", () => {
  const [to, link, contact] = ["player@lineup.example", origin, "hello@lineup.example"];
  for (const { paragraphs, notes = [] } of [
    upheldEmail(to, link, contact),
    emailChangedEmail(to, contact),
    twoFactorOnEmail(to, link, contact),
    twoFactorOffEmail(to, link, contact),
    recoveryCodesRenewedEmail(to, link, contact),
    recoveryCodeUsedEmail(to, 3, link, contact),
  ]) {
    expect([...paragraphs, ...notes].join(" ")).toMatch(/write to us.* at hello@lineup\.example$/);
  }
});

describe("the services that get data", () => {
  const LIBSQL_URL = "libsql://lineup-somebody.turso.io";
  const names = (env: Partial<Parameters<typeof recipientsOf>[0]>) =>
    recipientsOf({ LIBSQL_URL, ...env }).map(({ name }) => name);

  it("are those that the settings name, and no others", () => {
    expect(names({})).toEqual(["Cloudflare", "Turso", "Riot Games"]);
    expect(names({ LIBSQL_URL: "https://db.lineup.example" })[1]).toBe("The database's host");
    const all = { EMAIL_API_URL: "https://api.resend.com/emails", DISCORD_CLIENT_ID: "1", TURNSTILE_SITE_KEY: "2" };
    expect(names(all)).toEqual([
      "Cloudflare",
      "Turso",
      "The e-mail provider at api.resend.com",
      "Riot Games",
      "Discord",
      "Cloudflare Turnstile",
    ]);
  });
});

describe("npm run deploy", () => {
  const withVars = (vars: string) => {
    const path = join(mkdtempSync(join(tmpdir(), "lineup-operator-")), "wrangler.toml");
    writeFileSync(path, `name = "lineup"\ncompatibility_date = "2026-04-20"\n[vars]\n${vars}\n`);
    return path;
  };
  const missing = (vars: string, ...args: string[]) =>
    missingOperatorSettings(withVars(vars), args).map((line) => line.split(":")[0]);

  it("names each setting about the operator that is missing or empty, with its purpose", () => {
    expect(missing('CONTACT_EMAIL = " "')).toEqual(["OPERATOR_NAME", "OPERATOR_ADDRESS", "CONTACT_EMAIL"]);
    expect(missingOperatorSettings(withVars(""), [])[0]).toMatch(/^OPERATOR_NAME: who runs the site/);
  });

  it("names none that wrangler.toml or an argument sets", () => {
    const vars = 'OPERATOR_NAME = "Jo Doe"\nOPERATOR_ADDRESS = """Main Street 1\nSomewhere"""';
    expect(missing(vars)).toEqual(["CONTACT_EMAIL"]);
    expect(missing(vars, "--var", "CONTACT_EMAIL:hello@lineup.example")).toEqual([]);
    expect(missing(vars, "--var=CONTACT_EMAIL:hello@lineup.example")).toEqual([]);
    expect(missing(vars, "--var", "CONTACT_EMAIL:")).toEqual(["CONTACT_EMAIL"]);
  });
});
