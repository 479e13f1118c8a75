import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { tournamentMatches, users } from "../../db/schema";
import { useApp } from "../support/app";
import { heading, links, main, meta, select, selectEach, textOf } from "../support/html";
import { startTournament } from "../support/matches";
import { roundTrips } from "../support/server-timing";
import { openConversation } from "../support/socket";
import { DAY, MINUTE, newVisitor, sendTo } from "./players";
import { startConversation, type Visitor, write } from "./talk";
import { teamsIn } from "./teams";

const app = useApp();
const { newTeam } = teamsIn(app);

const SHORT = "https://bit.ly/3abc";

const makeOld = ({ player }: Visitor) =>
  app.db
    .update(users)
    .set({ createdAt: new Date(Date.now() - 2 * DAY) })
    .where(eq(users.id, player.id));

/** Two players with settled accounts, and their conversation. */
async function newPair() {
  const { author, reader, conversationId } = await startConversation(app);
  await makeOld(author);
  await makeOld(reader);
  return { author, reader, conversationId, here: `/dashboard/messages/${conversationId}` };
}

/** The links of a page that lead to the leaving page: text and address. */
const leavingOn = (html: string) => links(html).filter(({ href }) => href.startsWith("/leaving?"));

const anchor = (html: string, text: string) =>
  selectEach(html, "a").find((one) => textOf(one) === text) as ReturnType<typeof select>;

describe("A link in a message", () => {
  test("leads straight to its site if nothing is suspicious, and has its address as its tooltip", async () => {
    const { author, reader, conversationId, here } = await newPair();
    const link = "https://tracker.gg/valorant";
    await write(author.client, conversationId, `Look: ${link}`);
    const page = await reader.client.get(here);
    expect(roundTrips(page)).toBe(1);
    expect(anchor(page.text, link).attr()).toMatchObject({
      href: link,
      title: link,
      target: "_blank",
      rel: "noopener noreferrer nofollow ugc",
    });
    expect(main(page.text)).not.toContain("(tracker.gg)");
  });

  test.each([
    ["https://google.com@evil.example/", "evil.example"],
    ["https://discоrd.com/nitro", "xn--discrd-zqf.com"],
    ["https://0x7f.1/x", "127.0.0.1"],
  ])("that could mislead shows its host: %s", async (link, host) => {
    const { author, reader, conversationId, here } = await newPair();
    await write(author.client, conversationId, `Look: ${link} here`);
    expect(main((await reader.client.get(here)).text)).toContain(`${link} (${host}) here`);
  });

  test.each([SHORT, "https://google.com@evil.example/", "https://dlscord.gg/nitro"])(
    "that is suspicious opens the leaving page: %s",
    async (link) => {
      const { author, reader, conversationId, here } = await newPair();
      await write(author.client, conversationId, `Look: ${link}`);
      for (const { client } of [author, reader]) {
        const page = await client.get(here);
        const [{ href } = { href: "" }, ...others] = leavingOn(page.text);
        expect(others).toEqual([]);
        expect(new URL(href, app.url).searchParams.get("to")).toBe(new URL(link).href);
        expect(anchor(page.text, link).attr("rel")).toBe("noopener nofollow ugc");
        expect((await client.get(href)).status).toBe(200);
      }
    },
  );

  test("is the same for the sender, live, after catching up and after loading again", async () => {
    for (const { author, reader, conversationId } of [await newPair(), await newTeamPair()]) {
      const socket = await openConversation(reader.client, conversationId);
      const sent = await sendTo(author.client, conversationId, `Look: ${SHORT} and https://tracker.gg/me`);
      const { message } = JSON.parse(sent.text) as { message: { id: string; leaving: Record<string, string> } };
      expect(Object.keys(message.leaving)).toEqual([SHORT]);
      expect(message.leaving[SHORT]).toMatch(/^\/leaving\?to=https%3A%2F%2Fbit\.ly%2F3abc&sig=[\w-]{43}$/);
      const live = await socket.next("message", (frame) => frame.message.id === message.id);
      expect(live.message).toEqual(message);
      const listed = await reader.client.get(`/conversations/${conversationId}/messages?after=0`);
      expect((JSON.parse(listed.text) as { messages: unknown[] }).messages.at(-1)).toEqual(message);
      const page = await reader.client.get(`/dashboard/messages/${conversationId}`);
      expect(leavingOn(page.text)).toEqual([{ text: SHORT, href: message.leaving[SHORT] }]);
    }
  });

  test("of an account younger than a day is suspicious, unless it leads to this site, and stays so", async () => {
    const { author, reader, conversationId, here } = await newPair();
    const link = "https://tracker.gg/valorant";
    const own = `${app.url}/lfg/${uuidv7()}`;
    await app.db
      .update(users)
      .set({ createdAt: new Date(Date.now() - DAY + MINUTE) })
      .where(eq(users.id, author.player.id));
    await write(author.client, conversationId, `${link} ${own}`);
    expect(leavingOn((await reader.client.get(here)).text).map(({ text }) => text)).toEqual([link]);
    await app.db.delete(users).where(eq(users.id, author.player.id));
    expect(leavingOn((await reader.client.get(here)).text).map(({ text }) => text)).toEqual([link]);
  });

  test("of a blocked player in a team's chat isn't shown before the message is", async () => {
    const { author, reader, conversationId, here } = await newTeamPair();
    await reader.client.post(`/players/${author.player.id}/block`, { intent: "block" });
    await sendTo(author.client, conversationId, SHORT);
    const page = await reader.client.get(here);
    expect(page.text).not.toContain("bit.ly");
  });
});

