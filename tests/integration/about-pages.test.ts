import { describe, expect, test } from "vitest";
import { COOKIES } from "../../app/features/about/browser-data";
import { KEPT_DATA } from "../../app/features/about/kept-data";
import { COMMUNITY_RULES } from "../../app/features/moderation/community-rules";
import { useApp } from "../support/app";
import { heading, links, main, select, selectEach, textOf, texts } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { DAY, newVisitor } from "./players";

const PAGES = {
  "/rules": "Code of conduct",
  "/terms": "Terms",
  "/privacy": "Privacy",
  "/contact": "Contact",
  "/imprint": "Imprint",
};
const PATHS = Object.keys(PAGES);
const SECURITY_TXT = "/.well-known/security.txt";

const OPERATOR = {
  OPERATOR_NAME: "Jo Doe",
  OPERATOR_ADDRESS: "Main Street 1\n12345 Somewhere",
  CONTACT_EMAIL: "hello@lineup.example",
  SECURITY_EMAIL: "security@lineup.example",
};

const hrefs = (html: string) => links(html).map(({ href }) => href);
/** The fields of `security.txt`, by name. */
const fieldsOf = (text: string) =>
  Object.fromEntries(
    text
      .trim()
      .split("\n")
      .map((line) => line.split(/: (.*)/s)),
  );

describe("a site whose operator is named", () => {
  const app = useApp({ bindings: OPERATOR });

  test.each(Object.entries(PAGES))("%s loads without the database and without scripts", async (path, name) => {
    const page = await app.client().get(path);
    expect(page.status).toBe(200);
    expect(heading(page.text)).toBe(name);
    expect(roundTrips(page)).toBe(0);
    expect(selectEach(page.text, "script[src], script:not([src])").length).toBe(0);
  });

  test("shows signed-in players their header on these pages, at the cost of one round trip", async () => {
    const { client } = await newVisitor(app);
    for (const path of PATHS) {
      const page = await client.get(path);
      expect(page.status, path).toBe(200);
      expect(texts(page.text, "nav[aria-label=Dashboard] a"), path).toContain("LFG");
      expect(roundTrips(page), path).toBe(1);
    }
  });

  test("links the about pages in the footer of every kind of page", async () => {
    const { client } = await newVisitor(app);
    const guest = app.client();
    const pages = [
      await guest.get("/"),
      await guest.get("/auth"),
      await guest.get("/no/such/page"),
      await guest.get("/rules"),
      await client.get("/dashboard"),
      await client.get("/dashboard/messages"),
      await client.get("/dashboard/settings"),
    ];
    for (const { text } of pages) {
      expect(selectEach(text, "footer li a").map((link) => link.attr("href"))).toEqual([...PATHS, SECURITY_TXT]);
    }
  });

  test("says at sign-up how old players must be, and links terms, rules and privacy", async () => {
    const page = await app.client().get("/auth?tab=sign-up");
    expect(main(page.text)).toContain("You need to be at least 13, or 16 where your country requires it.");
    const named = selectEach(page.text, "main a").map((link) => link.attr("href"));
    expect(named).toEqual(expect.arrayContaining(["/terms", "/rules", "/privacy"]));
    expect(main((await app.client().get("/auth")).text)).not.toContain("You need to be at least 13");
  });

  test("numbers its rules, each with an anchor", async () => {
    const { text } = await app.client().get("/rules");
    expect(selectEach(text, "main ol > li").map((item) => item.attr("id"))).toEqual(
      COMMUNITY_RULES.map(({ number }) => `rule-${number}`),
    );
    expect(texts(text, "main ol h2")).toEqual(COMMUNITY_RULES.map(({ title }) => title));
  });

  test("names the operator, the postal address and where to write to", async () => {
    const imprint = await app.client().get("/imprint");
    expect(textOf(select(imprint.text, "address"))).toBe("Jo Doe Main Street 1 12345 Somewhere");
    for (const path of ["/imprint", "/privacy", "/contact"]) {
      expect(hrefs((await app.client().get(path)).text), path).toContain("mailto:hello@lineup.example");
    }
    expect(main((await app.client().get("/terms")).text)).toContain("between you and Jo Doe");
    expect(hrefs((await app.client().get("/contact")).text)).toContain("mailto:security@lineup.example");
  });

  test("says where complaints under the UK's Online Safety Act go", async () => {
    const words = main((await app.client().get("/contact")).text);
    expect(words).toContain("Complaints under the UK's Online Safety Act go to the same address");
  });

  test("has anchors for every link within these pages", async () => {
    for (const path of PATHS) {
      const { text } = await app.client().get(path);
      for (const href of hrefs(text).filter((one) => one?.includes("#"))) {
        const [target, anchor] = (href as string).split("#");
        const page = target ? await app.client().get(target) : { text };
        expect(select(page.text, `[id="${anchor}"]`).length, `${path}: ${href}`).toBe(1);
      }
    }
  });

  test("gives each kind of data and each cookie exactly one row on /privacy", async () => {
    const { text } = await app.client().get("/privacy");
    const rows = texts(text, "main tbody th");
    for (const { what } of KEPT_DATA) expect(rows.filter((row) => row === what)).toHaveLength(1);
    for (const { name } of COOKIES) expect(rows.filter((row) => row === name)).toHaveLength(1);
    expect(main(text)).toContain("why there's no banner");
  });

  test("says that the data of a Riot account stays until erasure, and only the claim ends earlier", async () => {
    const words = main((await app.client().get("/privacy")).text);
    expect(words).toContain("Until your account is erased. Your claim to the Riot account ends earlier if");
  });

  test("serves a security.txt that follows RFC 9116", async () => {
    const answer = await app.client().get(SECURITY_TXT);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("Cache-Control")).toMatch(/^public, max-age=\d+$/);
    const { Expires, ...fields } = fieldsOf(answer.text);
    expect(fields).toEqual({
      Contact: "mailto:security@lineup.example",
      "Preferred-Languages": "en",
      Canonical: app.url + SECURITY_TXT,
      Policy: `${app.url}/contact#security`,
    });
    expect(Expires).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
    const left = Date.parse(Expires as string) - Date.now();
    expect(left).toBeGreaterThan(80 * DAY);
    expect(left).toBeLessThan(365 * DAY);
  });

  test("leads password managers to the page for changing the password", async () => {
    const { client } = await newVisitor(app);
    const answer = await client.get("/.well-known/change-password");
    expect([answer.status, answer.location]).toEqual([302, "/dashboard/settings/password"]);
    expect((await client.follow(answer)).status).toBe(200);
    // Password managers check that unknown addresses aren't answered with 200.
    const unknown = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
    expect((await client.get(unknown)).status).toBe(404);
  });
});

describe("a site whose operator isn't named", () => {
  const app = useApp();

  test("says so, and its security.txt names the contact page", async () => {
    for (const path of ["/imprint", "/privacy", "/terms"]) {
      expect(main((await app.client().get(path)).text), path).toContain("isn't named yet");
    }
    expect(main((await app.client().get("/contact")).text)).toContain("hasn't given an email address yet");
    expect(fieldsOf((await app.client().get(SECURITY_TXT)).text)).toMatchObject({ Contact: `${app.url}/contact` });
  });

  test("names only the services that it uses", async () => {
    const words = main((await app.client().get("/privacy")).text);
    expect(words).toContain("Riot Games gets the name");
    for (const absent of ["Turnstile", "email provider at"]) expect(words).not.toContain(absent);
  });
});
