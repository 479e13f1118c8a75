import { describe, expect, test } from "vitest";
import { NEWS_GROUPS } from "#db/words/news-groups";
import { NEWS_KINDS, STAFF_KINDS } from "#db/words/news-kinds";
import { newsEmail } from "~/features/notifications/email/rules";
import { readUnsubscription, unsubscribePath } from "~/features/notifications/email/token.server";
import { NOTIFICATION_KINDS } from "~/features/notifications/kinds";
import { isPushed } from "~/features/notifications/rules";
import { completeSwitches, groupOf, isEmailed, isOnByDefault, kindsOf } from "~/features/notifications/switches";
import { renderEmail } from "~/platform/email/content";
import { isOriginAllowed } from "~/platform/request/origin";

describe("The groups", () => {
  test("hold each kind once, in the order of the settings page, except those that only moderators get", () => {
    expect([...NEWS_GROUPS.flatMap(kindsOf), ...STAFF_KINDS]).toEqual([...NEWS_KINDS]);
    for (const kind of NEWS_KINDS) {
      const group = groupOf(kind);
      if (group) expect(kindsOf(group)).toContain(kind);
    }
  });

  test("leave out the kinds that have no checkbox", () => {
    const withoutCheckbox = NOTIFICATION_KINDS.filter(({ setting }) => !setting).map(({ name }) => name);
    expect(NEWS_KINDS.filter((kind) => !groupOf(kind))).toEqual(withoutCheckbox);
  });

  test("each have something to push and something to email", () => {
    for (const group of NEWS_GROUPS) {
      expect(kindsOf(group).some(isPushed), group).toBe(true);
      expect(kindsOf(group).some(isEmailed), group).toBe(true);
    }
  });

  test("are on unless the player or the default says otherwise", () => {
    const switches = completeSwitches([
      { newsGroup: "team", channel: "email", isOn: false },
      { newsGroup: "account", channel: "push", isOn: true },
    ]);
    expect(switches.team).toEqual({ bell: true, push: true, email: false });
    expect(switches.account).toEqual({ bell: true, push: true, email: false });
    for (const group of NEWS_GROUPS) expect(isOnByDefault(group, "bell")).toBe(true);
  });
});

describe("The email about unread news", () => {
  const unsubscribeUrl = "https://lineup.test/unsubscribe/x";
  const emailOf = (...sentences: string[]) =>
    newsEmail({
      ...{ recipient: "a@lineup.test", sentences, origin: "https://lineup.test", unsubscribeUrl },
      groups: ["messages", "team", "account"],
    });

  test("says what is new in its subject if that is one thing, and counts otherwise", () => {
    expect(emailOf("New message from Reyna").subject).toBe("New message from Reyna");
    expect(emailOf("One", "Two").subject).toBe("2 things are waiting for you on Lineup");
  });

  test("lists ten sentences and counts the rest", () => {
    const { body } = renderEmail(emailOf(...Array.from({ length: 13 }, (_, index) => `News ${index}.`)));
    expect(body.match(/• News/g)).toHaveLength(10);
    expect(body).toContain("And 3 more.");
  });

  test("has no link that stops it if all of it is for moderators, and says why", () => {
    const moderators = newsEmail({
      ...{ recipient: "a@lineup.test", sentences: ["An urgent report is waiting"], groups: [] },
      ...{ origin: "https://lineup.test", unsubscribeUrl },
    });
    expect(moderators.unsubscribe).toBeUndefined();
    expect(renderEmail(moderators).body).toContain("You get this because you're a moderator.");
  });

  test("ends with the link that stops such emails, as text and as HTML", () => {
    const { body, html } = renderEmail(emailOf("<b>Bold</b>"));
    expect(body).toContain(`Stop emails about messages, your team and your account:\n${unsubscribeUrl}`);
    expect(html).toContain(`href="${unsubscribeUrl}"`);
    expect(html).not.toContain("<b>Bold</b>");
  });
});

describe("The token that unsubscribes", () => {
  const env = { SESSION_SECRET: ["new", "old"] };
  const own = { userId: "01a2", groups: ["messages" as const, "account" as const] };
  const tokenOf = (secrets: string[]) => unsubscribePath({ SESSION_SECRET: secrets }, own).split("/").at(-1) as string;

  test("is read with any of the secrets, and with no other", () => {
    expect(readUnsubscription(env, tokenOf(["new"]))).toEqual(own);
    expect(readUnsubscription(env, tokenOf(["old"]))).toEqual(own);
    expect(readUnsubscription(env, tokenOf(["stolen"]))).toBeNull();
  });

  test("can't be changed", () => {
    const token = tokenOf(["new"]);
    for (const forged of [token.replace("01a2", "01a3"), token.replace("messages", "team"), `${token}A`, "", "a.b"]) {
      expect(readUnsubscription(env, forged), forged).toBeNull();
    }
  });
});

describe("The exceptions to the origin check", () => {
  const OWN = "https://lineup.test";
  const isAllowed = (path: string, headers: Record<string, string> = {}) =>
    isOriginAllowed(new Request(OWN + path, { method: "POST", headers }), OWN);
  const EVIL = { Origin: "https://evil.example" };
  const COOKIE = { Cookie: "__Host-lineup_session=x" };

  test("let mail programs unsubscribe with any origin or none, and programs use the API only without one", () => {
    expect([isAllowed("/unsubscribe/a.b.c"), isAllowed("/unsubscribe/a.b.c", EVIL)]).toEqual([true, true]);
    expect([isAllowed("/riot-api/verify-account"), isAllowed("/riot-api/verify-account", EVIL)]).toEqual([true, false]);
  });

  test("never apply to a request with a cookie or to another address", () => {
    for (const path of ["/unsubscribe/a.b.c", "/riot-api/verify-account"]) {
      expect(isAllowed(path, COOKIE)).toBe(false);
      expect(isAllowed(path, { ...COOKIE, ...EVIL })).toBe(false);
    }
    for (const path of ["/auth", "/unsubscribe", "/unsubscribe/a/b", "/x/unsubscribe/a", "/unsubscribe/../auth"]) {
      expect(isAllowed(path, EVIL), path).toBe(false);
    }
  });
});
