import { readFile } from "node:fs/promises";
import { runInNewContext } from "node:vm";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RANKS, rankPosition } from "../../app/game/ranks";
import { REGIONS } from "../../app/game/regions";
import { ROLES } from "../../app/game/roles";
import { VOICE_COMMS } from "../../app/game/voice";
import { foldForSearch } from "../../app/platform/lists/search-text";
import { uuidv7 } from "../../db/ids";
import { lfgPosts, profiles } from "../../db/schema";
import { type TestApp, useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { hidingIn } from "../support/hiding";
import {
  announcements,
  field,
  findByHeading,
  findForm,
  heading,
  links,
  meta,
  postTitles,
  select,
  textOf,
  texts,
} from "../support/html";
import { roundTrips } from "../support/server-timing";
import {
  addBlock,
  addPlayer,
  addPost,
  DAY,
  HOUR,
  MINUTE,
  newVisitor,
  unique,
  visitAs,
  withoutPresence,
} from "./players";
import type { Visitor } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { hide, restore } = hidingIn(app);

const NEW = "/dashboard/lfg/new";
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);
const postOf = (id: string) => app.db.select().from(lfgPosts).where(eq(lfgPosts.id, id)).get();
const postsOf = (userId: string) => app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, userId));
/** The fields of a valid post. */
const validFields = (fields: Record<string, unknown> = {}) => ({
  id: uuidv7(),
  title: unique("A good post "),
  neededPlayers: "2",
  ...(fields as Record<string, string>),
});
const create = (client: Client, fields: Record<string, unknown> = {}) => client.post(NEW, validFields(fields));

const OLDER = ["Older", "Keep searching"];

/** The pages of a list, from a path on: follows the link at the end of each page, up to a redirect. */
async function walk(client: Client, path: string, names = OLDER) {
  const pages: string[][] = [];
  const addresses: string[] = [];
  for (let next: string | undefined = path; next; ) {
    const page: HttpResponse = await client.get(next);
    addresses.push(next);
    if (page.location) return { pages, addresses, leadsTo: page.location };
    expect(page.status).toBe(200);
    pages.push(postTitles(page.text));
    next = links(page.text).find(({ text }) => names.includes(text))?.href;
    expect(pages.length).toBeLessThan(50);
  }
  return { pages, addresses, leadsTo: null };
}

const card = (html: string, title: string) => findByHeading(html, ".lfg-card", title);

describe("the list", () => {
  test("says that there is no post, and how to write the first", async () => {
    const { client } = await newVisitor(app);
    const page = await client.get("/dashboard");
    expect(page.status).toBe(200);
    expect(textOf(page.text)).toContain("No active LFG posts. Be the first to create one!");
    expect(textOf(page.text)).toContain("0 active posts");
    expect(links(page.text)).toContainEqual({ text: "Write the first post", href: NEW });
    const filtered = await client.get("/dashboard?role=Duelist");
    expect(textOf(filtered.text)).toContain("No post fits these filters right now.");
    expect(links(filtered.text)).toContainEqual({ text: "Show all posts", href: "/dashboard" });
    const beyond = await client.get(`/dashboard?after=1_${uuidv7()}`);
    expect(textOf(beyond.text)).toContain("That was the last post.");
    expect(links(beyond.text)).toContainEqual({ text: "Back to the newest", href: "/dashboard" });
  });

  test("doesn't say on a later page of a search that no post fits if an earlier page has shown one", async () => {
    const [{ client }, { player }] = [await newVisitor(app), await newVisitor(app)];
    const rare = await addPost(app, player.id, { title: "Rare one" });
    const post = await postOf(rare);
    for (let start = 1; start < 900; start += 100) {
      const common = Array.from({ length: 100 }, (_, index) => ({
        ...(post as NonNullable<typeof post>),
        ...{ id: uuidv7(), searchText: "common", listedAt: ago((start + index) * 1_000) },
      }));
      await app.db.insert(lfgPosts).values(common);
    }
    const first = await client.get("/dashboard?q=rare");
    expect(postTitles(first.text)).toContain("Rare one");
    const further = (html: string) => links(html).find(({ text }) => text === "Keep searching")?.href;
    const second = await client.get(further(first.text) as string);
    expect(postTitles(second.text)).toEqual([]);
    expect(textOf(second.text)).toContain("None of these posts fits. There are more to search.");
    expect(textOf(second.text)).not.toContain("None of the newest posts");
    expect(further(second.text)).toBeDefined();
    // The same text is true if the earlier pages have shown none.
    const vain = await client.get("/dashboard?q=rarest");
    expect(textOf(vain.text)).toContain("None of the newest posts fits these filters.");
    const still = await client.get(further(vain.text) as string);
    expect(textOf(still.text)).toContain("None of these posts fits. There are more to search.");
    await app.db.delete(lfgPosts).where(eq(lfgPosts.userId, player.id));
    const none = await client.get("/dashboard?q=rare");
    expect(textOf(none.text)).toContain("No post fits these filters right now.");
  });
});

