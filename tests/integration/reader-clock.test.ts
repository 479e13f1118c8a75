import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { conversationMembers, conversations, messages, notifications, users } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field, select, selectEach, textOf } from "../support/html";
import { startTournament } from "../support/matches";
import { roundTrips } from "../support/server-timing";
import { addTournament } from "../support/tournaments";
import { addPlayer, addPost, DAY, newPair, newVisitor, PREFETCHES, visitAs } from "./players";

const app = useApp();

/** The hints about the reader in a request. */
interface Reader {
  /** The cookie, as the browser sends it. */
  cookie?: string;
  /** The time zone of the IP address. */
  address?: unknown;
  language?: string;
}

/** The HTML of a page requested through the edge by this reader. */
async function open(client: Client, path: string, { cookie, address, language }: Reader): Promise<string> {
  const zone = cookie === undefined ? "" : `; lineup_zone=${cookie}`;
  const answer = await app.miniflare.dispatchFetch(app.url + path, {
    headers: { Cookie: client.cookieHeader + zone, ...(language && { "Accept-Language": language }) },
    cf: { timezone: address } as never,
    redirect: "manual",
  });
  expect(answer.status, path).toBe(200);
  return answer.text();
}

/** The moments on a page: each one's full form (its `title`) and its shown text. */
const momentsOf = (html: string) =>
  selectEach(html, "time").map((time) => ({
    iso: time.attr("datetime") ?? "",
    title: textOf(time.attr("title") ?? ""),
    text: textOf(time),
  }));

/** The time under the first message of a thread, which the page shows beside the list of conversations. */
const clockOf = (html: string) => momentsOf(html).find(({ text }) => !text.endsWith("ago"));

/** A moment in full, in the British English of `Intl`. */
const inFull = (iso: string, timeZone: string) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone })
    .format(new Date(iso))
    .replace(" at ", ", ");

const BERLIN = "Europe%2FBerlin";
const LONG_AGO = new Date("2020-02-29T23:30:00Z");

test("Charts of hours use the reader's 12- or 24-hour clock", async () => {
  const availability = [8, 0, 0, 0, 0, 0, 0];
  const player = await addPlayer(app, { availability, timeZone: "UTC" });
  const { client } = await newVisitor(app, { currentRank: "Gold 2", preferredRole: "Duelist" });
  const read = async (path: string, language: string) =>
    textOf((await client.get(path, { "Accept-Language": language })).text).replaceAll("\u00a0", " ");
  for (const [path, long, short] of [
    [`/players/${player.id}`, "Each bar runs 06:00 to 06:00", "Each bar runs 6 AM to 6 AM"],
    [`/players/${player.id}`, "Monday 18:00 to 22:00", "Monday 6 PM to 10 PM"],
    ["/dashboard/profile", "18–22", "6–10 PM"],
    ["/dashboard", "18–22", "6–10 PM"],
  ] as const) {
    const [british, american] = [await read(path, "en-GB"), await read(path, "en-US")];
    expect(british, path).toContain(long);
    expect(british, path).not.toContain(short);
    expect(american, path).toContain(short);
    expect(american, path).not.toContain(long);
  }
});

