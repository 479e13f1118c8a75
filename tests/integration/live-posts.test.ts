import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { fitsFilters } from "../../app/features/lfg/fits";
import { uuidv7 } from "../../db/ids";
import { sessions } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import { roundTrips } from "../support/server-timing";
import { openRoom, type RoomSocket, requestSocket } from "../support/socket";
import { startWatchedDatabase } from "../support/watched-database";
import { casesIn } from "./cases";
import { newModerator } from "./moderators";
import { addBlock, addListedPlayer, addPost, MINUTE, newVisitor, unique, visitAs } from "./players";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

// A proxy between the Worker and the database that counts the requests.
const { proxy, appOptions } = await startWatchedDatabase();
const app = useApp(appOptions);
const teams = teamsIn(app);

const LIST = "/parties/posts";
const openList = (client: Client, query = "") => openRoom(client, `${LIST}?since=${Date.now()}${query}`);
const make = async (client: Client, fields: Record<string, string> = {}) => {
  const id = uuidv7();
  const made = await client.post("/dashboard/lfg/new", { id, title: unique("Live "), neededPlayers: "2", ...fields });
  expect(made.location).toBe("/dashboard");
  return id;
};
/** The ids of the posts that a list has been told about so far. */
const heard = ({ frames }: RoomSocket) => frames.flatMap((frame) => (frame.type === "post" ? [frame.id] : []));
const about = (id: string) => (frame: { id: string }) => frame.id === id;

