import { createClient } from "@libsql/client/http";
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { NOTIFICATION_KINDS } from "../../app/features/notifications/kinds";
import { uuidv7 } from "../../db/ids";
import { lfgPosts, mutedNotifications, notifications } from "../../db/schema";
import type { NewsKind } from "../../db/words/news-kinds";
import { useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, findForm, heading, links, select, selectEach, textOf, texts, ticked } from "../support/html";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { startWatchedDatabase } from "../support/watched-database";
import { addPost, DAY, HOUR, MINUTE, newVisitor, PREFETCHES, visitAs } from "./players";
import { startConversation, write } from "./talk";

// A proxy between the Worker and the database that can slow it down.
const { proxy, sqld, appOptions } = await startWatchedDatabase();
afterEach(() => {
  proxy.latency = 0;
});

const app = useApp(appOptions);
const { notificationsOf } = recordsIn(app);

const BELL = "/dashboard/notifications";
const SETTINGS = "/dashboard/settings/notifications";

/** The unread kinds of a player, sorted. */
const unreadKinds = async (id: string) =>
  (await notificationsOf({ id }))
    .filter(({ readAt }) => readAt === null)
    .map(({ kind }) => kind)
    .sort();

/** A kind that this release doesn't know. */
const OF_A_LATER_RELEASE = "of-a-later-release" as NewsKind;

/** Puts news into the database: unread and new unless told otherwise. */
async function addNews(userId: string, news: Partial<typeof notifications.$inferInsert> = {}): Promise<string> {
  const row = {
    id: uuidv7(),
    kind: "message" as const,
    subject: `conversation:${uuidv7()}`,
    data: { name: "Somebody", preview: "Hello", count: 1 },
    createdAt: new Date(),
    ...news,
  };
  await app.db.insert(notifications).values({ ...row, userId });
  return row.id;
}

interface ShownNews {
  sentence: string;
  href: string | undefined;
  isNew: boolean;
}

/** The list as a page shows it: the days, and the news of each. */
const shownDays = (html: string): { day: string; news: ShownNews[] }[] =>
  selectEach(html, 'section[aria-labelledby^="day-"]').map((section) => ({
    day: textOf(select(section, "h2")),
    news: selectEach(section, "li").map((row) => ({
      sentence: textOf(select(row, "p").first()),
      href: links(row)[0]?.href,
      isNew: texts(row, "span").includes("New"),
    })),
  }));
const shownNews = (html: string) => shownDays(html).flatMap(({ news }) => news);

/** The unread totals in the header: on the bell, and on the Chat tab. */
function unreadTotals(html: string): { bell: string | null; chat: string | null } {
  const described = (name: string) => {
    const link = selectEach(html, "a").find((one) => textOf(one).includes(name));
    // The description is empty when everything is read.
    return textOf(select(html, `[id="${link?.attr("aria-describedby")}"]`)) || null;
  };
  return { bell: described("Notifications"), chat: described("Chat") };
}

/** Waits until the work that follows a page's response is done. */
const settled = (userId: string, kinds: string[]) =>
  eventually(async () => {
    expect(await unreadKinds(userId)).toEqual(kinds);
    return true;
  });

/** The inbox socket of a player's tab. `hears` waits for the next unread totals. */
async function openInbox(client: Client) {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const { webSocket: socket } = await app.miniflare.dispatchFetch(`${app.url}/parties/inbox`, {
    headers: { Upgrade: "websocket", Origin: app.url, Cookie: cookie },
  });
  if (!socket) throw new Error("The inbox has not opened its socket.");
  const heard: { type: string }[] = [];
  socket.addEventListener("message", ({ data }) => heard.push(JSON.parse(String(data))));
  socket.accept();
  const next = () => eventually(() => heard.shift());
  // The totals at the opening.
  await next();
  return {
    hears: async (unread: { messages: number; notifications: number }) =>
      expect(await next()).toMatchObject({ type: "unread", ...unread }),
    close: () => socket.close(),
  };
}