/** The address of a page of every kind that shows moments, each with at least one moment on it. */
async function newScreens(profile: { timeZone?: string } = {}) {
  const { one, other, conversationId } = await newPair(app);
  const { player } = await newVisitor(app, { riotGameName: "Reader", ...profile });
  const client = await visitAs(app, player);
  const message = { conversationId, seq: 1, senderId: other.player.id, receiverId: player.id, content: "Hello" };
  await app.db.batch([
    app.db
      .update(conversationMembers)
      .set({ userId: player.id, listedAt: LONG_AGO })
      .where(eq(conversationMembers.userId, one.player.id)),
    app.db.insert(messages).values({ ...message, id: uuidv7(), createdAt: LONG_AGO }),
    app.db
      .update(conversations)
      .set({ lastSeq: 1, lastPreview: "Hello", lastSenderId: other.player.id, lastMessageAt: LONG_AGO })
      .where(eq(conversations.id, conversationId)),
    app.db.insert(notifications).values({
      id: uuidv7(),
      userId: player.id,
      kind: "message",
      subject: `conversation:${conversationId}`,
      data: { name: "Somebody", preview: "Hello", count: 1 },
      createdAt: LONG_AGO,
    }),
  ]);
  const post = await addPost(app, other.player.id);
  const { id: running } = await startTournament(app, { teams: 4, captains: [player.id], userId: player.id });
  const { id: coming } = await addTournament(app.db, {
    teams: 0,
    tournamentDate: new Date(Date.now() + 2 * DAY),
    registrationDeadline: new Date(Date.now() + DAY),
  });
  const thread = `/dashboard/messages/${conversationId}`;
  const news = "/dashboard/notifications";
  const screens = [
    thread,
    news,
    "/dashboard",
    `/lfg/${post}`,
    "/dashboard/tournaments",
    `/tournaments/${coming}`,
    `/tournaments/${running}`,
    `/tournaments/${running}/matches/0`,
    `/tournaments/${running}/manage`,
    "/dashboard/settings/sessions",
  ];
  return { player, client, screens, thread, news, coming };
}

describe("Every screen uses the same clock", () => {
  const cases: [string, { timeZone?: string }, Reader, zone: string, isDoubtful: boolean][] = [
    ["the profile's", { timeZone: "Asia/Kathmandu" }, { cookie: "Asia%2FKathmandu" }, "Asia/Kathmandu", false],
    ["the profile's against the browser's", { timeZone: "Asia/Tokyo" }, { cookie: BERLIN }, "Asia/Tokyo", true],
    ["the browser's", {}, { cookie: BERLIN, address: "America/New_York" }, "Europe/Berlin", false],
    ["the address's", {}, { address: "Pacific/Kiritimati" }, "Pacific/Kiritimati", true],
    ["the browser's, in lower case", {}, { cookie: "europe%2Fberlin" }, "Europe/Berlin", false],
    ["UTC", {}, { address: undefined }, "UTC", true],
    ["UTC where all is nonsense", {}, { cookie: "Mars%2FOlympus", address: "Nowhere" }, "UTC", true],
    ["UTC where all is far too long", {}, { cookie: "x".repeat(2_000), address: "x".repeat(2_000) }, "UTC", true],
    ["UTC where one is an offset and one a number", {}, { cookie: "%2B02:00", address: 7 }, "UTC", true],
    ["UTC where the cookie can't be decoded", {}, { cookie: "%E0%A4%A" }, "UTC", true],
  ];

  test.each(cases)("%s", async (_, profile, reader, zone, isDoubtful) => {
    const { client, screens, thread, news, coming } = await newScreens(profile);
    const named = zone === "UTC" ? zone : `${zone} time`;
    for (const screen of screens) {
      const moments = momentsOf(await open(client, screen, reader));
      expect(moments.length, screen).toBeGreaterThan(0);
      for (const { iso, title } of moments) expect(title, screen).toBe(`${inFull(iso, zone)}, ${named}`);
    }
    // Both the time and the date follow the zone.
    const isMarch = inFull(LONG_AGO.toISOString(), zone).includes("March");
    const day = isMarch ? "1 March 2020" : "29 February 2020";
    const page = await open(client, thread, reader);
    expect(clockOf(page)?.text).toBe(inFull(LONG_AGO.toISOString(), zone).split(", ")[1]);
    expect(textOf(page)).toContain(isDoubtful ? `${day}, ${named}` : day);
    expect(textOf(page).includes(`${day},`)).toBe(isDoubtful);
    expect(textOf(await open(client, news, reader))).toContain(day);
    expect(textOf(await open(client, `/tournaments/${coming}`, reader))).toMatch(
      new RegExp(`, \\d\\d:\\d\\d ${isDoubtful ? named : "your time"}`),
    );
  });

  test("a zone in the profile that Intl no longer knows counts as absent", async () => {
    const { client, thread } = await newScreens({ timeZone: "Atlantis/Poseidonis" });
    const [shown] = momentsOf(await open(client, thread, { cookie: BERLIN }));
    expect(shown?.title).toBe("1 March 2020, 00:30, Europe/Berlin time");
  });

  test("visitors who aren't signed in get the browser's zone, else the address's", async () => {
    const { coming } = await newScreens();
    const zoneOf = async (reader: Reader) =>
      momentsOf(await open(app.client(), `/tournaments/${coming}`, reader))[0]
        ?.title.split(", ")
        .at(-1);
    expect(await zoneOf({ cookie: BERLIN, address: "Asia/Tokyo" })).toBe("Europe/Berlin time");
    expect(await zoneOf({ address: "Asia/Tokyo" })).toBe("Asia/Tokyo time");
  });

  test("finding the zone takes no round trip of its own", async () => {
    const { client, screens } = await newScreens({ timeZone: "Asia/Tokyo" });
    for (const screen of screens) expect(roundTrips(await client.get(screen)), screen).toBe(1);
  });
});