describe("The room of the list of posts", () => {
  test("is open to signed-in players only, in one round trip", async () => {
    const { client } = await newVisitor(app);
    expect((await requestSocket(app.client(), LIST)).status).toBe(401);
    expect((await requestSocket(client, LIST, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await requestSocket(client, `${LIST}/x`)).status).toBe(404);
    proxy.clear();
    const answer = await requestSocket(client, `${LIST}?rank=Wood&since=x&shown=y`);
    expect([answer.status, roundTrips(answer as unknown as { headers: Headers }), proxy.posts]).toEqual([101, 1, 1]);
    expect(await answer.socket?.next("list")).toMatchObject({ shown: [] });
    answer.socket?.close();
  });

  test("tells each list of a post that its filters would show, except for the author's own list", async () => {
    const player = await addListedPlayer(app, { riotGameName: "Nadia Frost", voiceCommsPreference: "none" });
    const [author, viewer] = [{ client: await visitAs(app, player) }, await newVisitor(app)];
    const lists = {
      all: await openList(viewer.client),
      role: await openList(viewer.client, "&role=Sentinel"),
      otherRole: await openList(viewer.client, "&role=Duelist"),
      region: await openList(viewer.client, "&region=Europe"),
      rank: await openList(viewer.client, "&rank=Gold+1"),
      players: await openList(viewer.client, "&players=2"),
      text: await openList(viewer.client, "&q=calm%20EVENING"),
      otherText: await openList(viewer.client, "&q=nothing%20like%20this"),
      name: await openList(viewer.client, "&q=frost%20calm"),
      voice: await openList(viewer.client, "&voice=none"),
      otherVoice: await openList(viewer.client, "&voice=required"),
      online: await openList(viewer.client, "&online=on"),
      author: await openList(author.client),
    };
    for (const list of Object.values(lists)) await list.next("list");
    const id = await make(author.client, {
      requiredRole: "Sentinel",
      requiredRank: "Platinum 1",
      message: "Calm evening",
    });
    const marker = await make(author.client, { title: "A calm evening, please" });
    await lists.all.next("post", about(marker));
    for (const list of [lists.text, lists.name, lists.voice]) await list.next("post", about(marker));
    const told = Object.entries(lists).flatMap(([name, list]) => (heard(list).includes(id) ? [name] : []));
    expect(told).toEqual(["all", "role", "region", "players", "text", "name", "voice", "online"]);
    for (const list of [lists.otherText, lists.otherVoice]) expect(heard(list)).toEqual([]);
    expect(heard(lists.author)).toEqual([]);
    expect(lists.all.frames).toContainEqual({
      type: "post",
      id,
      isNew: true,
      fits: true,
      openSpots: 2,
      takenSpots: 0,
      isOpen: true,
    });
  });

  test("tells each list of the same posts as the page with its filters would show", async () => {
    const since = Date.now();
    const viewer = await newVisitor(app);
    const shown = await visitAs(app, viewer.player);
    const queries = [
      ...["", "rank=Gold+1", "role=Duelist", "region=Korea", "players=3", "online=on"],
      ...["voice=none", "voice=required", "voice=none&role=Duelist"],
      // Words of titles, messages and names: their beginnings, their middles, and several of them together.
      ...["q=haven", "q=mira", "q=vale", "q=ira", "q=MIRAV", "q=eclair", "q=mira+haven", "q=haven&voice=none"],
    ];
    const told = await Promise.all(queries.map((query) => openList(viewer.client, `&${query}`)));
    for (const list of told) await list.next("list");
    const authors: Parameters<typeof addListedPlayer>[1][] = [
      { riotGameName: "Mira Vale", voiceCommsPreference: "none" },
      { riotGameName: "Éclair", voiceCommsPreference: "required", presencePolicy: "nobody" },
      { riotGameName: "Sam" },
    ];
    const posts: Record<string, string>[] = [
      { title: "Calm on Haven", requiredRole: "Duelist", requiredRank: "Iron 1" },
      { title: "Spiral", message: "Haven, Éclair, Mira", region: "Korea", neededPlayers: "3" },
      { title: "Evening", requiredRole: "Sentinel", requiredRank: "Radiant", region: "Europe" },
    ];
    const ids: string[] = [];
    for (const profile of authors) {
      const client = await visitAs(app, await addListedPlayer(app, profile));
      for (const post of posts) ids.push(await make(client, post));
    }
    const [all] = told as [RoomSocket];
    await all.until(() => (ids.every((id) => heard(all).includes(id)) ? true : undefined));
    for (const [index, query] of queries.entries()) {
      const list = told[index] as RoomSocket;
      // A room tells all its lists together, so the answer to a ping comes after everything that a list is told.
      const { pongs } = list;
      list.send("ping");
      await list.until(() => list.pongs > pongs || undefined);
      list.close();
      const { newer } = await (await openRoom(shown, `${LIST}?since=${since}&${query}`)).next("list");
      const fitting = ids.filter((id) => newer.includes(id));
      expect(
        ids.filter((id) => heard(list).includes(id)),
        query,
      ).toEqual(fitting);
      expect(fitting.length, query).toBeGreaterThan(0);
      if (query) expect(fitting.length, query).toBeLessThan(ids.length);
    }
  });

  test("tells nothing to players with a block between them and the author, in either direction", async () => {
    const [author, blocker, blocked, other] = await Promise.all([1, 2, 3, 4].map(() => newVisitor(app)));
    if (!author || !blocker || !blocked || !other) throw new Error("unreachable");
    await addBlock(app, blocker.player, author.player);
    await addBlock(app, author.player, blocked.player);
    const lists = [await openList(blocker.client), await openList(blocked.client), await openList(other.client)];
    for (const list of lists) await list.next("list");
    const id = await make(author.client);
    await author.client.submit(`/lfg/${id}/close`, "Close Post");
    // Someone else's post reaches all these lists, after any earlier frames.
    const marker = await make((await newVisitor(app)).client);
    for (const list of lists) await list.next("post", about(marker));
    expect(lists.map((list) => heard(list).filter((one) => one === id).length)).toEqual([0, 0, 2]);
    // A socket that opens later doesn't count the author's new post either.
    const since = Date.now() - MINUTE;
    const reopened = await make(author.client);
    for (const { client } of [blocker, blocked]) {
      const { newer } = await (await openRoom(client, `${LIST}?since=${since}`)).next("list");
      expect(newer).toContain(marker);
      expect(newer).not.toContain(reopened);
    }
  });

  test("tells nobody of a post whose author has blocks with more than 5 000 players", async () => {
    const [author, viewer] = [await newVisitor(app), await newVisitor(app)];
    const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5001)";
    const id = `printf('${author.player.id.slice(0, 23)}-%012d', i)`;
    await app.db.run(`${numbers} INSERT INTO users (id, email, password_hash, created_at)
      SELECT ${id}, ${id} || '@lineup.test', 'x', 0 FROM n`);
    await app.db.run(`${numbers} INSERT INTO blocks (blocker_id, blocked_id, created_at)
      SELECT ${id}, '${author.player.id}', 0 FROM n`);
    const list = await openList(viewer.client);
    await list.next("list");
    const post = await make(author.client);
    await list.next("post", about(await make((await newVisitor(app)).client)));
    expect(heard(list)).not.toContain(post);
  });

  test("tells of spots that fill and open again, of edits, closing, reopening, bumping and deleting", async () => {
    const [author, mate, viewer] = [await newVisitor(app), await newVisitor(app), await newVisitor(app)];
    const id = await addPost(app, author.player.id, {
      neededPlayers: 1,
      createdAt: new Date(Date.now() - 40 * MINUTE),
    });
    const list = await openList(viewer.client, `&shown=${id}`);
    expect((await list.next("list")).shown).toEqual([{ id, openSpots: 1, takenSpots: 0, isOpen: true }]);
    await requestToJoin(mate.client, id);
    const request = await teams.requestOf(id, mate.player);
    await pressTeamButton(author.client, id, "accept", request.id);
    expect(await list.next("post")).toMatchObject({ openSpots: 0, takenSpots: 1, isOpen: false, fits: false });
    await pressTeamButton(mate.client, id, "leave");
    expect(await list.next("post")).toMatchObject({ openSpots: 1, takenSpots: 0, isOpen: true, fits: true });
    await author.client.submit(`/lfg/${id}/edit`, "Save Post", { neededPlayers: "3" });
    expect(await list.next("post")).toMatchObject({ openSpots: 3, isNew: false });
    await author.client.submit(`/lfg/${id}/close`, "Close Post");
    expect(await list.next("post")).toMatchObject({ isOpen: false });
    await author.client.post(`/lfg/${id}`, { intent: "reopen" });
    expect(await list.next("post")).toMatchObject({ isOpen: true, isNew: false });
    await author.client.post(`/lfg/${id}`, { intent: "bump" });
    expect(await list.next("post")).toMatchObject({ isOpen: true, isNew: true });
    const deleted = await make(author.client);
    await list.next("post", about(deleted));
    await author.client.submit(`/lfg/${deleted}/delete`, "Delete Post");
    expect(await list.next("post")).toMatchObject({ id: deleted, isOpen: false, fits: false });
  });

  test.each(["deletion", "suspension"] as const)(
    "tells of a post that closes with the %s of its author's account, however many others the author has closed",
    async (cause) => {
      const [author, viewer] = [await newVisitor(app), await newVisitor(app)];
      const id = await addPost(app, author.player.id, { createdAt: new Date(Date.now() - 40 * MINUTE) });
      for (let post = 0; post < 6; post += 1) {
        await addPost(app, author.player.id, { isActive: false, closedAt: new Date() });
      }
      const list = await openList(viewer.client, `&shown=${id}`);
      await list.next("list");
      if (cause === "deletion") {
        const { email } = author.player;
        await author.client.submit("/dashboard/settings/delete-account", "Delete Account", { email });
      } else {
        const theCase = await casesIn(app).newCase(author.player);
        const decision = { rule: "respect", reason: "Rude words", days: "7", seen: "" };
        const { client } = await newModerator(app);
        expect((await client.post(`/moderation/cases/${theCase.id}/suspend`, decision)).status).toBe(303);
      }
      expect(await list.next("post")).toMatchObject({ id, isOpen: false });
    },
  );

  test("counts what was missed when a socket opens, and reads nothing while a list is idle", async () => {
    const [author, viewer] = [await newVisitor(app), await newVisitor(app)];
    const since = Date.now();
    const [duelist, sentinel] = [
      await make(author.client, { requiredRole: "Duelist" }),
      await make(author.client, { requiredRole: "Sentinel" }),
    ];
    await make(viewer.client);
    const list = await openRoom(viewer.client, `${LIST}?role=Duelist&since=${since}&shown=${sentinel}`);
    const hello = await list.next("list");
    expect(hello.newer).toContain(duelist);
    expect(hello.newer).not.toContain(sentinel);
    expect(hello.shown).toMatchObject([{ id: sentinel, isOpen: true }]);
    proxy.clear();
    const lists = await Promise.all([1, 2, 3].map(() => openList(viewer.client)));
    for (const one of lists) await one.next("list");
    const opening = proxy.posts;
    expect(opening).toBe(3);
    const id = await make(author.client);
    for (const one of lists) await one.next("post", about(id));
    // The post itself: two round trips of the command, and one that reads what all rooms are told.
    expect(proxy.posts - opening).toBeLessThanOrEqual(3);
    proxy.clear();
    for (const one of lists) {
      const before = one.pongs;
      one.send("ping");
      await one.until(() => one.pongs > before || undefined);
    }
    expect(proxy.posts).toBe(0);
  });

  test("says, when a socket opens, that a post on the page has been deleted in the meantime", async () => {
    const [author, viewer] = [await newVisitor(app), await newVisitor(app)];
    const [kept, deleted] = [await make(author.client), await make(author.client)];
    await author.client.submit(`/lfg/${deleted}/delete`, "Delete Post");
    const { shown } = await (await openList(viewer.client, `&shown=${deleted}_${kept}`)).next("list");
    expect(shown).toEqual([
      { id: deleted, openSpots: 0, takenSpots: 0, isOpen: false },
      { id: kept, openSpots: 2, takenSpots: 0, isOpen: true },
    ]);
  });

  test("tells a list of what has changed between the read for its socket and the socket's opening", async () => {
    const [author, viewer] = [await newVisitor(app), await newVisitor(app)];
    const shown = await make(author.client);
    const other = await openList(viewer.client);
    let made = "";
    proxy.after = {
      words: String.raw`\"lfg_posts\".\"id\" in (`,
      run: async () => {
        await author.client.submit(`/lfg/${shown}/close`, "Close Post");
        made = await make(author.client);
        await other.next("post", about(made));
      },
    };
    const list = await openList(viewer.client, `&shown=${shown}`);
    const hello = await list.next("list");
    expect(hello.shown).toMatchObject([{ id: shown, isOpen: true }]);
    expect(hello.newer).not.toContain(made);
    expect(await list.next("post", about(shown))).toMatchObject({ isOpen: false, fits: false });
    expect(await list.next("post", about(made))).toMatchObject({ isNew: true, fits: true });
  });

  test.each([
    ["keeps a post closed if its creation is announced after its closing", "close", { isOpen: false, fits: false }],
    ["counts a new post that is announced after its first edit", "edit", { openSpots: 4, isNew: true, fits: true }],
  ] as const)("%s", async (_, change, last) => {
    const [author, viewer] = [await newVisitor(app), await newVisitor(app)];
    const list = await openList(viewer.client);
    await list.next("list");
    const id = uuidv7();
    const told = (times: number) =>
      list.until(() => list.frames.filter((frame) => frame.type === "post" && frame.id === id)[times - 1]);
    // The new post is read before it changes, but the lists are told of it only after they are told of the change.
    proxy.after = {
      words: "AS isAuthorOnline",
      run: async () => {
        if (change === "close") await author.client.submit(`/lfg/${id}/close`, "Close Post");
        else await author.client.submit(`/lfg/${id}/edit`, "Save Post", { neededPlayers: "4" });
        await told(1);
      },
    };
    await make(author.client, { id });
    expect(await told(2)).toMatchObject(last);
  });

  test("closes the sockets of a session that ends", async () => {
    const { client, player } = await newVisitor(app);
    const list = await openList(client);
    await list.next("list");
    expect((await client.post("/auth/sign-out", {})).status).toBeLessThan(400);
    expect(await list.closed()).toEqual({ code: 4401, reason: "The session has ended" });
    await eventually(async () =>
      (await app.db.select().from(sessions).where(eq(sessions.userId, player.id))).length === 0 ? true : undefined,
    );
    expect((await requestSocket(client, LIST)).status).toBe(401);
  });

  test("counts a closed post as fitting no filters, as the list does", () => {
    const facts = {
      id: "",
      authorId: "",
      openSpots: 1,
      takenSpots: 0,
      isOpen: false,
      requiredRank: null,
      requiredRole: null,
      region: null,
      voiceComms: null,
      searchText: "",
      names: [],
      isAuthorOnline: false,
    };
    const none = { rank: null, role: null, region: null, voice: null, players: null, q: "", online: false };
    expect(fitsFilters(facts, none)).toBe(false);
    expect(fitsFilters({ ...facts, isOpen: true }, none)).toBe(true);
  });
});
