import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { recipientsOf } from "../../app/features/about/recipients";
import { emailChangedEmail, upheldEmail } from "../../app/features/auth/emails";
import {
  recoveryCodesRenewedEmail,
  recoveryCodeUsedEmail,
  twoFactorOffEmail,
  twoFactorOnEmail,
} from "../../app/features/auth/two-factor/two-factor-emails";
import { contactPoint, operatorOf } from "../../app/platform/operator";
import { findOriginProblems, missingOperatorSettings } from "../../scripts/local/operator-settings";

const ROOT = join(import.meta.dirname, "../..");

const origin = "https://lineup.example";

describe("the operator", () => {
  it("is unknown without settings, and emails then name the contact page", () => {
    expect(operatorOf({})).toEqual({ name: null, address: null, contactEmail: null, securityEmail: null });
    expect(contactPoint({ env: {}, origin })).toBe("https://lineup.example/contact");
  });

  it("takes security reports at the contact address unless they have an address of their own", () => {
    const CONTACT_EMAIL = "hello@lineup.example";
    const SECURITY_EMAIL = "security@lineup.example";
    expect(operatorOf({ CONTACT_EMAIL }).securityEmail).toBe(CONTACT_EMAIL);
    expect(operatorOf({ CONTACT_EMAIL, SECURITY_EMAIL }).securityEmail).toBe(SECURITY_EMAIL);
    expect(contactPoint({ env: { CONTACT_EMAIL }, origin })).toBe(CONTACT_EMAIL);
  });
});

it("An email that says “write to us” says where", () => {
  const [to, link, contact] = ["player@lineup.example", origin, "hello@lineup.example"];
  for (const { paragraphs, notes = [] } of [
    upheldEmail(to, link, contact),
    emailChangedEmail(to, contact),
    twoFactorOnEmail(to, link, contact),
    twoFactorOffEmail(to, link, contact),
    recoveryCodesRenewedEmail(to, link, contact),
    recoveryCodeUsedEmail(to, 3, link, contact),
  ]) {
    expect([...paragraphs, ...notes].join(" ")).toMatch(/[Ww]rite to us.* at hello@lineup\.example$/);
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
      "The email provider at api.resend.com",
      "Riot Games",
      "Discord",
      "Cloudflare Turnstile",
    ]);
  });

  it("include Turnstile for reports by visitors, too", () => {
    const turnstile = recipientsOf({ LIBSQL_URL, TURNSTILE_SITE_KEY: "2" }).at(-1);
    expect(turnstile?.gets).toContain("sign up, ask for an email or report something without an account");
  });
});

describe("npm run deploy", () => {
  const dir = mkdtempSync(join(tmpdir(), "lineup-operator-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  let files = 0;
  const withVars = (vars: string, top = "") => {
    files += 1;
    const path = join(dir, `wrangler-${files}.toml`);
    writeFileSync(path, `name = "lineup"\ncompatibility_date = "2026-04-20"\n${top}\n[vars]\n${vars}\n`);
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

  /** Runs `npm run deploy` for a database that doesn't answer, so it gets no further than the migrations. */
  const deploy = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "scripts/deploy.ts", ...args], {
      ...{ cwd: ROOT, encoding: "utf8" },
      env: { ...process.env, LIBSQL_URL: "http://127.0.0.1:9" },
    });
    return { status, lines: stderr.trim().split("\n") };
  };

  it("says, before it touches the database, that it removes variables that are only in Cloudflare's dashboard", () => {
    const { status, lines } = deploy("--var", "APP_ORIGIN:https://lineup.example");
    expect([status, ...lines.slice(0, 5)]).toEqual([
      1,
      expect.stringMatching(/^The site's pages can't name its operator\./),
      ...["OPERATOR_NAME", "OPERATOR_ADDRESS", "CONTACT_EMAIL"].map((name) => expect.stringContaining(name)),
      expect.stringMatching(/only in Cloudflare's dashboard .* this deploy removes it there\.$/),
    ]);
  }, 120_000);

  it("stops without the site's origin, before it touches the database", () => {
    expect(findOriginProblems(withVars(""), [])).toEqual([expect.stringContaining("APP_ORIGIN")]);
    expect(findOriginProblems(withVars(""), ["--var", "APP_ORIGIN:http://lineup.example"])).toHaveLength(1);
    expect(findOriginProblems(withVars(""), ["--var", "APP_ORIGIN:https://lineup.example"])).toEqual([]);
    const { status, lines } = deploy("--var", "APP_ORIGIN:");
    expect([status, lines[0], lines.at(-1)]).toEqual([
      ...[1, expect.stringMatching(/^Set APP_ORIGIN/), expect.stringMatching(/^Nothing was deployed\./)],
    ]);
  }, 120_000);

  it("stops if the site has a route and another address besides", () => {
    const site = 'APP_ORIGIN = "https://lineup.example"';
    const routes = 'routes = [{ pattern = "lineup.example", custom_domain = true }]';
    const problems = (top: string, ...args: string[]) =>
      findOriginProblems(withVars(site, top), args).map((line) => line.split(" ")[1]);
    expect(problems(routes)).toEqual(["workers_dev", "preview_urls"]);
    expect(problems("", "--domain", "lineup.example")).toEqual(["workers_dev", "preview_urls"]);
    expect(problems(`${routes}\nworkers_dev = false`)).toEqual(["preview_urls"]);
    expect(problems(`${routes}\nworkers_dev = false\npreview_urls = false`)).toEqual([]);
    expect(problems("")).toEqual([]);
  });
});