describe("the bell", () => {
  test("says so when there is no news", async () => {
    const { client } = await newVisitor(app);
    const page = await client.get(BELL);
    expect(page.status).toBe(200);
    expect(heading(page.text)).toBe("Notifications");
    expect(textOf(page.text)).toContain("No notifications yet.");
    expect(textOf(page.text)).not.toContain("Mark all as read");
    expect(unreadTotals(page.text)).toEqual({ bell: null, chat: null });
    expect(links(page.text)).toContainEqual({ text: "Notification settings", href: SETTINGS });
  });

  test("belongs to the signed-in player", async () => {
    const page = await app.client().get(BELL);
    expect([page.status, page.location]).toEqual([302, `/auth?redirectTo=${encodeURIComponent(BELL)}`]);
    const answer = await app.client().post(BELL, { intent: "read-all", until: Date.now() });
    expect([answer.status, answer.location]).toEqual([302, `/auth?redirectTo=${encodeURIComponent(BELL)}`]);
  });

  test("announces a contact, and later messages only once the contact was read", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    const told = await author.client.get(BELL);
    expect(shownNews(told.text)).toEqual([
      {
        sentence: "Reader replied to your post “Two for Haven”",
        href: `/dashboard/messages/${conversationId}`,
        isNew: true,
      },
    ]);
    expect(textOf(told.text)).toContain("Hi there");
    expect(unreadTotals(told.text)).toEqual({ bell: "1 unread", chat: "1 unread" });
    // The sender gets no news.
    expect(await notificationsOf(reader.player)).toEqual([]);

    // An unread contact also covers the messages after it.
    await write(reader.client, conversationId, "Still there?");
    expect(await unreadKinds(author.player.id)).toEqual(["contact"]);
    await author.client.get(`/dashboard/messages/${conversationId}`);
    await settled(author.player.id, []);

    await write(reader.client, conversationId, "One");
    await write(reader.client, conversationId, "Two");
    await write(reader.client, conversationId, "Three");
    const page = await author.client.get(BELL);
    expect(shownNews(page.text).map(({ sentence, isNew }) => [sentence, isNew])).toEqual([
      ["3 new messages from Reader", true],
      ["Reader replied to your post “Two for Haven”", false],
    ]);
    expect(textOf(page.text)).toContain("Three");
    expect(unreadTotals(page.text)).toEqual({ bell: "1 unread", chat: "3 unread" });
  });

  test("starts counting again at one after a visit, in the conversation's single notification", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await write(author.client, conversationId, "One");
    await write(author.client, conversationId, "Two");
    await reader.client.get(`/dashboard/messages/${conversationId}`);
    await settled(reader.player.id, []);
    await write(author.client, conversationId, "Three");
    const news = await notificationsOf(reader.player);
    expect(news.map(({ kind, data, readAt }) => [kind, (data as { count: number }).count, readAt])).toEqual([
      ["message", 1, null],
    ]);
    const page = await reader.client.get(BELL);
    expect(shownNews(page.text)[0]?.sentence).toBe("New message from Author");
  });

  test("announces a message once when it is sent twice", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    const id = uuidv7();
    await Promise.all([1, 2, 3].map(() => write(author.client, conversationId, "Once", id)));
    const news = await notificationsOf(reader.player);
    expect(news.map(({ data }) => data)).toEqual([
      { name: "Author", preview: "Once", title: null, party: null, count: 1, causedBy: author.player.id },
    ]);
  });

  test("shows news of an unknown kind as a neutral sentence without a link", async () => {
    const { client, player } = await newVisitor(app);
    await addNews(player.id, { kind: OF_A_LATER_RELEASE });
    await addNews(player.id, { kind: "contact", data: { unknown: true } });
    const page = await client.get(BELL);
    expect(page.status).toBe(200);
    const sentence = "This notification can't be shown any more.";
    expect(shownNews(page.text)).toEqual([
      { sentence, href: undefined, isNew: true },
      { sentence, href: undefined, isNew: true },
    ]);
  });

  test("shows names and titles as they were typed, and never as markup", async () => {
    const { client, player } = await newVisitor(app);
    const data = { name: "<b>Bold</b>", preview: "<script>alert(1)</script>", title: "“Quotes” & <i>", count: 1 };
    await addNews(player.id, { kind: "contact", data });
    const page = await client.get(BELL);
    expect(shownNews(page.text)[0]?.sentence).toBe("<b>Bold</b> replied to your post ““Quotes” & <i>”");
    expect(page.text).not.toContain("<script>alert(1)");
    expect(page.text).not.toContain("<b>Bold");
  });

  test("counts to 99, and shows more as 99+, which screen readers read as words", async () => {
    const { client, player } = await newVisitor(app);
    for (let index = 0; index < 101; index += 1) await addNews(player.id);
    const page = await client.get(BELL);
    expect(unreadTotals(page.text).bell).toBe("More than 99 unread");
    expect(textOf(select(page.text, "span.count").first())).toContain("99+");
  });
});

