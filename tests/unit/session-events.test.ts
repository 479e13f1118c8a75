import { describe, expect, test } from "vitest";
import { createSessionEvents, readAuthEvents, type TabMessage } from "../../app/features/auth/sessions/session-events";

const one = { id: "one" };
const other = { id: "other" };

/** A tab that has been open for a while, and the events it has passed on since. */
function openTab(user: { id: string } | null) {
  const tab = createSessionEvents(user);
  const told: string[] = [];
  tab.subscribe((event, who) => told.push(`${event} ${who?.id ?? "nobody"}`));
  told.splice(0);
  return { ...tab, told };
}

describe("the cookie of events", () => {
  test.each([
    ["", []],
    ["lineup_theme=dark; lineup_toast=%7B%7D", []],
    ["lineup_event=SIGNED_IN", ["SIGNED_IN"]],
    ["a=b; lineup_event=SIGNED_IN%2CMFA_CHALLENGE_VERIFIED; c=D_E_F_G", ["SIGNED_IN", "MFA_CHALLENGE_VERIFIED"]],
    ["lineup_event=USER_UPDATED,SIGNED_OUT", ["USER_UPDATED", "SIGNED_OUT"]],
    ["lineup_event=", []],
    ["lineup_event=%E0%A4%A; x=SIGNED_IN", []],
  ])("%j holds %j", (cookie, events) => {
    expect(readAuthEvents(cookie)).toEqual(events);
  });
});

describe("a tab", () => {
  test("tells each new listener the session's state", () => {
    for (const user of [one, null]) {
      const told: unknown[] = [];
      createSessionEvents(user).subscribe((...event) => told.push(event));
      expect(told).toEqual([["INITIAL_SESSION", user]]);
    }
  });

  test("passes on this browser's events, and tells the other tabs", () => {
    const tab = openTab(null);
    expect(tab.loaded(one, ["SIGNED_IN"])).toEqual({ userId: "one", events: ["SIGNED_IN"] });
    expect(tab.told).toEqual(["SIGNED_IN one"]);
    expect(tab.loaded(null, ["SIGNED_OUT"])).toEqual({ userId: "", events: ["SIGNED_OUT"] });
    expect(tab.told).toEqual(["SIGNED_IN one", "SIGNED_OUT nobody"]);
  });

  test("reloads when another tab has events, then passes them on to its own listeners only", () => {
    const tab = openTab(one);
    expect(tab.receive({ userId: "other", events: ["SIGNED_IN"] })).toBe(true);
    expect(tab.told).toEqual([]);
    expect(tab.loaded(other, [])).toEqual({ userId: "other", events: [] });
    expect(tab.told).toEqual(["SIGNED_IN other"]);
    expect(tab.loaded(other, [])).toEqual({ userId: "other", events: [] });
    expect(tab.told).toEqual(["SIGNED_IN other"]);
  });

  test("reloads for another player or for new events, but not when another tab shows the same state", () => {
    const tab = openTab(one);
    const says = (userId: string, ...events: TabMessage["events"]) => tab.receive({ userId, events });
    expect(says("one")).toBe(false);
    expect(says("")).toBe(true);
    expect(says("other")).toBe(true);
    expect(says("one", "USER_UPDATED")).toBe(true);
    expect(openTab(null).receive({ userId: "", events: [] })).toBe(false);
  });

  test("notices a session that ended or started without an event, and sends the event itself", () => {
    const tab = openTab(one);
    tab.loaded(null, []);
    tab.loaded(other, []);
    tab.loaded(one, ["PASSWORD_RECOVERY"]);
    expect(tab.told).toEqual(["SIGNED_OUT nobody", "SIGNED_IN other", "PASSWORD_RECOVERY one", "SIGNED_IN one"]);
  });

  test("sends nothing to a listener that has unsubscribed", () => {
    const tab = createSessionEvents<{ id: string }>(one);
    const told: string[] = [];
    tab.subscribe((event) => told.push(event))();
    tab.loaded(null, ["SIGNED_OUT"]);
    expect(told).toEqual(["INITIAL_SESSION"]);
  });

  test("doesn't reply to a reply, so two tabs stop sending each other messages", () => {
    const [here, there] = [openTab(one), openTab(one)];
    let messages = 0;
    let toThere: TabMessage | null = here.loaded(null, ["SIGNED_OUT"]);
    while (toThere && messages < 10) {
      messages += 1;
      const answer: TabMessage | null = there.receive(toThere) ? there.loaded(null, []) : null;
      toThere = answer && here.receive(answer) ? here.loaded(null, []) : null;
    }
    expect(messages).toBe(1);
    expect(there.told).toEqual(["SIGNED_OUT nobody"]);
  });
});