describe("Dates are written as in the reader's country", () => {
  let screens: Awaited<ReturnType<typeof newScreens>>;
  beforeAll(async () => {
    screens = await newScreens({ timeZone: "Europe/Berlin" });
  });

  test.each([
    [
      "en-US,en;q=0.9",
      "March 1, 2020, 12:30 AM, Europe/Berlin time",
      "12:30 AM",
      /[A-Z]\w\w, \d+:\d\d [AP]M your time/,
    ],
    ["en-GB", "1 March 2020, 00:30, Europe/Berlin time", "00:30", /[A-Z]\w\w, \d\d:\d\d your time/],
    [
      "de-DE,de;q=0.9,en-US;q=0.8",
      "1 March 2020, 00:30, Europe/Berlin time",
      "00:30",
      /[A-Z]\w\w, \d\d:\d\d your time/,
    ],
    ["ja", "2020 March 1, 00:30, Europe/Berlin time", "00:30", /[A-Z]\w\w, \d\d:\d\d your time/],
    ["xx-nonsense-;;q=9,*", "1 March 2020, 00:30, Europe/Berlin time", "00:30", /[A-Z]\w\w, \d\d:\d\d your time/],
  ])("%s", async (language, title, text, onTournament) => {
    const { client, thread, news, coming } = screens;
    expect(clockOf(await open(client, thread, { language }))).toMatchObject({ title, text });
    expect(textOf(await open(client, news, { language }))).toContain(title.split(/, \d+:/)[0]);
    expect(textOf(await open(client, `/tournaments/${coming}`, { language }))).toMatch(onTournament);
  });
});

describe("Typed input", () => {
  test("in a tournament's dates uses the profile's zone, else the browser's, else UTC, and the form names it", async () => {
    const zoneOf = async (timeZone: string | null, reader: Reader) => {
      const { client } = await newVisitor(app, { timeZone });
      const page = await open(client, "/dashboard/tournaments/new", reader);
      const { description } = field(page, "tournamentDate");
      return [select(page, "[name=timeZone]").attr("value"), description];
    };
    const address = "America/New_York";
    expect(await zoneOf("Asia/Tokyo", { cookie: BERLIN, address })).toEqual(["Asia/Tokyo", "Asia/Tokyo time"]);
    expect(await zoneOf(null, { cookie: BERLIN, address })).toEqual(["Europe/Berlin", "Europe/Berlin time"]);
    expect(await zoneOf(null, { address })).toEqual(["UTC", "UTC"]);
    expect(await zoneOf(null, { cookie: "Mars", address })).toEqual(["UTC", "UTC"]);
  });
});