describe("the list", () => {
  test("is grouped by day in the viewer's time zone, newest first", async () => {
    const { client, player } = await newVisitor(app);
    const now = Date.now();
    const today = new Date(now).setUTCHours(0, 0, 0, 0);
    // Half an hour to either side of midnight in Kiritimati (UTC+14).
    for (const [name, moment] of [
      ["Kiritimati after", today - 14 * HOUR + 30 * MINUTE],
      ["Kiritimati before", today - 14 * HOUR - 30 * MINUTE],
      ["long ago", Date.parse("2020-02-29T05:00:00Z")],
    ] as const) {
      await addNews(player.id, { createdAt: new Date(moment), data: { name, count: 1 } });
    }
    const daysIn = async (timezone: string) => {
      const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await app.miniflare.dispatchFetch(app.url + BELL, {
        headers: { Cookie: cookie },
        cf: { timezone } as never,
      });
      return shownDays(await answer.text()).map(({ day, news }) => [day, news.length]);
    };
    const nameOf = (date: number) => {
      const day = (moment: number, timeZone: string) =>
        new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(moment);
      return (timeZone: string) => {
        if (day(date, timeZone) === day(now, timeZone)) return "Today";
        if (day(date, timeZone) === day(now - DAY, timeZone)) return "Yesterday";
        const options = { day: "numeric", month: "long", timeZone } as const;
        const isThisYear = day(date, timeZone).slice(0, 4) === day(now, timeZone).slice(0, 4);
        return new Intl.DateTimeFormat("en-GB", { ...options, ...(!isThisYear && { year: "numeric" }) }).format(date);
      };
    };
    const [later, earlier] = [nameOf(today - 14 * HOUR + 30 * MINUTE), nameOf(today - 14 * HOUR - 30 * MINUTE)];
    expect(await daysIn("Pacific/Kiritimati")).toEqual([
      [later("Pacific/Kiritimati"), 1],
      [earlier("Pacific/Kiritimati"), 1],
      ["29 February 2020", 1],
    ]);
    expect(await daysIn("UTC")).toEqual([
      [later("UTC"), 2],
      ["29 February 2020", 1],
    ]);
  });

  test("has pages of 30 that show everything once", async () => {
    const { client, player } = await newVisitor(app);
    const moment = Date.now();
    // Some have the same timestamp.
    for (let index = 0; index < 70; index += 1) {
      const data = { name: `Number ${index}`, count: 1 };
      await addNews(player.id, { createdAt: new Date(moment - Math.floor(index / 5) * 1_000), data });
    }
    const read = async (path: string) => {
      const page: HttpResponse = await client.get(path);
      expect(roundTrips(page)).toBe(1);
      const hrefOf = (name: string) => links(page.text).find(({ text }) => text === name)?.href as string;
      return { ...page, sentences: shownNews(page.text).map(({ sentence }) => sentence), hrefOf };
    };
    const first = await read(BELL);
    const second = await read(first.hrefOf("Older"));
    const third = await read(second.hrefOf("Older"));
    expect([first, second, third].map(({ sentences }) => sentences.length)).toEqual([30, 30, 10]);
    expect(new Set([first, second, third].flatMap(({ sentences }) => sentences)).size).toBe(70);
    expect([first.hrefOf("Newer"), third.hrefOf("Older")]).toEqual([undefined, undefined]);
    const back = await read(third.hrefOf("Newer"));
    expect(back.sentences).toEqual(second.sentences);
    expect((await read(back.hrefOf("Newer"))).location).toBe(BELL);
    const beyond = await client.get(`${BELL}?after=1_${uuidv7()}`);
    expect(textOf(beyond.text)).toContain("That was the last notification.");
    expect(links(beyond.text)).toContainEqual({ text: "Back to the newest", href: BELL });
    // An invalid cursor leads to the first page.
    expect(shownNews((await client.get(`${BELL}?after=nonsense`)).text)).toHaveLength(30);
  });

  test("shows only one's own", async () => {
    const one = await newVisitor(app);
    const other = await newVisitor(app);
    await addNews(one.player.id);
    expect(shownNews((await other.client.get(BELL)).text)).toEqual([]);
  });
});