async function newTeamPair() {
  const { author, members, conversationId } = await newTeam(2);
  const reader = members[0] as Visitor;
  await makeOld(author);
  await makeOld(reader);
  return { author, reader, conversationId, here: `/dashboard/messages/${conversationId}` };
}

test("A suspicious link in a dispute's evidence opens the leaving page", async () => {
  const [one, two] = [await newVisitor(app), await newVisitor(app)];
  const { id } = await startTournament(app, {
    teams: 2,
    captains: [one.player.id, two.player.id],
    tournamentDate: new Date(Date.now() - MINUTE),
  });
  const here = `/tournaments/${id}/matches/0`;
  await two.client.post(here, { intent: "report", leftSide: "2", bestOf: "1", left1: "13", right1: "9" });
  await one.client.post(`${here}/dispute`, { evidence: `See ${SHORT} and https://example.com/shot.png` });
  const match = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id)).get();
  expect(match?.state).toBe("disputed");
  expect(leavingOn((await two.client.get(here)).text).map(({ text }) => text)).toEqual([SHORT]);
});

describe("The leaving page", () => {
  /** The address of the leaving page for a link. */
  async function leavingPage(link: string): Promise<string> {
    const { author, conversationId } = await newPair();
    const sent = await sendTo(author.client, conversationId, link);
    const { message } = JSON.parse(sent.text) as { message: { leaving: Record<string, string> } };
    return message.leaving[new URL(link).href] as string;
  }

  test("shows the whole address with its host, leads there without a referrer, and back", async () => {
    const link = "https://google.com:x@dlscord.example:8443/a?b=c#d";
    const address = await leavingPage(link);
    const page = await app.client().get(address);
    expect(page.status).toBe(200);
    expect(heading(page.text)).toBe("You're leaving Lineup");
    expect(main(page.text).replaceAll(" ", "")).toContain(link);
    expect(textOf(select(page.text, "main strong"))).toBe("dlscord.example");
    expect(main(page.text)).toContain("The part before the @ isn't the site.");
    expect(main(page.text)).toContain("This site's name looks like another site's.");
    expect(anchor(page.text, "Continue").attr()).toMatchObject({ href: link, rel: "noopener noreferrer nofollow ugc" });
    expect(links(page.text)).toContainEqual({ text: "Go back", href: "/" });
    expect([meta(page.text, "robots"), meta(page.text, "referrer")]).toEqual(["noindex", "same-origin"]);
    expect(selectEach(page.text, "script[src]")).toEqual([]);
    const back = await app.client().get(address, { Referer: `${app.url}/dashboard/messages/1?before=5` });
    expect(links(back.text)).toContainEqual({ text: "Go back", href: "/dashboard/messages/1?before=5" });
    for (const referrer of ["https://evil.example/x", `${app.url}.evil.example/`, `${app.url}//evil.example`, "x"]) {
      const other = await app.client().get(address, { Referer: referrer });
      expect(links(other.text)).toContainEqual({ text: "Go back", href: "/" });
    }
  });

  test("shows a host with non-ASCII letters in its encoded form, and as it was written", async () => {
    const page = await app.client().get(await leavingPage("https://discоrd.com/nitro"));
    expect(textOf(select(page.text, "main strong"))).toBe("xn--discrd-zqf.com");
    expect(main(page.text)).toContain("discоrd.com");
  });

  test("doesn't open for an address that we haven't signed", async () => {
    const address = new URL(await leavingPage(SHORT), app.url);
    const opens = async (to: string | null, sig: string | null) => {
      const params = new URLSearchParams({ ...(to !== null && { to }), ...(sig !== null && { sig }) });
      return (await app.client().get(`/leaving?${params}`)).status;
    };
    const sig = address.searchParams.get("sig");
    expect(await opens(SHORT, sig)).toBe(200);
    const tampered = `${sig?.startsWith("A") ? "B" : "A"}${sig?.slice(1)}`;
    for (const [to, signature] of [
      [SHORT, null],
      [SHORT, ""],
      [SHORT, tampered],
      [null, sig],
      ["", sig],
      [`${SHORT}d`, sig],
      ["https://evil.example/", sig],
      ["javascript:alert(1)", sig],
      ["//evil.example", sig],
      ["null", "null"],
    ] as const) {
      expect(await opens(to, signature), `${to} ${signature}`).toBe(404);
    }
  });
});