describe("The browser's zone", () => {
  const storedOf = async (id: string) =>
    (await app.db.select({ timeZone: users.timeZone }).from(users).where(eq(users.id, id)).get())?.timeZone;

  test("comes with the sign-in form, and is kept for the following pages", async () => {
    const player = await addPlayer(app);
    const client = app.client();
    expect(select((await client.get("/auth")).text, "input[type=hidden][name=browserZone]")).toHaveLength(1);
    const answer = await client.post("/auth", {
      email: player.email,
      password: "password123",
      browserZone: "Asia/Kathmandu",
    });
    expect(answer.status).toBe(303);
    const cookie = answer.setCookie.find((one) => one.startsWith("lineup_zone="));
    // The page's script compares it with the browser's own zone, so the cookie is readable there.
    expect(cookie).toMatch(/^lineup_zone=Asia%2FKathmandu; Max-Age=31536000; Path=\/; SameSite=Lax$/);
    expect(field((await client.get("/dashboard/profile")).text, "timeZone").value).toBe("Asia/Kathmandu");
  });

  test.each(["Mars/Olympus", "", "x".repeat(5_000), "Europe/Berlin; Domain=evil"])(
    "is not kept when a form sends no valid one: %j",
    async (browserZone) => {
      const player = await addPlayer(app);
      const answer = await app.client().post("/auth", { email: player.email, password: "password123", browserZone });
      expect([answer.status, answer.setCookie.filter((one) => one.startsWith("lineup_zone="))]).toEqual([303, []]);
    },
  );

  test("is stored with the account after a page view, but not after a prefetch", async () => {
    const { player, client } = await newVisitor(app);
    client.cookies.set("lineup_zone", BERLIN);
    await client.get("/dashboard", PREFETCHES[0]);
    expect(await storedOf(player.id)).toBeNull();
    expect(roundTrips(await client.get("/dashboard"))).toBe(1);
    await eventually(async () => expect(await storedOf(player.id)).toBe("Europe/Berlin"));
    // The device used last counts: the player may be elsewhere by now. A missing or invalid zone changes nothing.
    const phone = await visitAs(app, player);
    phone.cookies.set("lineup_zone", "Asia%2FTokyo");
    await phone.get("/dashboard");
    await eventually(async () => expect(await storedOf(player.id)).toBe("Asia/Tokyo"));
    await (await visitAs(app, player)).get("/dashboard");
    phone.cookies.set("lineup_zone", "Mars");
    await phone.get("/dashboard");
    expect(await storedOf(player.id)).toBe("Asia/Tokyo");
  });
});

describe("An email's date", () => {
  const DELETE = "/dashboard/settings/delete-account";

  /** The dates in the email and in the toast after a request to delete the account. */
  async function deletionDates(
    profile: { timeZone?: string },
    { cookie, last }: { cookie?: string; last?: string } = {},
  ) {
    const { player, client } = await newVisitor(app, profile);
    if (last) await app.db.update(users).set({ timeZone: last }).where(eq(users.id, player.id));
    if (cookie) client.cookies.set("lineup_zone", cookie);
    const answer = await client.submit(DELETE, "Delete Account", { email: player.email });
    expect(roundTrips(answer)).toBe(2);
    const [toast = ""] = announcements((await client.follow(answer)).text);
    const { text } = await app.readEmail(player.email);
    return { toast, said: text.match(/On (.*?) we'll delete it/)?.[1] };
  }

  const due = (timeZone: string) =>
    new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone }).format(Date.now() + 7 * DAY);

  test.each<[string, { timeZone?: string }, { cookie?: string; last?: string }, string]>([
    ["the profile's", { timeZone: "Pacific/Kiritimati" }, { cookie: BERLIN, last: "Asia/Tokyo" }, "Pacific/Kiritimati"],
    ["the browser's", {}, { cookie: "Pacific%2FNiue", last: "Asia/Tokyo" }, "Pacific/Niue"],
    ["the last browser's", {}, { last: "Pacific/Kiritimati" }, "Pacific/Kiritimati"],
    ["UTC", {}, {}, "UTC"],
  ])("follows %s clock and names it", async (_, profile, browser, zone) => {
    const { said } = await deletionDates(profile, browser);
    expect(said).toBe(`${due(zone)} (${zone === "UTC" ? zone : `${zone} time`})`);
  });

  test("matches the toast's when both know the zone", async () => {
    const { toast, said } = await deletionDates({ timeZone: "Pacific/Kiritimati" });
    expect(toast).toContain(`Your account will be deleted on ${said?.replace(/ \(.*/, "")}`);
  });
});