describe("marking as read", () => {
  /** A player with three unread notifications. */
  async function withNews() {
    const visitor = await newVisitor(app);
    const ids = [];
    for (let index = 0; index < 3; index += 1) {
      ids.push(await addNews(visitor.player.id, { createdAt: new Date(Date.now() - index * 1_000) }));
    }
    return { ...visitor, ids: ids as [string, string, string] };
  }
  /** The value by which a button refers to news in its current version. */
  const newsField = async (id: string) => {
    const row = await app.db.select().from(notifications).where(eq(notifications.id, id)).get();
    return `${row?.createdAt.getTime()}_${id}`;
  };
  const read = async (client: Client, id: string) => client.post(BELL, { intent: "read", news: await newsField(id) });
  const readAll = (client: Client) => client.post(BELL, { intent: "read-all", until: Date.now() });

  test("marks one, and leaves the others unread", async () => {
    const { client, player, ids } = await withNews();
    const answer = await read(client, ids[1]);
    expect([answer.status, answer.location]).toEqual([303, BELL]);
    expect(roundTrips(answer)).toBeLessThanOrEqual(2);
    const page = await client.follow(answer);
    expect(shownNews(page.text).map(({ isNew }) => isNew)).toEqual([true, false, true]);
    expect(unreadTotals(page.text).bell).toBe("2 unread");
    const readAt = (await notificationsOf(player)).find(({ id }) => id === ids[1])?.readAt;
    await read(client, ids[1]);
    expect((await notificationsOf(player)).find(({ id }) => id === ids[1])?.readAt).toEqual(readAt);
  });

  test("marks all, and confirms it", async () => {
    const { client, player } = await withNews();
    const answer = await client.submit(BELL, "Mark all as read");
    expect([answer.status, answer.location]).toEqual([303, BELL]);
    const page = await client.follow(answer);
    expect(announcements(page.text)).toContain("All marked as read");
    expect(shownNews(page.text).map(({ isNew }) => isNew)).toEqual([false, false, false]);
    expect(unreadTotals(page.text).bell).toBeNull();
    expect(await unreadKinds(player.id)).toEqual([]);
  });

  test("leads back to the page of the list with the button", async () => {
    const { client, ids } = await withNews();
    const cursor = `?after=${Date.now()}_${uuidv7()}`;
    const answer = await client.post(BELL + cursor, { intent: "read", news: await newsField(ids[0]) });
    expect(answer.location).toBe(BELL + cursor);
    const form = await client.submit(BELL + cursor, "Mark as read");
    expect(form.location).toBe(BELL + cursor);
  });

  const unreadIds = async (player: { id: string }) =>
    (await notificationsOf(player)).filter(({ readAt }) => readAt === null).map(({ id }) => id);

  test("skips news that was stored after the list was made, even if its cause came before", async () => {
    const { client, player, ids } = await withNews();
    const { text } = await client.get(BELL);
    const before = { createdAt: new Date(Date.now() - 5_000) };
    const stored = await addNews(player.id, before);
    await app.db.update(notifications).set(before).where(eq(notifications.id, ids[1]));
    const later = await addNews(player.id);
    await client.post(BELL, findForm(text, "Mark all as read").values);
    expect((await unreadIds(player)).sort()).toEqual([stored, ids[1], later].sort());
  });

  test("skips a notification that has changed since the list was made", async () => {
    const { client, player } = await newVisitor(app);
    const id = await addNews(player.id);
    const { text } = await client.get(BELL);
    const changed = { createdAt: new Date(Date.now() - 5_000) };
    await app.db.update(notifications).set(changed).where(eq(notifications.id, id));
    await client.post(BELL, findForm(text, "Mark as read").values);
    expect(await unreadIds(player)).toEqual([id]);
  });

  test("marks all from any page of the list, however old", async () => {
    const { client, player } = await newVisitor(app);
    for (let index = 0; index < 40; index += 1) {
      await addNews(player.id, { createdAt: new Date(Date.now() - index * MINUTE) });
    }
    const older = links((await client.get(BELL)).text).find(({ text }) => text === "Older")?.href as string;
    const answer = await client.submit(older, "Mark all as read");
    expect([answer.status, answer.location]).toEqual([303, older]);
    expect(await unreadIds(player)).toEqual([]);
  });

  test("never marks another player's", async () => {
    const { player, ids } = await withNews();
    const stranger = await newVisitor(app);
    for (const answer of [await read(stranger.client, ids[0]), await readAll(stranger.client)]) {
      expect(answer.status).toBe(303);
    }
    expect(await unreadKinds(player.id)).toHaveLength(3);
  });

  test("refuses input that no button of the page sends", async () => {
    const { client, player, ids } = await withNews();
    for (const fields of [
      {},
      { intent: "read" },
      { intent: "read", news: ids[0] },
      { intent: "read", news: `${Date.now()}_1 OR 1` },
      { intent: "read", news: [await newsField(ids[0]), await newsField(ids[1])] },
      { intent: "read-all" },
      { intent: "read-all", until: "tomorrow" },
      { intent: "read-all", until: Date.now(), news: "all" },
      { intent: "forget", news: await newsField(ids[0]) },
    ]) {
      const answer = await client.post(BELL, fields);
      expect(answer.status, JSON.stringify(fields)).toBe(400);
      expect(announcements(answer.text)[0]).toContain("This list is out of date. Open it again.");
    }
    expect(await unreadKinds(player.id)).toHaveLength(3);
  });
});