describe("creating a post", () => {
  test("takes all the author's fields, for 24 hours, with the profile's voice preference", async () => {
    const { client, player } = await newVisitor(app, { voiceCommsPreference: "preferred" });
    const opened = await client.get("/dashboard");
    expect(links(opened.text)).toContainEqual({ text: "Create Post", href: NEW });
    const answer = await client.submit(NEW, "Create Post", {
      title: "  Two for   Lotus, “calm” & <b>quick</b> ",
      message: "Smokes are mine.\r\n\r\n\r\n\r\nEvenings, two hours. 🎮  ",
      neededPlayers: "4",
      requiredRank: "Platinum 2",
      requiredRole: "Sentinel",
      region: "Latin America",
    });
    expect([answer.status, answer.location]).toEqual([303, "/dashboard"]);
    const page = await client.follow(answer);
    expect(announcements(page.text)).toContain("LFG post created! Your post is now live and other players can see it.");
    expect(textOf(page.text)).toContain("24 hours left");
    expect(textOf(page.text)).toMatch(/Closes tomorrow, \d\d:\d\d\./);
    const [post, ...others] = await postsOf(player.id);
    expect(others).toEqual([]);
    expect(post).toMatchObject({
      title: "Two for Lotus, “calm” & <b>quick</b>",
      message: "Smokes are mine.\n\nEvenings, two hours. 🎮",
      neededPlayers: 4,
      requiredRank: "Platinum 2",
      requiredRole: "Sentinel",
      region: "Latin America",
      voiceComms: "preferred",
      isActive: true,
    });
    expect((post?.expiresAt.getTime() ?? 0) - (post?.createdAt.getTime() ?? 0)).toBe(DAY);
    expect(Math.abs((post?.createdAt.getTime() ?? 0) - Date.now())).toBeLessThan(MINUTE);
    expect(post?.listedAt).toEqual(post?.createdAt);
    expect(postTitles(page.text)[0]).toBe("Two for Lotus, “calm” & <b>quick</b>");
    expect(page.text).not.toContain("<b>quick");
  });

  test("stores empty fields as null", async () => {
    const { client, player } = await newVisitor(app);
    await client.submit(NEW, "Create Post", { title: "Just a title", neededPlayers: "1" });
    const [post] = await postsOf(player.id);
    expect(post).toMatchObject({
      message: null,
      requiredRank: null,
      requiredRole: null,
      region: null,
      voiceComms: null,
    });
  });

  test("sent twice with one form makes one post", async () => {
    const { client, player } = await newVisitor(app);
    const fields = validFields();
    const answers = await Promise.all([1, 2, 3].map(() => client.post(NEW, fields)));
    answers.push(await client.post(NEW, fields));
    for (const { status, location } of answers) expect([status, location]).toEqual([303, "/dashboard"]);
    expect(await postsOf(player.id)).toHaveLength(1);
  });

  test("sent again with other words says so, and a third time makes another post", async () => {
    const { client, player } = await newVisitor(app);
    const fields = validFields();
    // The response is lost on its way, so the form is still open.
    expect((await client.post(NEW, fields)).status).toBe(303);
    const changed = { ...fields, title: "Only with a microphone" };
    const answer = await client.post(NEW, changed);
    expect(answer.status).toBe(409);
    expect(announcements(answer.text)[0]).toContain("This form has already created a post, with other details.");
    expect(links(answer.text)).toContainEqual({ text: "See that post", href: `/lfg/${fields.id}` });
    expect(field(answer.text, "title").value).toBe(changed.title);
    expect(await postsOf(player.id)).toMatchObject([{ title: fields.title }]);
    const again = { ...changed, id: field(answer.text, "id").value as string };
    expect((await client.post(NEW, again)).status).toBe(303);
    expect((await postsOf(player.id)).map(({ title }) => title).sort()).toEqual([fields.title, changed.title].sort());
  });

  test("sent again when its post isn't open any more says so, and a third time makes another post", async () => {
    const ends: ((client: Client, id: string) => Promise<unknown>)[] = [
      (client, id) => pressTeamButton(client, id, "close"),
      (_, id) => hide({ kind: "post", id }),
      (_, id) =>
        app.db
          .update(lfgPosts)
          .set({ expiresAt: ago(1) })
          .where(eq(lfgPosts.id, id)),
    ];
    for (const end of ends) {
      const { client, player } = await newVisitor(app);
      const fields = validFields();
      expect((await client.post(NEW, fields)).status).toBe(303);
      await end(client, fields.id);
      const answer = await client.post(NEW, fields);
      expect(answer.status).toBe(409);
      expect(announcements(answer.text)[0]).toContain(
        "This form has already created a post, which isn't open any more. To create another, press Create Post again.",
      );
      expect(links(answer.text)).toContainEqual({ text: "See that post", href: `/lfg/${fields.id}` });
      expect(await postsOf(player.id)).toHaveLength(1);
      const id = field(answer.text, "id").value as string;
      expect((await client.post(NEW, { ...fields, id })).status).toBe(303);
      expect(await postOf(id)).toMatchObject({ title: fields.title, isActive: true });
      // Leaves the first page to the posts of other tests.
      await pressTeamButton(client, id, "close");
    }
  });

  test("begins with what another app shares with Lineup", async () => {
    const { client } = await newVisitor(app);
    const { params, action } = JSON.parse(await readFile("public/site.webmanifest", "utf8")).share_target;
    const shared = { title: "Two for Haven", text: "We start at eight", url: "https://vct.example/haven" };
    const query = Object.entries(params).map(([part, name]) => [name, shared[part as keyof typeof shared]] as string[]);
    const { text } = await client.get(`${action}?${new URLSearchParams(query)}`);
    expect(field(text, "title").value).toBe("Two for Haven");
    expect(field(text, "message").value).toBe("We start at eight\nhttps://vct.example/haven");
  });

  test("with the id of another player's post is refused, and leaves that post as it is", async () => {
    const author = await addPlayer(app);
    const id = await addPost(app, author.id, { title: "Not yours" });
    const before = await postOf(id);
    const { client, player } = await newVisitor(app);
    for (const spelling of [id, id.toUpperCase()]) {
      const answer = await create(client, { id: spelling, title: "Mine now" });
      expect(answer.status).toBe(409);
      expect(announcements(answer.text)[0]).toBe("This form was already used. Open it again to write another post.");
      expect(field(answer.text, "title").value).toBe("Mine now");
    }
    expect(await postOf(id)).toEqual(before);
    expect(await postsOf(player.id)).toEqual([]);
  });

  test("is refused with a malformed id, and can be opened with any well-formed one", async () => {
    const { client, player } = await newVisitor(app);
    for (const id of ["", "1", "not-an-id", `${uuidv7()}x`, "../../etc/passwd", "'; DROP TABLE lfg_posts; --"]) {
      const answer = await create(client, { id });
      expect(answer.status, id).toBe(400);
      expect(announcements(answer.text)[0], id).toMatch(/This form is out of date\. Open it again\./);
    }
    const missing = await client.post(NEW, { title: "No id at all", neededPlayers: "1" });
    expect(missing.status).toBe(400);
    expect(await postsOf(player.id)).toEqual([]);
    const id = uuidv7().toUpperCase();
    expect((await create(client, { id })).status).toBe(303);
    expect((await client.get(`/lfg/${id}`)).status).toBe(200);
    expect((await client.get(`/lfg/${id.toLowerCase()}`)).status).toBe(200);
  });

  test("is for signed-in players: the page leads to the sign-in, and the form keeps its fields", async () => {
    const visitor = app.client();
    const page = await visitor.get(NEW);
    expect([page.status, page.location]).toEqual([302, "/auth?redirectTo=%2Fdashboard%2Flfg%2Fnew"]);
    const answer = await create(visitor, { title: "Signed out meanwhile", message: "<i>all</i> of it" });
    expect(answer.status).toBe(401);
    expect(textOf(answer.text)).toContain("Not authenticated");
    const again = findForm(answer.text, "Send Again");
    expect(again.values).toMatchObject({ title: ["Signed out meanwhile"], message: ["<i>all</i> of it"] });
    const player = await addPlayer(app);
    const signedIn = await visitAs(app, player);
    expect((await signedIn.post(again.action ?? NEW, again.values)).status).toBe(303);
    expect(await postsOf(player.id)).toHaveLength(1);
  });

  const LONG = "x".repeat(101);
  test.each<[string, Record<string, unknown>, string, string | RegExp]>([
    ["no title", { title: "" }, "title", "Give your post a title."],
    ["a title of spaces", { title: " \t\u3000 " }, "title", "Give your post a title."],
    ["a title of nothing to see", { title: "\u200b\u2060\ufeff" }, "title", "Give your post a title."],
    ["a title too long", { title: LONG }, "title", "This title is 1 character too long. The limit is 100."],
    ["a title of 90 kB", { title: "x".repeat(90_000) }, "title", /89,900 characters too long/],
    ["control characters in the title", { title: "Two\u0000\u0007 for Haven" }, "title", /can't be shown/],
    ["a line break in the title", { title: "Two\nfor Haven" }, "title", /can't be shown/],
    ["text that runs the other way", { title: "Two \u202efor Haven" }, "title", /can't be shown/],
    [
      "a message too long",
      { message: "y".repeat(1_001) },
      "message",
      "This message is 1 character too long. The limit is 1,000.",
    ],
    ["control characters in the message", { message: "Evenings\u001b[31m" }, "message", /can't be shown/],
    ["no number of players", { neededPlayers: "" }, "neededPlayers", "Choose how many players you need, 1 to 4."],
    ["no player", { neededPlayers: "0" }, "neededPlayers", "Choose how many players you need, 1 to 4."],
    ["five players", { neededPlayers: "5" }, "neededPlayers", "Choose how many players you need, 1 to 4."],
    ["half a player", { neededPlayers: "1.5" }, "neededPlayers", "Choose how many players you need, 1 to 4."],
    ["fewer than no players", { neededPlayers: "-1" }, "neededPlayers", "Choose how many players you need, 1 to 4."],
    ["players in words", { neededPlayers: "two" }, "neededPlayers", "Choose how many players you need, 1 to 4."],
    ["endless players", { neededPlayers: "1e999" }, "neededPlayers", "Choose how many players you need, 1 to 4."],
    ["players twice", { neededPlayers: ["1", "2"] }, "neededPlayers", /./],
    ["two titles", { title: ["One", "Two"] }, "title", /./],
    ["a rank that is none", { requiredRank: "Wood 1" }, "requiredRank", "Choose a rank from the list."],
    ["a rank's number", { requiredRank: "3" }, "requiredRank", "Choose a rank from the list."],
    ["a role that is none", { requiredRole: "Healer" }, "requiredRole", "Choose a role from the list."],
    ["two roles", { requiredRole: ["Duelist", "Sentinel"] }, "requiredRole", /./],
    ["a region that is none", { region: "Mars" }, "region", "Choose a region from the list."],
  ])("with %s is refused at the field, and everything else is kept", async (_, bad, at, sentence) => {
    const { client, player } = await newVisitor(app);
    const fields: Record<string, unknown> = {
      title: "Kept & <title>",
      message: "Kept\n<message>",
      neededPlayers: "3",
      requiredRank: "Gold 1",
      requiredRole: "Duelist",
      region: "Korea",
      ...bad,
    };
    const answer = await create(client, fields);
    expect(answer.status).toBe(400);
    expect(field(answer.text, at).invalid).toBe(true);
    expect(field(answer.text, at).description).toMatch(sentence);
    for (const name of ["title", "message", "neededPlayers", "requiredRank", "requiredRole", "region"]) {
      if (name in bad) continue;
      expect(field(answer.text, name).value, name).toBe(fields[name]);
      expect(field(answer.text, name).invalid, name).toBe(false);
    }
    expect(announcements(answer.text).at(-1)).toMatch(/^Error creating post /);
    // The summary links to the field, and the field exists.
    const id = select(answer.text, 'dialog a[href^="#"]').attr("href")?.slice(1);
    expect(select(answer.text, `[id="${id}"]`)).toHaveLength(1);
    expect(await postsOf(player.id)).toEqual([]);
  });

  test("keeps a text that is too long, so that it can be shortened", async () => {
    const { client } = await newVisitor(app);
    const [title, message] = [`Wörter ${"x".repeat(120)}`, `${"One <line> & more.\n".repeat(80)}🎮`];
    const answer = await create(client, { title, message });
    expect(field(answer.text, "title").value).toBe(title);
    expect(field(answer.text, "message").value).toBe(message);
  });

  test("accepts any script and emoji, and counts 100 characters of the title in each", async () => {
    const titles = [{ title: "🎮".repeat(50) }, { title: "x".repeat(100), message: "щ".repeat(1_000) }];
    for (const fields of [...titles, { title: "👨‍👩‍👧‍👦 별하늘 ขอเพื่อน مرحبا" }]) {
      const { client, player } = await newVisitor(app);
      expect((await create(client, { title: "🎮".repeat(101) })).status).toBe(400);
      expect((await create(client, fields)).status).toBe(303);
      expect(await postsOf(player.id)).toMatchObject([fields]);
    }
  });

  test("is in the data of its page as it was written, with any quotes and script tags", async () => {
    const { client } = await newVisitor(app);
    const title = `"It's" \\" \\' \\\\ </script> \u2028 <!--`;
    const fields = validFields({ title });
    await client.post(NEW, fields);
    const { text } = await client.get(`/lfg/${fields.id}`);
    const [, literal = ""] = /streamController\.enqueue\(([^\n]*?)\);<\/script>/.exec(text) ?? [];
    const data = JSON.parse(runInNewContext(literal)) as unknown[];
    expect(data).toContain((await postOf(fields.id))?.title);
    expect(data.find((value) => String(value).startsWith('"It'))).toContain("\\' \\\\ </script>");
  });

  test("with files in place of text is refused at the fields", async () => {
    const { client, player } = await newVisitor(app);
    for (const name of ["id", "title", "message", "neededPlayers", "requiredRank", "region"]) {
      const body = new FormData();
      for (const [key, value] of Object.entries(validFields())) body.set(key, value as string);
      body.set(name, new Blob(["something"]), "file.txt");
      const answer = await client.request(NEW, { method: "POST", body });
      expect(answer.status, name).toBe(400);
    }
    const empty = new FormData();
    for (const [key, value] of Object.entries(validFields())) empty.set(key, value as string);
    empty.set("message", new Blob([]), "");
    expect((await client.request(NEW, { method: "POST", body: empty })).status).toBeLessThan(500);
    expect((await postsOf(player.id)).filter(({ message }) => message)).toEqual([]);
  });

  test("ignores unknown fields", async () => {
    const { client, player } = await newVisitor(app);
    const other = await addPlayer(app);
    const answer = await create(client, {
      userId: other.id,
      isActive: "false",
      expiresAt: "9999999999999",
      createdAt: "0",
      voiceComms: "required",
    });
    expect(answer.status).toBe(303);
    const [post] = await postsOf(player.id);
    expect(post).toMatchObject({ isActive: true, voiceComms: null });
    expect((post?.expiresAt.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(DAY);
    expect(await postsOf(other.id)).toEqual([]);
  });
});

describe("an author", () => {
  test("edits an open post, which keeps its place in the list and its time of expiry", async () => {
    const { client, player } = await newVisitor(app);
    const created = ago(2 * HOUR);
    const id = await addPost(app, player.id, {
      title: "Before",
      message: "Was here",
      neededPlayers: 3,
      requiredRank: "Gold 1",
      requiredRole: "Duelist",
      region: "Korea",
      createdAt: created,
    });
    const form = await client.get(`/lfg/${id}/edit`);
    expect(heading(form.text)).toBe("Before");
    expect(field(form.text, "title").value).toBe("Before");
    expect(field(form.text, "message").value).toBe("Was here");
    expect(field(form.text, "neededPlayers").value).toBe("3");
    expect(field(form.text, "requiredRank").value).toBe("Gold 1");
    const answer = await client.submit(`/lfg/${id}/edit`, "Save Post", {
      title: "After",
      message: "",
      requiredRank: "",
    });
    expect([answer.status, answer.location]).toEqual([303, `/lfg/${id}`]);
    expect(announcements((await client.follow(answer)).text)).toContain("Post saved");
    const post = await postOf(id);
    expect(post).toMatchObject({
      title: "After",
      message: null,
      neededPlayers: 3,
      requiredRank: null,
      requiredRole: "Duelist",
      searchText: "after",
      createdAt: created,
      listedAt: created,
      expiresAt: new Date(created.getTime() + DAY),
    });
    expect(post?.updatedAt.getTime()).toBeGreaterThan(created.getTime());
  });

  test("who edits a post in two tabs is told of the other save, and replaces it only by saving again", async () => {
    const { client, player } = await newVisitor(app);
    const id = await addPost(app, player.id, {
      title: "Before",
      message: 'First line\nit\'s "quoted" é',
      neededPlayers: 3,
    });
    const address = `/lfg/${id}/edit`;
    const opened = findForm((await client.get(address)).text, "Save Post").values;
    const other = { ...opened, message: "From the other tab", neededPlayers: "2" };
    expect((await client.post(address, other)).status).toBe(303);

    const mine = { ...opened, title: "From this tab" };
    const refused = await client.post(address, mine);
    expect([refused.status, roundTrips(refused)]).toEqual([409, 3]);
    expect(announcements(refused.text)[0]).toContain("This post has changed elsewhere since you opened this form.");
    expect(field(refused.text, "title").value).toBe("From this tab");
    expect(await postOf(id)).toMatchObject({ title: "Before", message: "From the other tab", neededPlayers: 2 });

    expect((await client.post(address, findForm(refused.text, "Save Post").values)).status).toBe(303);
    expect(await postOf(id)).toMatchObject({ title: "From this tab", neededPlayers: 3 });
    const again = await Promise.all([1, 2].map(() => client.post(address, mine)));
    expect(
      again.map(({ status }) => status),
      "pressed twice",
    ).toEqual([303, 303]);
  });

  test("can edit a post that was bumped, or that someone has joined, while the form was open", async () => {
    const { client, player } = await newVisitor(app);
    const id = await addPost(app, player.id, { title: "Before", neededPlayers: 3, createdAt: ago(HOUR) });
    const opened = findForm((await client.get(`/lfg/${id}/edit`)).text, "Save Post").values;
    expect((await client.post(`/lfg/${id}`, { intent: "bump" })).status).toBe(303);
    await app.db.update(lfgPosts).set({ takenSpots: 1, updatedAt: new Date() }).where(eq(lfgPosts.id, id));
    expect((await client.post(`/lfg/${id}/edit`, { ...opened, title: "After" })).status).toBe(303);
    const tooFew = { ...opened, title: "After", neededPlayers: "1", version: undefined };
    expect((await client.post(`/lfg/${id}/edit`, JSON.parse(JSON.stringify(tooFew)))).status).toBe(409);
  });

  test("sees invalid edits again in the form, with the post unchanged", async () => {
    const { client, player } = await newVisitor(app);
    const id = await addPost(app, player.id, { title: "Stays" });
    const before = await postOf(id);
    const answer = await client.post(`/lfg/${id}/edit`, { title: "", message: "kept", neededPlayers: "9" });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "title").description).toBe("Give your post a title.");
    expect(field(answer.text, "neededPlayers").description).toBe("Choose how many players you need, 1 to 4.");
    expect(field(answer.text, "message").value).toBe("kept");
    expect(announcements(answer.text)[0]).toMatch(/^Check these:/);
    expect(withoutPresence(await postOf(id))).toEqual(withoutPresence(before));
  });

  test("closes a post after a confirmation: it leaves the list, and its page says so", async () => {
    const { client, player } = await newVisitor(app);
    const title = unique("To be closed ");
    const id = await addPost(app, player.id, { title });
    expect(links((await client.get(`/lfg/${id}`)).text)).toContainEqual({
      text: "Close Post",
      href: `/lfg/${id}/close`,
    });
    const question = await client.get(`/lfg/${id}/close`);
    expect([question.status, roundTrips(question)]).toEqual([200, 1]);
    expect(textOf(question.text)).toContain(`“${title}” leaves the list`);
    expect((await postOf(id))?.isActive).toBe(true);
    const answer = await client.submit(`/lfg/${id}/close`, "Close Post");
    expect([answer.status, answer.location]).toEqual([303, `/lfg/${id}`]);
    const page = await client.follow(answer);
    expect(announcements(page.text).join("\n")).toContain(
      "Post closed Other players no longer see it in the list. You can reopen it on its page.",
    );
    expect(textOf(page.text)).toContain("This post is closed.");
    expect((await postOf(id))?.isActive).toBe(false);
    expect(postTitles((await client.get("/dashboard")).text)).not.toContain(title);
    // Closing it again changes nothing and is no error. Even from the list, it leads to the page that can reopen it.
    const again = await client.post(`/lfg/${id}?back=%2Fdashboard`, { intent: "close" });
    expect([again.status, again.location]).toEqual([303, `/lfg/${id}`]);
    expect(announcements((await client.follow(again)).text).join()).toContain("You can reopen it on its page.");
    const actions = links(page.text).map(({ text }) => text);
    expect(actions).toContain("Delete Post");
    expect(actions).not.toContain("Edit");
    expect(() => findForm(page.text, "Bump")).toThrow();
    expect((await client.get(`/lfg/${id}/close`)).location).toBe(`/lfg/${id}`);
  });

  test("reopens a closed post, which gets back its place in the list and its time of expiry", async () => {
    const { client, player } = await newVisitor(app);
    const title = unique("To be reopened ");
    const id = await addPost(app, player.id, { title, createdAt: ago(2 * HOUR) });
    const before = await postOf(id);
    await client.submit(`/lfg/${id}/close`, "Close Post");
    const closed = await client.get(`/lfg/${id}`);
    expect(textOf(closed.text)).toMatch(/You can reopen it until (today|tomorrow), \d\d:\d\d\./);
    const answer = await client.submit(`/lfg/${id}`, "Reopen Post");
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, `/lfg/${id}`, 2]);
    expect(announcements((await client.follow(answer)).text)).toContain(
      "Post reopened It's back where it was in the list. Bump it to move it to the top.",
    );
    const after = {
      ...before,
      updatedAt: expect.any(Date),
      authorState: "online",
      authorSeenAt: expect.any(Date),
      authorSlot: expect.any(Number),
    };
    expect(await postOf(id)).toEqual(after);
    expect(postTitles((await client.get("/dashboard")).text)).toContain(title);
    // Reopening it again changes nothing.
    expect((await client.post(`/lfg/${id}`, { intent: "reopen" })).status).toBe(303);
    expect(await postOf(id)).toEqual(after);
  });

  test("can't close an expired post, or one whose team has played, which its author couldn't reopen", async () => {
    const { client, player } = await newVisitor(app);
    for (const state of [
      { createdAt: ago(DAY + MINUTE) },
      { isActive: false, filledAt: ago(3 * HOUR), sessionEndedAt: ago(HOUR) },
    ]) {
      const id = await addPost(app, player.id, state);
      const before = await postOf(id);
      const late = await client.post(`/lfg/${id}`, { intent: "close" });
      expect(late.status).toBe(409);
      expect(announcements(late.text).join()).toContain("This post is already closed.");
      expect(withoutPresence(await postOf(id))).toEqual(withoutPresence(before));
    }
  });

  test("can't reopen an expired post, a fourth one, or another player's", async () => {
    const { client, player } = await newVisitor(app);
    const over = await addPost(app, player.id, {
      isActive: false,
      closedAt: ago(HOUR),
      createdAt: ago(DAY + MINUTE),
    });
    const page = await client.get(`/lfg/${over}`);
    expect(() => findForm(page.text, "Reopen Post")).toThrow();
    const late = await client.post(`/lfg/${over}`, { intent: "reopen" });
    expect(late.status).toBe(409);
    expect(announcements(late.text).at(-1)).toContain("This post's 24 hours are over");
    const fourth = await addPost(app, player.id, { isActive: false, closedAt: ago(MINUTE) });
    for (let post = 0; post < 3; post += 1) await addPost(app, player.id);
    const full = await client.post(`/lfg/${fourth}`, { intent: "reopen" });
    expect(full.status).toBe(409);
    expect(announcements(full.text).at(-1)).toContain("You already have three other posts open.");
    const { client: stranger } = await newVisitor(app);
    expect((await stranger.post(`/lfg/${fourth}`, { intent: "reopen" })).status).toBe(404);
    expect((await stranger.get(`/lfg/${fourth}/close`)).status).toBe(404);
    expect((await postOf(fourth))?.isActive).toBe(false);
    expect(() => findForm(page.text, "Reopen Post")).toThrow();
  });

  test("never has more than three open posts, even when reopening several at the same time", async () => {
    const { client, player } = await newVisitor(app);
    const closed: string[] = [];
    for (let post = 0; post < 6; post += 1) {
      closed.push(await addPost(app, player.id, { isActive: false, closedAt: ago(MINUTE) }));
    }
    const answers = await Promise.all(closed.map((id) => client.post(`/lfg/${id}`, { intent: "reopen" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(303), ...Array(3).fill(409)]);
    expect((await postsOf(player.id)).filter(({ isActive }) => isActive)).toHaveLength(3);
  });

  test("is offered `Bump` as soon as it works, and until then is shown when that will be", async () => {
    const { client, player } = await newVisitor(app);
    const fresh = await addPost(app, player.id, { createdAt: ago(17 * MINUTE + 30_000) });
    for (const path of [`/lfg/${fresh}`, "/dashboard"]) {
      const page = await client.get(path);
      expect(() => findForm(page.text, "Bump"), path).toThrow();
      expect(textOf(page.text), path).toContain("You can bump it in 13 minutes.");
    }
    await app.db
      .update(lfgPosts)
      .set({ listedAt: ago(31 * MINUTE) })
      .where(eq(lfgPosts.id, fresh));
    for (const path of [`/lfg/${fresh}`, "/dashboard"]) {
      const page = await client.get(path);
      expect(findForm(page.text, "Bump").action, path).toBe(`/lfg/${fresh}`);
      expect(textOf(page.text), path).not.toContain("You can bump it in");
    }
  });

  test("with an outdated page is told that the post is closed, and nothing changes", async () => {
    const { client, player } = await newVisitor(app);
    const closed = await addPost(app, player.id, { title: "Closed meanwhile", isActive: false });
    const over = await addPost(app, player.id, { title: "Over meanwhile", createdAt: ago(DAY + MINUTE) });
    for (const id of [closed, over]) {
      const before = await postOf(id);
      const edit = await client.post(`/lfg/${id}/edit`, { title: "Too late", neededPlayers: "1" });
      expect(edit.status).toBe(409);
      expect(textOf(edit.text)).toContain("This post is already closed, so you can't edit it.");
      const bump = await client.post(`/lfg/${id}`, { intent: "bump" });
      expect(bump.status).toBe(409);
      expect(announcements(bump.text).at(-1)).toBe("Error This post is already closed.");
      expect(await postOf(id)).toEqual(before);
      const page = await client.get(`/lfg/${id}/edit`);
      expect(page.location).toBe(`/lfg/${id}`);
    }
  });

  test("bumps a post to the top once in 30 minutes without changing its time of expiry", async () => {
    const { client, player } = await newVisitor(app);
    const title = unique("To be bumped ");
    const created = ago(31 * MINUTE);
    const id = await addPost(app, player.id, { title, createdAt: created });
    await addPost(app, player.id, { title: unique("Newer ") });
    expect(postTitles((await client.get("/dashboard")).text)[0]).not.toBe(title);
    const answer = await client.submit(`/lfg/${id}`, "Bump");
    expect(announcements((await client.follow(answer)).text).join("\n")).toContain(
      "Post bumped It's at the top of the list again.",
    );
    expect(postTitles((await client.get("/dashboard")).text)[0]).toBe(title);
    await app.db
      .update(lfgPosts)
      .set({ listedAt: ago(MINUTE) })
      .where(eq(lfgPosts.id, id));
    const bumped = await postOf(id);
    expect(bumped?.createdAt).toEqual(created);
    expect(bumped?.expiresAt).toEqual(new Date(created.getTime() + DAY));
    const soon = await client.post(`/lfg/${id}`, { intent: "bump" });
    expect(soon.status).toBe(409);
    expect(announcements(soon.text).at(-1)).toBe("Not yet You can bump a post every 30 minutes.");
    expect(await postOf(id)).toEqual(bumped);
    const fresh = await addPost(app, player.id, { createdAt: ago(29 * MINUTE) });
    expect((await client.post(`/lfg/${fresh}`, { intent: "bump" })).status).toBe(409);
  });

  test("bumps once when the button is pressed twice, and reads both times that it is done", async () => {
    const { client, player } = await newVisitor(app);
    const id = await addPost(app, player.id, { createdAt: ago(HOUR) });
    const press = () => client.post(`/lfg/${id}`, { intent: "bump" });
    const answers = await Promise.all([press(), press()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const bumped = await postOf(id);
    const again = await press();
    expect(announcements((await client.follow(again)).text)).toContain(
      "Post bumped It's at the top of the list again.",
    );
    expect(await postOf(id)).toEqual(bumped);
    // A new post hasn't been bumped.
    const fresh = await addPost(app, player.id);
    expect((await client.post(`/lfg/${fresh}`, { intent: "bump" })).status).toBe(409);
  });

  test("deletes a post after a confirmation, and then gets 404 at its address", async () => {
    const { client, player } = await newVisitor(app);
    const id = await addPost(app, player.id, { title: "To be deleted" });
    const question = await client.get(`/lfg/${id}/delete`);
    expect(textOf(question.text)).toContain("“To be deleted” and its page will be gone for good");
    const answer = await client.submit(`/lfg/${id}/delete`, "Delete Post");
    expect([answer.status, answer.location]).toEqual([303, "/dashboard"]);
    expect(announcements((await client.follow(answer)).text)).toContain("Post deleted");
    expect(await postOf(id)).toBeUndefined();
    expect((await client.get(`/lfg/${id}`)).status).toBe(404);
    expect((await client.post(`/lfg/${id}/delete`)).status).toBe(404);
  });

  test("reads that the post is deleted when that button is pressed twice, too", async () => {
    const { client, player } = await newVisitor(app);
    const id = await addPost(app, player.id);
    const { values } = findForm((await client.get(`/lfg/${id}/delete`)).text, "Delete Post");
    for (let press = 0; press < 2; press += 1) {
      const answer = await client.post(`/lfg/${id}/delete`, values);
      expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, "/dashboard", 2]);
      expect(announcements((await client.follow(answer)).text)).toContain("Post deleted");
    }
    // The same button says no more about other players' posts than their pages do.
    const { player: other } = await newVisitor(app);
    const shown = await addPost(app, other.id);
    expect((await client.post(`/lfg/${shown}/delete`, values)).status).toBe(404);
    expect(await postOf(shown)).toBeDefined();
    const hidden = await addPost(app, other.id, { hiddenAt: new Date(), isActive: false });
    const answers = [hidden, uuidv7()].map((one) => client.post(`/lfg/${one}/delete`, values));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([303, 303]);
    expect(await postOf(hidden)).toBeDefined();
  });

  test("returns to the page where the button was pressed, if that page belongs to the site", async () => {
    const { client, player } = await newVisitor(app);
    const own = ["/dashboard?role=Duelist&q=a+b", "/dashboard"];
    const foreign = ["//evil.example", "https://evil.example", "/\\evil.example", "/.//evil.example", "javascript:x"];
    for (const returnTo of [...own, ...foreign]) {
      const id = await addPost(app, player.id);
      const answer = await client.post(`/lfg/${id}`, { intent: "close", returnTo });
      expect(answer.location, returnTo).toBe(own.includes(returnTo) ? returnTo : `/lfg/${id}`);
    }
    const id = await addPost(app, player.id, { createdAt: ago(40 * MINUTE) });
    const rail = await client.get("/dashboard?region=Korea");
    const form = findForm(rail.text, "Bump");
    expect(form.values).toMatchObject({ returnTo: ["/dashboard?region=Korea"], intent: ["bump"] });
    expect(form.action).toBe(`/lfg/${id}`);
  });
});

describe("another player", () => {
  test("can't change a post in any way: 404, and it stays as it is", async () => {
    const author = await addPlayer(app);
    const id = await addPost(app, author.id, { title: "Hands off", createdAt: ago(HOUR) });
    const before = await postOf(id);
    const { client } = await newVisitor(app);
    for (const path of [`/lfg/${id}/edit`, `/lfg/${id}/delete`]) {
      const page = await client.get(path);
      expect(page.status, path).toBe(404);
      expect(heading(page.text), path).toBe("Oops! Page not found");
    }
    const forged: [string, Record<string, string>][] = [
      [`/lfg/${id}`, { intent: "close" }],
      [`/lfg/${id}`, { intent: "bump" }],
      [`/lfg/${id}/edit`, { title: "Mine", neededPlayers: "1" }],
      [`/lfg/${id}/edit`, { title: "Mine", neededPlayers: "1", userId: author.id, id }],
      [`/lfg/${id}/delete`, {}],
      [`/lfg/${id.toUpperCase()}/delete`, {}],
    ];
    for (const [path, fields] of forged) expect((await client.post(path, fields)).status, path).toBe(404);
    const bad = await client.post(`/lfg/${id}/edit`, { title: "" });
    expect(heading(bad.text)).toBe("Oops! Page not found");
    expect(await postOf(id)).toEqual(before);
    const page = await client.get(`/lfg/${id}`);
    for (const button of ["Reopen Post", "Bump"]) expect(() => findForm(page.text, button)).toThrow();
    const offered = links(page.text).map(({ text }) => text);
    for (const link of ["Edit", "Close Post"]) expect(offered).not.toContain(link);
  });

  test("is sent to the sign-in and back when signed out, with nothing changed", async () => {
    const author = await addPlayer(app);
    const id = await addPost(app, author.id, { createdAt: ago(HOUR) });
    const before = await postOf(id);
    const visitor = app.client();
    const redirects: [string, Record<string, string> | null, string][] = [
      [`/lfg/${id}/edit`, null, `/lfg/${id}/edit`],
      [`/lfg/${id}/delete`, null, `/lfg/${id}/delete`],
      [`/lfg/${id}`, { intent: "close" }, `/lfg/${id}`],
      [`/lfg/${id}`, { intent: "bump" }, `/lfg/${id}`],
      [`/lfg/${id}/delete`, {}, `/lfg/${id}/delete`],
      ["/dashboard?role=Duelist", null, "/dashboard?role=Duelist"],
    ];
    for (const [path, fields, back] of redirects) {
      const answer = fields ? await visitor.post(path, fields) : await visitor.get(path);
      expect(answer.status, path).toBe(302);
      expect(answer.location, path).toBe(`/auth?${new URLSearchParams({ redirectTo: back })}`);
    }
    expect((await visitor.post(`/lfg/${id}/edit`, { title: "Mine", neededPlayers: "1" })).status).toBe(401);
    expect(await postOf(id)).toEqual(before);
  });
});

describe("the page of a post", () => {
  test("is public and made for sharing", async () => {
    const author = await addPlayer(app, {
      riotGameName: "Sørina",
      riotId: "Sørina#CALM",
      riotPuuid: unique("puuid"),
      riotVerifiedAt: new Date(),
      currentRank: "Diamond 1",
      preferredRole: "Initiator",
      mainAgents: ["Sova", "Fade"],
    });
    const title = `Two & "more" <script>alert('x')</script>`;
    const id = await addPost(app, author.id, {
      title,
      message: `Line one\n</script><img src=x onerror=alert(1)> ${"long ".repeat(100)}`,
      neededPlayers: 2,
      requiredRank: "Gold 2",
      region: "Europe",
    });
    const page = await app.client().get(`/lfg/${id}`);
    expect(page.status).toBe(200);
    expect(heading(page.text)).toBe(title);
    expect(page.text).toContain(
      `<title>Two &amp; &quot;more&quot; &lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; · Lineup</title>`,
    );
    expect(meta(page.text, "og:title")).toBe(title);
    expect(meta(page.text, "og:type")).toBe("article");
    expect(meta(page.text, "og:site_name")).toBe("Lineup");
    expect(meta(page.text, "og:url")).toBe(`${app.url}/lfg/${id}`);
    expect(meta(page.text, "og:description")).toMatch(
      /^Needs 2 players\. Gold 2 and up, any role, Europe\. Closes \d+ \w+ \d{4}, \d\d:\d\d, UTC\. Line one/,
    );
    expect(meta(page.text, "og:description")?.length).toBeLessThanOrEqual(200);
    expect(meta(page.text, "robots")).toBeNull();
    expect(page.text).toContain(`<link rel="canonical" href="${app.url}/lfg/${id}"/>`);
    expect(page.text).not.toMatch(/<script>alert|<img src=x/);
    const text = textOf(page.text);
    for (const words of [
      "Sørina",
      "Verified",
      "Diamond 1",
      "Initiator",
      "Sova, Fade",
      "Gold 2",
      "Europe",
      "Needs 2 players",
    ])
      expect(text).toContain(words);
    expect(select(page.text, "time[datetime][title]").attr("title")).toBeTruthy();
    // The page has no data that identifies the account.
    expect(page.text).not.toContain(author.email);
    expect(page.text).not.toMatch(/puuid/i);
    expect(links(page.text)).toContainEqual({ text: "Contact", href: `/lfg/${id}/contact` });
  });

  test("names an author without a name by the first letters of the id", async () => {
    const [riotIdOnly, nameless] = [await addPlayer(app, { riotId: "marta.mid#MID" }), await addPlayer(app)];
    const page = async (userId: string) => textOf((await app.client().get(`/lfg/${await addPost(app, userId)}`)).text);
    expect(await page(riotIdOnly.id)).toContain("marta.mid#MID");
    expect(await page(nameless.id)).toContain(`Player ${nameless.id.slice(0, 8)}`);
  });

  test("stays when the post is closed or has expired, says so, and asks not to be indexed", async () => {
    const author = await addPlayer(app);
    const posts = [
      await addPost(app, author.id, { isActive: false }),
      await addPost(app, author.id, { createdAt: ago(DAY + MINUTE) }),
    ];
    for (const id of posts) {
      const page = await app.client().get(`/lfg/${id}`);
      expect(page.status).toBe(200);
      expect(textOf(page.text)).toContain("This post is closed.");
      expect(meta(page.text, "robots")).toBe("noindex");
      expect(meta(page.text, "og:description")).toMatch(/^Closed\. Any rank, any role, any region\./);
    }
  });

  test("answers 404 for a missing post, whatever the request", async () => {
    const { client } = await newVisitor(app);
    const ids = [
      uuidv7(),
      "1",
      "00000000-0000-0000-0000-000000000000",
      "%00",
      "%F0%9F%98%80",
      "a".repeat(2_000),
      "'--",
    ];
    for (const id of ids) {
      for (const path of [`/lfg/${id}`, `/lfg/${id}/edit`, `/lfg/${id}/delete`]) {
        expect((await client.get(path)).status, `GET ${path}`).toBe(404);
        const fields = { intent: "close", title: "x", neededPlayers: "1" };
        expect((await client.post(path, fields)).status, `POST ${path}`).toBe(404);
      }
    }
    const { player } = await newVisitor(app);
    const id = await addPost(app, player.id);
    for (const intent of ["", "explode", "delete"]) {
      expect((await client.post(`/lfg/${id}`, { intent })).status).toBe(404);
    }
    expect((await client.post(`/lfg/${id}`)).status).toBe(404);
  });
});

describe("the list of posts", () => {
  const busy = useApp({ world: "busy" });

  /** Every open post in the database, newest first. */
  async function openPosts({ db }: TestApp) {
    const now = new Date();
    const rows = await db
      .select({ post: lfgPosts, author: profiles })
      .from(lfgPosts)
      .innerJoin(profiles, eq(profiles.userId, lfgPosts.userId));
    return rows
      .map(({ post }) => post)
      .filter((post) => post.isActive && post.expiresAt > now)
      .sort((a, b) => b.listedAt.getTime() - a.listedAt.getTime() || (a.id < b.id ? 1 : -1));
  }
  type Post = Awaited<ReturnType<typeof openPosts>>[number];

  test("shows open posts, newest first, 20 to a page, each exactly once", async () => {
    const { client, player } = await newVisitor(busy);
    // Add posts of the same millisecond on the border between two pages, and three posts that must not show.
    const at = (await openPosts(busy))[18]?.listedAt as Date;
    for (let index = 0; index < 4; index += 1) {
      await addPost(busy, player.id, { title: `Same moment ${index}`, createdAt: at });
    }
    await addPost(busy, player.id, { title: "Closed", isActive: false });
    await addPost(busy, player.id, { title: "Over", createdAt: ago(DAY) });
    await addPost(busy, player.id, { title: "Bumped and over", createdAt: ago(DAY + HOUR), listedAt: ago(HOUR) });
    const expected = (await openPosts(busy)).map(({ title }) => title);
    const { pages } = await walk(client, "/dashboard");
    expect(pages.flat()).toEqual(expected);
    expect(pages.slice(0, -1).map(({ length }) => length)).toEqual(Array(pages.length - 1).fill(20));
    for (const title of ["Closed", "Over", "Bumped and over"]) expect(pages.flat()).not.toContain(title);
    expect(textOf((await client.get("/dashboard")).text)).toContain(`${expected.length} active posts`);
  });

  test("leads back from its last page the same way, and from the second page to the plain address", async () => {
    const { client, player } = await newVisitor(busy);
    for (const list of ["/dashboard", "/dashboard?rank=Diamond+1"]) {
      const down = await walk(client, list);
      expect(down.pages.length).toBeGreaterThan(1);
      const up = await walk(client, down.addresses.at(-1) as string, ["Newer"]);
      expect(up.pages.toReversed()).toEqual(down.pages.slice(1));
      expect(up.leadsTo).toBe(list);
    }
    // A page in the middle is full even while the list grows above it.
    const second = (await walk(client, "/dashboard")).addresses[1] as string;
    const back = links((await client.get(second)).text).find(({ text }) => text === "Newer")?.href as string;
    const first = postTitles((await client.get("/dashboard")).text);
    const id = await addPost(busy, player.id, { title: "Came above" });
    const page = await client.get(back);
    expect([page.status, postTitles(page.text)]).toEqual([200, first]);
    expect((await client.get(links(page.text).find(({ text }) => text === "Newer")?.href as string)).location).toBe(
      "/dashboard",
    );
    await busy.db.delete(lfgPosts).where(eq(lfgPosts.id, id));
  });

  test("loses no post when posts come and go between two pages", async () => {
    const { client, player } = await newVisitor(busy);
    const before = (await openPosts(busy)).map(({ id, title }) => ({ id, title }));
    const first = await client.get("/dashboard");
    await addPost(busy, player.id, { title: "Came in between" });
    await busy.db
      .update(lfgPosts)
      .set({ isActive: false })
      .where(eq(lfgPosts.id, before[19]?.id as string));
    const next = links(first.text).find(({ text }) => text === "Older")?.href as string;
    expect(postTitles((await client.get(next)).text)).toEqual(before.slice(20, 40).map(({ title }) => title));
  });

  test("shows each post's requirements and author on a card, with the title as the link", async () => {
    const { client } = await newVisitor(busy);
    const author = await addPlayer(busy, { riotGameName: "Кот", currentRank: "Iron 2", mainAgents: ["KAY/O"] });
    const id = await addPost(busy, author.id, {
      title: "Shown in full",
      message: "What it says",
      neededPlayers: 1,
      requiredRole: "Controller",
      createdAt: ago(2 * HOUR),
      listedAt: new Date(),
    });
    const page = await client.get("/dashboard");
    const shown = card(page.text, "Shown in full");
    for (const words of [
      "Кот",
      "Iron 2",
      "KAY/O",
      "Needs 1 player",
      "Any rank",
      "Controller",
      "Any region",
      "What it says",
    ])
      expect(textOf(shown)).toContain(words);
    expect(links(shown)).toContainEqual({ text: "Shown in full", href: `/lfg/${id}` });
    expect(textOf(shown)).toMatch(/less than a minute ago/);
    expect(textOf(shown)).toMatch(/2[12] hours left/);
    expect(shown.html()).not.toContain("Verified");
  });

  const fits = {
    rank: (post: Post, rank: string) =>
      post.requiredRank === null || rankPosition(post.requiredRank) <= RANKS.indexOf(rank as (typeof RANKS)[number]),
    role: (post: Post, role: string) => post.requiredRole === null || post.requiredRole === role,
    region: (post: Post, region: string) => post.region === null || post.region === region,
    voice: (post: Post, voice: string) => post.voiceComms === voice,
    players: (post: Post, players: string) => post.neededPlayers === Number(players),
    online: ({ authorState, authorSeenAt }: Post) =>
      authorState !== "away" && authorSeenAt !== null && authorSeenAt > ago(5 * MINUTE),
    q: (post: Post, text: string) =>
      foldForSearch(text)
        .split(" ")
        .every((word) => foldForSearch(`${post.title} ${post.message ?? ""}`).includes(word)),
  };

  async function expectFiltered(client: Client, filters: Partial<Record<keyof typeof fits, string>>) {
    const expected = (await openPosts(busy)).filter((post) =>
      Object.entries(filters).every(([name, value]) => fits[name as keyof typeof fits](post, value)),
    );
    const search = new URLSearchParams(filters);
    const found = (await walk(client, `/dashboard?${search}`)).pages.flat();
    expect(found, search.toString()).toEqual(expected.map(({ title }) => title));
    return found.length;
  }

  test("is narrowed by each filter alone", async () => {
    const { client } = await newVisitor(busy);
    const total = (await openPosts(busy)).length;
    const counts: Record<string, number[]> = { rank: [], role: [], region: [], voice: [], players: [], online: [] };
    for (const rank of ["Iron 1", "Gold 2", "Radiant"]) counts.rank?.push(await expectFiltered(client, { rank }));
    for (const role of ROLES) counts.role?.push(await expectFiltered(client, { role }));
    for (const region of REGIONS) counts.region?.push(await expectFiltered(client, { region }));
    for (const voice of VOICE_COMMS) counts.voice?.push(await expectFiltered(client, { voice }));
    for (const players of ["1", "2", "3", "4"]) counts.players?.push(await expectFiltered(client, { players }));
    counts.online?.push(await expectFiltered(client, { online: "on" }));
    for (const [name, found] of Object.entries(counts)) {
      expect(
        found.some((count) => count > 0 && count < total),
        name,
      ).toBe(true);
    }
  });

  test("is narrowed by words in title and message, in any case, with or without accents", async () => {
    const { client, player } = await newVisitor(busy);
    await addPost(busy, player.id, { title: "Éclair à 100% _sure_", message: "Ждём ТРЕТЬЕГО, łagodny “ton”" });
    for (const q of ["eclair", "ÉCLAIR sure", "третьего", "lagodny", "100%", "_sure_", "“ton”", "SURE ждём"]) {
      expect(await expectFiltered(client, { q }), q).toBeGreaterThan(0);
    }
    for (const q of ["100_", "%", "_", "' OR 1=1 --", '"', "\\", "eclair nowhere", "🎮🎮", "*", "%%%"]) {
      await expectFiltered(client, { q });
    }
    expect((await walk(client, "/dashboard?q=zzzz-not-there")).pages.flat()).toEqual([]);
  });

  test("is narrowed by any filters together", async () => {
    const { client } = await newVisitor(busy);
    const some = <T extends string>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const filters = fc.record({
      rank: some(RANKS),
      role: some(ROLES),
      region: some(REGIONS),
      voice: some(VOICE_COMMS),
      players: some(["1", "2", "3", "4"]),
      online: some(["on"]),
      q: some(["a", "and", "evening", "no such words"]),
    });
    await fc.assert(
      fc.asyncProperty(filters, async (chosen) => {
        await expectFiltered(client, Object.fromEntries(Object.entries(chosen).filter(([, value]) => value)));
      }),
      { numRuns: 20 },
    );
  });

  test("shows the current filters in the form and in the address of every page", async () => {
    const { client } = await newVisitor(busy);
    const page = await client.submit("/dashboard", "Apply", { rank: "Radiant", q: " two  words " });
    expect(page.status).toBe(200);
    expect(field(page.text, "rank").value).toBe("Radiant");
    expect(field(page.text, "q").value).toBe("two words");
    expect(field(page.text, "role").value).toBe("");
    expect(select(page.text, 'form[aria-label="Filter posts"]')).toHaveLength(1);
    // The button of the collapsed form shows the number of filters.
    expect(texts(page.text, "summary")).toContain("Filters 2");
    expect(links(page.text)).toContainEqual({ text: "Reset", href: "/dashboard" });

    const all = await client.get("/dashboard?rank=Radiant&voice=&players=&q=");
    const next = links(all.text).find(({ text }) => text === "Older")?.href as string;
    expect(new URL(next, busy.url).searchParams.get("rank")).toBe("Radiant");
    const second = await client.get(next);
    expect(field(second.text, "rank").value).toBe("Radiant");
    const untouched = await client.get("/dashboard");
    expect(select(untouched.text, "details.filters").length).toBeGreaterThan(0);
    expect(select(untouched.text, "details.filters[open]")).toHaveLength(0);
  });

  test("treats unknown parameters as no filter, never as an error", async () => {
    const { client } = await newVisitor(busy);
    const whole = postTitles((await client.get("/dashboard")).text);
    const searches = [
      "rank=Wood&role=Healer&region=Mars&voice=loud&players=17",
      "after=x",
      "after=99999999999999999999_x",
      "after=-1_00000000-0000-0000-0000-000000000000",
      "q=%00%1f",
      "rank=Gold+1%00",
      "role[]=Duelist",
      "after=1&after=2",
      "_data=routes/x&index",
    ];
    for (const search of searches) {
      const page = await client.get(`/dashboard?${search}`);
      expect(page.status, search).toBeLessThan(search.includes("_data") ? 500 : 300);
      if (page.status === 200) expect(postTitles(page.text), search).toEqual(whole);
    }
    expect((await client.get("/dashboard?q=%E0%A4%A")).status).toBe(200);
    const long = await client.get(`/dashboard?q=${"x".repeat(5_000)}`);
    expect(long.status).toBe(200);
    expect(field(long.text, "q").value.length).toBeLessThanOrEqual(80);
    const markup = await client.get(`/dashboard?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(markup.text).not.toContain("<script>alert(1)");
    expect(field(markup.text, "q").value).toBe('"><script>alert(1)</script>');
  });

  test("drops expired posts immediately, and the cron closes them", async () => {
    const { client, player } = await newVisitor(busy);
    const open = await addPost(busy, player.id, { title: "Still open" });
    const over = await addPost(busy, player.id, { title: "Its time is over" });
    expect(postTitles((await client.get("/dashboard")).text)).toContain("Its time is over");
    await busy.db
      .update(lfgPosts)
      .set({ expiresAt: ago(1) })
      .where(eq(lfgPosts.id, over));
    expect(postTitles((await client.get("/dashboard")).text)).not.toContain("Its time is over");
    expect(textOf((await client.get(`/lfg/${over}`)).text)).toContain("This post is closed.");
    await busy.runScheduled();
    const state = async (id: string) =>
      (await busy.db.select().from(lfgPosts).where(eq(lfgPosts.id, id)).get())?.isActive;
    expect([await state(open), await state(over)]).toEqual([true, false]);
    const left = await busy.db.select().from(lfgPosts).where(eq(lfgPosts.isActive, true));
    expect(left.every(({ expiresAt }) => expiresAt > new Date())).toBe(true);
  });
});

describe("a block between two players", () => {
  test.each(["viewer", "author"])(
    "by the %s keeps the author's posts out of the list and its best matches",
    async (who) => {
      const word = unique("Blocked ");
      const taste = { currentRank: "Gold 1", region: "Korea" } as const;
      const { client, player } = await newVisitor(app, { ...taste, preferredRole: "Sentinel" });
      const [author, other] = [await addPlayer(app, taste), await addPlayer(app, taste)];
      const post = { region: "Korea", requiredRole: "Sentinel" } as const;
      const id = await addPost(app, author.id, { title: `${word} 1`, ...post });
      await addPost(app, other.id, { title: `${word} 2`, ...post });
      const lists = ["/dashboard", "/dashboard?role=Sentinel", `/dashboard?q=${encodeURIComponent(word)}`];
      for (const path of lists) expect(postTitles((await client.get(path)).text), path).toContain(`${word} 1`);
      if (who === "viewer") await addBlock(app, player, author);
      else await addBlock(app, author, player);
      for (const path of lists) {
        const page = await client.get(path);
        expect([page.status, roundTrips(page)]).toEqual([200, 1]);
        expect(postTitles(page.text), path).not.toContain(`${word} 1`);
        expect(postTitles(page.text), path).toContain(`${word} 2`);
      }
      expect(textOf((await client.get(lists[2] as string)).text)).toContain("1 active post");

      const page = await client.get(`/lfg/${id}`);
      expect([page.status, roundTrips(page)]).toEqual([200, 1]);
      expect(textOf(page.text)).toContain("You can't contact this player.");
      expect(textOf(page.text).includes("You've blocked them.")).toBe(who === "viewer");
      const offered = links(page.text).map(({ text }) => text);
      for (const way of ["Contact", "Request to Join"]) expect(offered).not.toContain(way);
      for (const word of ["contact", "join"]) {
        const refused = await client.get(`/lfg/${id}/${word}`);
        expect([refused.status, refused.location, roundTrips(refused)]).toEqual([303, `/lfg/${id}`, 1]);
        const after = await client.follow(refused);
        expect(announcements(after.text).at(-1)).toBe("Error You can't message this player.");
      }
      // Others still see the author's posts.
      expect(links((await app.client().get(`/lfg/${id}`)).text)).toContainEqual({
        text: "Contact",
        href: `/lfg/${id}/contact`,
      });
    },
  );
});

describe("the number above the list", () => {
  test("counts the posts that fit the filters", async () => {
    const word = unique("Counted ");
    const author = await addPlayer(app);
    for (const region of ["Korea", "Korea", "Brazil"] as const) await addPost(app, author.id, { title: word, region });
    const { client } = await newVisitor(app);
    const count = async (search: string) =>
      textOf((await client.get(`/dashboard?q=${encodeURIComponent(word)}${search}`)).text).match(
        /\d+\+? active posts?/,
      )?.[0];
    expect(await count("")).toBe("3 active posts");
    expect(await count("&region=Brazil")).toBe("1 active post");
    expect(await count("&region=Europe")).toBe("0 active posts");
  });
});

describe("the best matches", () => {
  test("come first among the 20 posts of the first page, each once and with its reasons", async () => {
    const word = unique("Paged ");
    const { client } = await newVisitor(app, { currentRank: "Gold 1", preferredRole: "Sentinel", region: "Korea" });
    const fitting = await addPlayer(app, { currentRank: "Gold 1", region: "Korea" });
    const others = await addPlayer(app, { currentRank: "Radiant", region: "Brazil" });
    const titles = Array.from({ length: 45 }, (_, at) => `${word} ${at}.`);
    for (const [at, title] of titles.entries()) {
      // One fitting post is on the first page, one far below it.
      const fits = at === 5 || at === 33;
      await addPost(app, fits ? fitting.id : others.id, {
        title,
        createdAt: ago(HOUR + at * MINUTE),
        region: fits ? "Korea" : "Brazil",
        requiredRole: fits ? "Sentinel" : null,
      });
    }
    const list = `/dashboard?q=${encodeURIComponent(word)}`;
    const first = await client.get(list);
    expect([first.status, roundTrips(first)]).toEqual([200, 1]);
    expect(postTitles(first.text)).toHaveLength(20);
    expect(postTitles(first.text).slice(0, 2)).toEqual([`${word} 5.`, `${word} 33.`]);
    expect(textOf(first.text)).toContain("Sorted for Gold 1, Sentinel, Korea");
    expect(textOf(card(first.text, `${word} 33.`))).toMatch(/You play Sentinel.*Both Gold 1.*Both in Korea/);
    expect(textOf(card(first.text, `${word} 0.`))).toContain("Gold 1 and Radiant can't queue ranked together.");
    const listed = (await walk(client, list)).pages.flat();
    expect(listed.toSorted()).toEqual(titles.toSorted());
    // Below the best matches, all posts are newest first.
    expect(listed.slice(2)).toEqual(titles.filter((_, at) => at !== 5 && at !== 33));
  });

  test("are not shown to a viewer who has given neither rank nor role", async () => {
    const { client } = await newVisitor(app);
    const page = await client.get("/dashboard");
    expect(textOf(page.text)).not.toMatch(/Best matches|Who you can queue with/);
  });
});

describe("A post that opens again is found by its author's present voice preference", () => {
  const { accept } = teamsIn(app);
  /** Closes a post. @returns how to open it again */
  type Closing = (author: Visitor, id: string) => Promise<() => Promise<unknown>>;
  const CLOSINGS: [string, Closing][] = [
    [
      "when its author reopens it",
      async ({ client }, id) => {
        await pressTeamButton(client, id, "close");
        return () => pressTeamButton(client, id, "reopen");
      },
    ],
    [
      "when a member leaves",
      async (author, id) => {
        const member = await newVisitor(app);
        await requestToJoin(member.client, id);
        await accept(author, id, member);
        return () => pressTeamButton(member.client, id, "leave");
      },
    ],
    [
      "when moderators restore it",
      async (_, id) => {
        await hide({ kind: "post", id });
        return () => restore({ kind: "post", id });
      },
    ],
  ];
  test.each(CLOSINGS)("%s", async (_, close) => {
    const [author, { client }] = [await newVisitor(app), await newVisitor(app)];
    const savePreference = (voiceCommsPreference: string) =>
      author.client.post("/dashboard/profile", { voiceCommsPreference });
    const title = unique("Talks or not ");
    const id = await addPost(app, author.player.id, { title });
    const isFoundBy = async (voice: string) =>
      postTitles((await client.get(`/dashboard?voice=${voice}`)).text).includes(title);
    await savePreference("required");
    expect(await isFoundBy("required")).toBe(true);
    const open = await close(author, id);
    await savePreference("none");
    await open();
    expect([await isFoundBy("required"), await isFoundBy("none")]).toEqual([false, true]);
  });
});
