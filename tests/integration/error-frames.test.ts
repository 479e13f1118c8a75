import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { useApp } from "../support/app";
import { addPlayedTournament } from "../support/brackets";
import { withoutTable } from "../support/broken-table";
import type { Client, HttpResponse } from "../support/client";
import { findForm, heading, links, main, meta, select, textOf, texts, title } from "../support/html";
import { addPost, newPair, newVisitor } from "./players";

const app = useApp();

const subheadings = (html: string) => texts(html, "main h2");

/** Whether the page has the header for guests. */
const hasGuestHeader = (html: string) => html.includes("Beta Launch");

const TABS = ["LFG", "Tournaments", "Players", "Chat", "Profile"];
const MISTAKE = "That was our mistake, not yours.";

/** Expects the page to have kept its header, its navigation and its footer, and to reveal no cause. */
function expectFrame({ text, headers }: HttpResponse, name: string) {
  if (!hasGuestHeader(text)) {
    expect(texts(text, "a"), name).toEqual(expect.arrayContaining(TABS));
    expect(() => findForm(text, "Sign Out"), name).not.toThrow();
  }
  expect(textOf(text), name).toContain("Riot Games, Inc.");
  expect(meta(text, "robots"), name).toBe("noindex");
  expect(headers.get("Cache-Control"), name).toBe("private, no-store");
  expect(text, name).not.toMatch(/no such table|SQLITE|hrana|_away|\bat \w+ \(/i);
}

/** Expects status 500, an error in a part of the page, and a link there to the same address, which works again now. */
async function expectMistake(client: Client, path: string, answer: HttpResponse) {
  expect(answer.status, path).toBe(500);
  expect(title(answer.text), path).toBe("Something went wrong · Lineup");
  expect(main(answer.text), path).toContain(MISTAKE);
  expectFrame(answer, path);
  const again = links(select(answer.text, "main")).find(({ text }) => text === "Try Again");
  expect(new URL(again?.href as string, app.url + path).href, path).toBe(app.url + path);
  expect((await client.get(path)).status, path).toBe(200);
}

describe("A page that fails stays in its frame", () => {
  test("a tab of the dashboard fails under the header", async () => {
    const { client } = await newVisitor(app);
    const pages = [
      ["lfg_posts", "/dashboard"],
      ["lfg_posts", "/dashboard?q=the"],
      ["tournaments", "/dashboard/tournaments"],
      ["player_facets", "/dashboard/players?role=Duelist"],
      ["conversations", "/dashboard/messages"],
      ["muted_notifications", "/dashboard/settings/notifications"],
    ] as const;
    for (const [table, path] of pages) {
      const answer = await withoutTable(app.db, table, () => client.get(path));
      await expectMistake(client, path, answer);
    }
  });

  test("the whole dashboard fails under the root's header when its own frame fails", async () => {
    const { client, player } = await newVisitor(app);
    const answer = await withoutTable(app.db, "notifications", () => client.get("/dashboard/profile"));
    await expectMistake(client, "/dashboard/profile", answer);
    expect(heading(answer.text)).toBe("Something went wrong");
    expect(textOf(answer.text)).toContain(player.email.split("@")[0]);
  });

  test("a conversation fails beside the list of conversations", async () => {
    const { one, conversationId } = await newPair(app);
    const path = `/dashboard/messages/${conversationId}`;
    const answer = await withoutTable(app.db, "messages", () => one.client.get(path));
    await expectMistake(one.client, path, answer);
    expect(heading(answer.text)).toBe("Chat");
    expect(subheadings(answer.text)).toContain("Something went wrong");
    expect(links(select(answer.text, "main")).map(({ href }) => href)).toContain(path);
    expect(links(answer.text)).toContainEqual({ text: "", href: "/dashboard/messages" });
  });

  test("a setting fails beside the list of settings", async () => {
    const { client } = await newVisitor(app);
    const path = "/dashboard/settings/blocked";
    const answer = await withoutTable(app.db, "blocks", () => client.get(path));
    await expectMistake(client, path, answer);
    expect(heading(answer.text)).toBe("Settings");
    expect(subheadings(answer.text)).toEqual(["Something went wrong"]);
    expect(texts(answer.text, "main a")).toEqual(expect.arrayContaining(["Sessions", "Blocked Players", "Calendar"]));
  });

  test("a tab of a tournament fails under the tournament's head, for players and for guests", async () => {
    const { client, player } = await newVisitor(app);
    const { id } = await addPlayedTournament(app.db, { teams: 4, captains: [player.id] });
    const visits = [
      [client, "tournament_seekers", `/tournaments/${id}/teams`],
      [app.client(), "tournament_matches", `/tournaments/${id}`],
      [app.client(), "tournament_matches", `/tournaments/${id}/matches`],
    ] as const;
    for (const [visitor, table, path] of visits) {
      const answer = await withoutTable(app.db, table, () => visitor.get(path));
      await expectMistake(visitor, path, answer);
      expect(heading(answer.text), path).toBe(heading((await visitor.get(path)).text));
      expect(texts(answer.text, "main a"), path).toEqual(
        expect.arrayContaining(["Bracket", "Players", "Matches", "Rules"]),
      );
      expect(subheadings(answer.text), path).toContain("Something went wrong");
    }
  });
});

describe("A missing page stays in its frame", () => {
  test("another player's conversation answers 404 beside the viewer's own list, with a link home", async () => {
    const { client } = await newVisitor(app);
    const { conversationId } = await newPair(app);
    for (const path of [conversationId, uuidv7(), "nonsense"].map((id) => `/dashboard/messages/${id}`)) {
      const answer = await client.get(path);
      expect(answer.status, path).toBe(404);
      expect(title(answer.text), path).toBe("Page not found · Lineup");
      expect(subheadings(answer.text), path).toContain("Oops! Page not found");
      expect(links(select(answer.text, "main")), path).toContainEqual({ text: "Return to Home", href: "/" });
      expect(heading(answer.text), path).toBe("Chat");
      expectFrame(answer, path);
    }
  });

  test("a missing page of the dashboard answers 404 under the header, with the error as its heading", async () => {
    const { client } = await newVisitor(app);
    const answer = await client.get(`/dashboard/feedback/${uuidv7()}`);
    expect([answer.status, heading(answer.text)]).toEqual([404, "Oops! Page not found"]);
    expectFrame(answer, "feedback");
  });

  test("a tournament's dialog that isn't open to the viewer answers 404 under the tournament's head", async () => {
    const { client } = await newVisitor(app);
    const { id } = await addPlayedTournament(app.db, { teams: 4 });
    const answer = await client.get(`/tournaments/${id}/cancel`);
    expect(answer.status).toBe(404);
    expect(subheadings(answer.text)).toContain("Oops! Page not found");
    expect(answer.text).not.toContain("inert");
    expectFrame(answer, "cancel");
  });

  test("an unknown tournament has no frame: the whole page says so, under the viewer's own header", async () => {
    const { client } = await newVisitor(app);
    const answer = await client.get(`/tournaments/${uuidv7()}`);
    expect([answer.status, heading(answer.text)]).toEqual([404, "Oops! Page not found"]);
    expectFrame(answer, "unknown");
  });
});

describe("A form in a frame", () => {
  test("is refused with 400 if the page has no such form", async () => {
    const { one, conversationId } = await newPair(app);
    const answer = await one.client.post(`/dashboard/messages/${conversationId}/block`, { intent: "nonsense" });
    expect(answer.status).toBe(400);
    expect(subheadings(answer.text)).toContain("That can't be done here");
    expectFrame(answer, "block");
  });

  test("is kept on a page without scripts when the session has ended, and can be sent again", async () => {
    const { client, player } = await newVisitor(app);
    await addPost(app, player.id);
    client.cookies.clear();
    const answer = await client.post("/dashboard/lfg/new", { id: uuidv7(), title: "Kept", neededPlayers: "2" });
    expect([answer.status, heading(answer.text)]).toEqual([401, "Sign in again"]);
    expect(findForm(answer.text, "Send Again").values).toMatchObject({ title: ["Kept"], neededPlayers: ["2"] });
    expect(answer.text).toContain('data-hydrated="never"');
    expect(answer.text).not.toContain("<script");
  });

  test("is kept with a team's party code, but without secrets", async () => {
    const { client } = await newVisitor(app);
    client.cookies.clear();
    const secrets = { password: "secret", newPassword: "secret", code: "123456", emailCode: "123456" };
    const answer = await client.post("/dashboard/lfg/new", { partyCode: "AB12CD", ...secrets });
    expect(answer.status).toBe(401);
    expect(findForm(answer.text, "Send Again").values).toEqual({ partyCode: ["AB12CD"] });
  });
});