describe("a kind that is turned off", () => {
  test("is no longer announced, and the others are", async () => {
    const author = await newVisitor(app, { riotGameName: "Quiet Author" });
    const saved = await author.client.submit(SETTINGS, "Save", { kinds: ["message", "post-expiring"] });
    expect([saved.status, saved.location]).toEqual([303, SETTINGS]);
    const { reader, conversationId } = await startConversation(app, { author });
    expect(await notificationsOf(author.player)).toEqual([]);
    // The message still arrives, and counts on the Chat tab.
    const page = await author.client.get(BELL);
    expect(unreadTotals(page.text)).toEqual({ bell: null, chat: "1 unread" });
    await write(reader.client, conversationId, "Are you there?");
    expect(await unreadKinds(author.player.id)).toEqual(["message"]);
  });

  test("leaves messages announced while an older notification of that kind is unread", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    expect(await unreadKinds(author.player.id)).toEqual(["contact"]);
    await author.client.submit(SETTINGS, "Save", { kinds: ["message"] });
    await write(reader.client, conversationId, "Are you there?");
    const page = await author.client.get(BELL);
    expect(shownNews(page.text).map(({ sentence }) => sentence)).toEqual([
      "New message from Reader",
      "Reader replied to your post “Two for Haven”",
    ]);
    expect(textOf(page.text)).toContain("Are you there?");
  });

  test("stays off, is shown so in the settings, and can be turned on again", async () => {
    const { client, player } = await newVisitor(app);
    const muted = async () =>
      (await app.db.select().from(mutedNotifications).where(eq(mutedNotifications.userId, player.id)))
        .map(({ kind }) => kind)
        .sort();
    const chosen = async () => ticked((await client.get(SETTINGS)).text, "kinds");
    const all = NOTIFICATION_KINDS.filter(({ setting }) => setting).map(({ name }) => name);
    expect(await chosen()).toEqual(all);
    // With all kinds off, the form sends no `kinds`.
    const none = await client.post(SETTINGS);
    expect([none.status, none.location]).toEqual([303, SETTINGS]);
    expect(announcements((await client.follow(none)).text)).toContain("Settings saved");
    expect(await muted()).toEqual([...all].sort());
    expect(await chosen()).toEqual([]);
    // A later release's kind, missing in this form, stays as it was; an unknown kind in the form is ignored.
    await app.db.insert(mutedNotifications).values({ userId: player.id, kind: OF_A_LATER_RELEASE });
    await client.post(SETTINGS, { kinds: ["contact", "no-such-kind"] });
    expect(await muted()).toEqual([...all.filter((name) => name !== "contact"), "of-a-later-release"].sort());
    await client.post(SETTINGS, { kinds: all });
    expect(await muted()).toEqual(["of-a-later-release"]);
    // A form from before a release lists only the kinds of its time.
    await client.post(SETTINGS, { listed: ["contact", "message"], kinds: ["contact"] });
    expect(await muted()).toEqual(["message", "of-a-later-release"]);
    await client.submit(SETTINGS, "Save", { kinds: ["contact"] });
    expect(await muted()).toEqual([...all.filter((name) => name !== "contact"), "of-a-later-release"].sort());
    await client.submit(SETTINGS, "Save", { kinds: all });
    expect(await chosen()).toEqual(all);
  });
});

describe("news", () => {
  test("of a conversation is resolved by opening it, but not by a prefetch", async () => {
    const { author, conversationId } = await startConversation(app);
    const elsewhere = await addNews(author.player.id, { kind: "contact" });
    const thread = `/dashboard/messages/${conversationId}`;
    for (const headers of PREFETCHES) expect((await author.client.get(thread, headers)).status).toBe(200);
    const before = await author.client.get(BELL);
    expect(unreadTotals(before.text)).toEqual({ bell: "2 unread", chat: "1 unread" });
    const visit = await author.client.get(thread);
    expect(roundTrips(visit)).toBe(1);
    await settled(author.player.id, ["contact"]);
    const page = await author.client.get(BELL);
    expect(unreadTotals(page.text)).toEqual({ bell: "1 unread", chat: null });
    const left = (await notificationsOf(author.player)).filter(({ readAt }) => readAt === null);
    expect(left.map(({ id }) => id)).toEqual([elsewhere]);
  });

  test("of a post that closes soon comes once, to its author only, with a link to it", async () => {
    const { client, player } = await newVisitor(app);
    const closing = (left: number, post: Partial<typeof lfgPosts.$inferInsert> = {}) =>
      addPost(app, player.id, { createdAt: new Date(Date.now() - DAY + left), ...post });
    const soon = await closing(50 * MINUTE, { title: "Closes soon" });
    await closing(61 * MINUTE + 30_000, { title: "Not yet" });
    await closing(-MINUTE, { title: "Over" });
    await closing(30 * MINUTE, { title: "Closed", isActive: false });
    await app.runScheduled();
    await app.runScheduled();
    const page = await client.get(BELL);
    expect(shownNews(page.text)).toEqual([
      { sentence: "Your post “Closes soon” closes in less than an hour", href: `/lfg/${soon}`, isNew: true },
    ]);
    expect(unreadTotals(page.text).bell).toBe("1 unread");

    // After it was read, the next run doesn't repeat it.
    for (const headers of PREFETCHES) await client.get(`/lfg/${soon}`, headers);
    expect(await unreadKinds(player.id)).toEqual(["post-expiring"]);
    const stranger = await newVisitor(app);
    await stranger.client.get(`/lfg/${soon}`);
    expect(await unreadKinds(player.id)).toEqual(["post-expiring"]);
    const visit = await client.get(`/lfg/${soon}`);
    // The page itself already counts it as read.
    expect(unreadTotals(visit.text).bell).toBeNull();
    await settled(player.id, []);
    await app.runScheduled();
    expect(await unreadKinds(player.id)).toEqual([]);
  });

  test("that comes after its page was read stays unread", async () => {
    const { client, player } = await newVisitor(app);
    const subject = `post:${await addPost(app, player.id)}`;
    const data = { name: "Somebody", title: "Two for Haven", count: 1 };
    const asked = await addNews(player.id, { kind: "join-request", subject, data });
    await addNews(player.id, { kind: "post-expiring", subject, data });
    proxy.latency = 1_000;
    await client.get(`/lfg/${subject.slice("post:".length)}`);
    // The response has been sent. Before the visit reaches the database, another player asks, and one leaves the team.
    await app.db
      .update(notifications)
      .set({ data: { ...data, count: 2 }, createdAt: new Date() })
      .where(eq(notifications.id, asked));
    await addNews(player.id, { kind: "team-change", subject, data });
    await settled(player.id, ["join-request", "team-change"]);
  });

  test.each([
    ["a post", (postId: string) => `/lfg/${postId}`, (postId: string) => `post:${postId}`],
    ["the player's reviews", () => "/dashboard/profile", (_: string, userId: string) => `feedback:${userId}`],
  ])("of %s keeps the browser from answering the click with a prefetched page", async (_, pageOf, subjectOf) => {
    const { client, player } = await newVisitor(app);
    const postId = await addPost(app, player.id);
    const page = `${pageOf(postId)}.data`;
    const cached = async (headers?: Record<string, string>) =>
      (await client.get(page, headers)).headers.get("Cache-Control");
    expect(await cached(PREFETCHES[0])).toBe("private, max-age=10");
    await addNews(player.id, { kind: "post-expiring", subject: subjectOf(postId, player.id), data: { title: "Duo" } });
    expect(await cached(PREFETCHES[0])).toBe("private, no-store");
    expect(await unreadKinds(player.id)).toEqual(["post-expiring"]);
    await cached();
    await settled(player.id, []);
    expect(await cached(PREFETCHES[0])).toBe("private, max-age=10");
  });

  test("of a post that closes soon skips players who have turned it off", async () => {
    const { client, player } = await newVisitor(app);
    await client.post(SETTINGS, { kinds: ["message", "contact"] });
    await addPost(app, player.id, { createdAt: new Date(Date.now() - DAY + 30 * MINUTE) });
    await app.runScheduled();
    expect(await notificationsOf(player)).toEqual([]);
  });

  test("that a post closes soon is read once it has closed", async () => {
    const { player } = await newVisitor(app);
    const postId = await addPost(app, player.id, { createdAt: new Date(Date.now() - DAY + 30 * MINUTE) });
    await app.runScheduled();
    expect(await unreadKinds(player.id)).toEqual(["post-expiring"]);
    await app.db.update(lfgPosts).set({ expiresAt: new Date() }).where(eq(lfgPosts.id, postId));
    await app.runScheduled();
    expect(await unreadKinds(player.id)).toEqual([]);
  });

  test("of a post is read when its author closes it, and deleted with the post", async () => {
    const { client, player } = await newVisitor(app);
    const createdAt = new Date(Date.now() - DAY + 30 * MINUTE);
    const closed = await addPost(app, player.id, { createdAt });
    const deleted = await addPost(app, player.id, { createdAt });
    await app.runScheduled();
    expect(await unreadKinds(player.id)).toEqual(["post-expiring", "post-expiring"]);
    await client.post(`/lfg/${closed}`, { intent: "close", returnTo: "/dashboard" });
    await settled(player.id, ["post-expiring"]);
    const stranger = await newVisitor(app);
    await stranger.client.post(`/lfg/${deleted}/delete`);
    expect(await notificationsOf(player)).toHaveLength(2);
    await client.post(`/lfg/${deleted}/delete`);
    expect((await notificationsOf(player)).map(({ subject }) => subject)).toEqual([`post:${closed}`]);
  });

  test("reaches all of a player's open tabs, and so does marking it as read", async () => {
    const { client, player } = await newVisitor(app);
    // Two tabs of one browser, and one of another.
    const other = await visitAs(app, player);
    const tabs = [await openInbox(client), await openInbox(client), await openInbox(other)];
    const allHear = (notifications: number) =>
      Promise.all(tabs.map((tab) => tab.hears({ messages: 0, notifications })));
    const createdAt = new Date(Date.now() - DAY + 30 * MINUTE);
    const postId = await addPost(app, player.id, { createdAt });
    await app.runScheduled();
    await allHear(1);
    await addNews(player.id);
    await client.get(`/lfg/${postId}`);
    await allHear(1);
    await addNews(player.id);
    await client.post(BELL, { intent: "read-all", until: Date.now() });
    await allHear(0);
    for (const tab of tabs) tab.close();
  });
});

// Comes last, because it fills the database.
test("Counting what a player hasn't read stops at a hundred rows, on pages and in the inbox", async () => {
  const { client, player } = await newVisitor(app);
  const filling = createClient({ url: sqld.url });
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)";
  const id = `printf('${player.id.slice(0, 23)}-%012d', i)`;
  const args = [player.id, Date.now() - DAY];
  await filling.batch([
    `${numbers} INSERT INTO conversations (id, title, last_seq, last_preview, created_at)
      SELECT ${id}, 'Chat', 1, 'Hi', 0 FROM n`,
    {
      sql: `${numbers} INSERT INTO conversation_members (conversation_id, user_id, listed_at, unread_count, joined_at)
        SELECT ${id}, ?1, ?2 - i, 1, ?2 FROM n`,
      args,
    },
    {
      sql: `${numbers} INSERT INTO notifications (id, user_id, kind, subject, data, created_at)
        SELECT ${id}, ?1, 'message', 'conversation:' || ${id}, '{}', ?2 - i FROM n`,
      args,
    },
  ]);
  filling.close();
  const reads: Record<string, number> = {};
  const measure = async (name: string, work: () => Promise<unknown>) => {
    proxy.clear();
    await work();
    reads[name] = proxy.statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  };
  for (const path of ["/dashboard/profile", "/dashboard/messages", BELL]) {
    await measure(path, async () => {
      const { text } = await client.get(path);
      expect(unreadTotals(text)).toEqual({ bell: "More than 99 unread", chat: "More than 99 unread" });
    });
  }
  await measure("inbox", async () => (await openInbox(client)).close());
  console.log(reads);
  expect(Object.fromEntries(Object.entries(reads).filter(([, rows]) => rows > 400))).toEqual({});
});
