import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { storePresence } from "../../app/features/messages/presence.server";
import { lfgPosts, sessions, tournaments } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { announcements, buttons, findForm, links, main, select, textOf, texts } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { addBlock, addPost, MINUTE, newVisitor, unique } from "./players";
import { registrationsIn } from "./registrations";
import type { Visitor } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { postOf, requestOf, stateOf, newPost, newTeam, accept } = teamsIn(app);

const { newTournament, newTeam: newEntry, newFullTeam, newEntrant } = registrationsIn(app);

/** A post's card in the list. */
const cardOf = (html: string, postId: string) => select(html, `article:has(#post-${postId})`);

/** The names of the links and buttons in a part of a page. */
const offers = (part: ReturnType<typeof select>) => [...texts(part, "a"), ...texts(part, "button")];

/** Where a redirect leads, with the anchor. */
const placeOf = ({ headers }: HttpResponse) => headers.get("Location");

/** Counts a part's spots by their appearance: open and fitting, open but not fitting, and the viewer's own. */
const spots = (part: ReturnType<typeof select>) =>
  ["spot", "misfit", "you"].map((look) => select(part, `.u-${look}`).length);

const answer = {
  accept,
  decline: async (author: Visitor, postId: string, { player }: Visitor) =>
    pressTeamButton(author.client, postId, "decline", (await requestOf(postId, player)).id),
};

describe("A player sees their status for a post on its card, on its page and on its author's page:", () => {
  const cases: [string, (team: Awaited<ReturnType<typeof newPost>>, player: Visitor) => Promise<unknown>, string[]][] =
    [
      ["asked", async () => undefined, ["Requested", "Withdraw", "Contact"]],
      ["accepted", ({ author, postId }, player) => answer.accept(author, postId, player), ["You're in", "Team Chat"]],
      ["declined", ({ author, postId }, player) => answer.decline(author, postId, player), ["Declined", "Contact"]],
      [
        "removed",
        async ({ author, postId }, player) => {
          await answer.accept(author, postId, player);
          await pressTeamButton(author.client, postId, "remove", (await requestOf(postId, player.player)).id);
        },
        ["No longer in this team", "Contact"],
      ],
      [
        "withdrawn",
        ({ postId }, player) => pressTeamButton(player.client, postId, "withdraw"),
        ["", "Request to Join", "Contact"],
      ],
      [
        "left",
        async ({ author, postId }, player) => {
          await answer.accept(author, postId, player);
          await pressTeamButton(player.client, postId, "leave");
        },
        ["", "Request to Join", "Contact"],
      ],
    ];
  test.each(cases)("%s", async (state, bring, [words = "", ...ways]) => {
    const team = await newPost(3, 1);
    const [player] = team.askers as [Visitor];
    await bring(team, player);
    const list = await player.client.get("/dashboard");
    expect(roundTrips(list)).toBe(1);
    const card = cardOf(list.text, team.postId);
    expect(textOf(select(card, ".lfg-card-actions > .standing"))).toBe(words);
    const all = ["Request to Join", "Withdraw", "Team Chat", "Contact"];
    expect(all.filter((way) => offers(card).includes(way)).sort()).toEqual([...ways].sort());

    const page = await player.client.get(`/lfg/${team.postId}`);
    expect(roundTrips(page)).toBe(1);
    if (state === "asked" || state === "accepted") expect(main(page.text)).toContain(words);
    const onPage = offers(select(page.text, "main"));
    for (const way of all.slice(0, 3)) {
      expect(
        onPage.filter((one) => one === way),
        way,
      ).toHaveLength(ways.includes(way) ? 1 : 0);
    }

    const author = await player.client.get(`/players/${team.author.player.id}`);
    expect(roundTrips(author)).toBe(1);
    expect(textOf(select(author.text, ".standing"))).toBe(words);
    const onAuthor = offers(select(author.text, "main"));
    for (const way of ["Withdraw", "Team Chat"]) expect(onAuthor.includes(way), way).toBe(ways.includes(way));
  });

  test("a visitor and a stranger see none of it", async () => {
    const { postId, author } = await newPost(2, 1);
    const stranger = await newVisitor(app);
    for (const client of [app.client(), stranger.client]) {
      for (const path of [`/lfg/${postId}`, `/players/${author.player.id}`]) {
        expect(main((await client.get(path)).text), path).not.toMatch(/Requested|You're in|wants to join|Accept/);
      }
    }
  });

  test("only the team's members get the id of its chat", async () => {
    const { postId, author, askers } = await newPost(3, 2);
    const [member, waiting] = askers as [Visitor, Visitor];
    await accept(author, postId, member);
    const { conversationId } = await postOf(postId);
    for (const path of ["/dashboard", "/dashboard.data", `/players/${author.player.id}`]) {
      expect((await member.client.get(path)).text, path).toContain(conversationId);
      expect((await waiting.client.get(path)).text, path).not.toContain(conversationId);
    }
  });
});

describe("The list and the post's page agree on whether a spot fits:", () => {
  const rank = (currentRank: "Gold 2" | "Iron 1") => ({ currentRank, preferredRole: "Sentinel" as const });
  const cases: [string, Parameters<typeof addPost>[2], "Gold 2" | "Iron 1", number[]][] = [
    ["it asks for nothing", {}, "Gold 2", [2, 0, 0]],
    ["it asks for a higher rank", { requiredRank: "Gold 1" }, "Iron 1", [0, 2, 0]],
    ["it asks for another role", { requiredRole: "Duelist" }, "Gold 2", [0, 2, 0]],
    ["it asks for the player's role", { requiredRole: "Sentinel" }, "Gold 2", [2, 0, 0]],
  ];
  test.each(cases)("%s", async (_, fields, mine, expected) => {
    const author = await newVisitor(app);
    const postId = await addPost(app, author.player.id, { neededPlayers: 2, ...fields });
    const { client } = await newVisitor(app, rank(mine));
    const inList = spots(cardOf((await client.get("/dashboard")).text, postId));
    const onPage = spots(select((await client.get(`/lfg/${postId}`)).text, "article"));
    expect([inList, onPage]).toEqual([expected, expected]);
  });

  test("for authors and members, their own banner is blue and the other spots aren't", async () => {
    const { author, postId, askers } = await newPost(3, 2);
    const [member, waiting] = askers as [Visitor, Visitor];
    await accept(author, postId, member);
    for (const [{ client }, expected] of [
      [author, [0, 2, 1]],
      [member, [0, 2, 1]],
      [waiting, [2, 0, 0]],
    ] as const) {
      expect(spots(cardOf((await client.get("/dashboard")).text, postId))).toEqual(expected);
      expect(spots(select((await client.get(`/lfg/${postId}`)).text, "article"))).toEqual(expected);
    }
  });
});

describe("Withdraw", () => {
  test.each(["list", "author's page"])("on the %s takes the request back and returns to the post there", async (at) => {
    const { postId, author, askers } = await newPost(2, 1);
    const [{ client, player }] = askers as [Visitor];
    const page = at === "list" ? "/dashboard?players=2" : `/players/${author.player.id}`;
    const form = findForm((await client.get(page)).text, "Withdraw");
    expect(form).toMatchObject({ action: `/lfg/${postId}`, values: { intent: ["withdraw"], returnTo: [page] } });
    const done = await client.post(`/lfg/${postId}`, form.values);
    expect([done.status, placeOf(done), roundTrips(done)]).toEqual([303, `${page}#post-${postId}`, 2]);
    expect(announcements((await client.follow(done)).text)).toContain("Request withdrawn");
    expect(await stateOf(postId, player)).toBe("withdrawn");
    // Pressed again in another tab, it changes nothing.
    expect((await client.post(`/lfg/${postId}`, form.values)).status).toBe(303);
    expect(await stateOf(postId, player)).toBe("withdrawn");
  });

  test("with JavaScript returns without an anchor, so that the page stays where it is", async () => {
    const { postId, askers } = await newPost(2, 1);
    const [{ client }] = askers as [Visitor];
    const values = { intent: "withdraw", returnTo: "/dashboard?players=2" };
    const done = await client.post(`/lfg/${postId}.data`, values);
    expect(done.text).toContain("/dashboard?players=2");
    expect(done.text).not.toContain("#post-");
  });

  test("never redirects to another site", async () => {
    for (const returnTo of ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x", ""]) {
      const { postId, askers } = await newPost(1, 1);
      const [{ client }] = askers as [Visitor];
      const done = await client.post(`/lfg/${postId}`, { intent: "withdraw", returnTo });
      expect(done.location, returnTo).toBe(`/lfg/${postId}`);
    }
  });
});

describe("An author answers requests", () => {
  /** Presses `Accept` or `Decline` of the first request on a page. */
  async function press(client: Client, page: string, label: "Accept" | "Decline") {
    const form = findForm((await client.get(page)).text, label);
    const values = { ...form.values, intent: label.toLowerCase() };
    return client.post(form.action as string, values);
  }

  test("beside the list (the first three of each post), and is taken back there", async () => {
    const { author, postId, askers } = await newPost(4, 4);
    const page = "/dashboard?region=Korea";
    const { text } = await author.client.get(page);
    const rail = select(text, "section:has(#own-posts)");
    expect(select(rail, ".brief-request")).toHaveLength(3);
    expect(links(rail)).toContainEqual({
      text: "4 players want to join.",
      href: `/lfg/${postId}?from=${encodeURIComponent(page)}#requests`,
    });
    const accepted = await press(author.client, page, "Accept");
    expect([accepted.status, placeOf(accepted), roundTrips(accepted)]).toEqual([303, `${page}#own-posts`, 2]);
    const [first, second] = askers as [Visitor, Visitor];
    expect(announcements((await author.client.follow(accepted)).text).join()).toContain("is in your team");
    expect(await stateOf(postId, first.player)).toBe("accepted");
    const declined = await press(author.client, page, "Decline");
    expect(placeOf(declined)).toBe(`${page}#own-posts`);
    expect(await stateOf(postId, second.player)).toBe("declined");
  });

  test("and sees each asker's rank, role and note", async () => {
    const author = await newVisitor(app);
    const postId = await addPost(app, author.player.id);
    const asker = await newVisitor(app, { riotGameName: unique("Asker "), currentRank: "Gold 2" });
    await requestToJoin(asker.client, postId, { role: "Sentinel", note: "I hold B alone." });
    const rail = select((await author.client.get("/dashboard")).text, ".brief-request");
    expect(textOf(rail)).toMatch(/^Asker \d+ Gold 2 Sentinel “I hold B alone\.” Accept Decline$/);
  });

  test("on the asker's page, and on the author's own page", async () => {
    const { author, postId, askers } = await newPost(2, 2);
    const [one, other] = askers as [Visitor, Visitor];
    const own = await author.client.get(`/players/${author.player.id}`);
    expect([roundTrips(own), select(own.text, ".brief-request").length]).toEqual([1, 2]);
    const page = `/players/${one.player.id}`;
    const theirs = await author.client.get(page);
    expect([roundTrips(theirs), select(theirs.text, ".brief-request").length]).toEqual([1, 1]);
    expect(placeOf(await press(author.client, page, "Accept"))).toBe(`${page}#asking`);
    expect(await stateOf(postId, one.player)).toBe("accepted");
    expect(await stateOf(postId, other.player)).toBe("pending");
    // Other players don't learn who asks whom.
    for (const { client } of [one, other]) {
      for (const path of [page, `/players/${author.player.id}`, `/players/${other.player.id}`]) {
        expect(buttons((await client.get(path)).text), path).not.toContain("Accept");
      }
    }
  });

  test("and nobody else can, with the same form", async () => {
    const { author, postId, askers } = await newPost(2, 1);
    const [asker] = askers as [Visitor];
    const form = findForm((await author.client.get("/dashboard")).text, "Accept");
    const stranger = await newVisitor(app);
    for (const { client } of [asker, stranger]) {
      expect((await client.post(`/lfg/${postId}`, { ...form.values, intent: "accept" })).status).toBe(404);
    }
    expect(await stateOf(postId, asker.player)).toBe("pending");
  });
});

test("Blockers see `Blocked` on the blocked player's page and posts, but not the other way round", async () => {
  const [viewer, other] = [await newVisitor(app), await newVisitor(app)];
  const [mine, theirs] = [await addPost(app, viewer.player.id), await addPost(app, other.player.id)];
  await addBlock(app, viewer.player, other.player);
  for (const path of [`/players/${other.player.id}`, `/lfg/${theirs}`]) {
    expect(main((await viewer.client.get(path)).text), path).toMatch(/\bBlocked\b/);
  }
  for (const path of [`/players/${viewer.player.id}`, `/lfg/${mine}`]) {
    expect(main((await other.client.get(path)).text), path).not.toMatch(/\bBlocked\b/);
  }
});

describe("The section `Your team` beside the list", () => {
  const blockOf = async ({ client }: Visitor) => {
    const page = await client.get("/dashboard");
    expect(roundTrips(page)).toBe(1);
    return select(page.text, "section:has(> #your-team)");
  };
  const letters = (block: ReturnType<typeof select>) => texts(block, ".u-banner, .u-you");

  test("shows the team's banners (the viewer's own filled) and its chat, to its players only", async () => {
    const author = await newVisitor(app, { riotGameName: "Ann" });
    const postId = await addPost(app, author.player.id, { title: "Team talk", neededPlayers: 3 });
    const [ben, cem, dag] = [
      await newVisitor(app, { riotGameName: "Ben" }),
      await newVisitor(app, { riotGameName: "Cem" }),
      await newVisitor(app, { riotGameName: "Dag" }),
    ];
    for (const { client } of [ben, cem, dag]) await requestToJoin(client, postId);
    expect((await blockOf(author)).length).toBe(0);
    for (const member of [ben, cem]) await accept(author, postId, member);
    const { conversationId } = await postOf(postId);
    for (const [visitor, own, who] of [
      [author, "A", "You, Ben and Cem"],
      [ben, "B", "You, Ann and Cem"],
      [cem, "C", "You, Ann and Ben"],
    ] as const) {
      const block = await blockOf(visitor);
      expect(letters(block)).toEqual(["A", "B", "C"]);
      expect(texts(block, ".u-you")).toEqual([own]);
      expect(textOf(block)).toContain(`Team talk ${who} Nobody else is online. Team Chat`);
      expect(links(block)).toContainEqual({ text: "Team Chat", href: `/dashboard/messages/${conversationId}` });
    }
    expect((await blockOf(dag)).length).toBe(0);
  });

  test("stays when the team is complete, and goes when its session is over or the player leaves", async () => {
    const { author, postId, members } = await newTeam(2);
    const [one, other] = members as [Visitor, Visitor];
    expect((await postOf(postId)).isActive).toBe(false);
    expect((await blockOf(one)).length).toBe(1);
    expect(textOf(await blockOf(one))).toContain("0 of 3 ready. Press Ready in team chat.");
    await one.client.post(`/lfg/${postId}`, { intent: "ready" });
    expect(textOf(await blockOf(one))).toContain("1 of 3 ready. Team Chat");
    expect(textOf(await blockOf(other))).toContain("1 of 3 ready. Press Ready in team chat.");
    await pressTeamButton(one.client, postId, "leave");
    expect((await blockOf(one)).length).toBe(0);
    expect((await blockOf(other)).length).toBe(1);
    await app.db.update(lfgPosts).set({ sessionEndedAt: new Date() }).where(eq(lfgPosts.id, postId));
    for (const visitor of [author, other]) expect((await blockOf(visitor)).length).toBe(0);
  });

  test("says who is online, except across a block", async () => {
    const { author, members } = await newTeam(2);
    const [one, other] = members as [Visitor, Visitor];
    const seenAt = Date.now();
    for (const { player } of [author, other]) await storePresence(app.db, player.id, { state: "online", seenAt });
    expect(textOf(await blockOf(one))).toMatch(/Author \d+ and Asker \d+ online now\./);
    await addBlock(app, other.player, one.player);
    expect(textOf(await blockOf(one))).toMatch(/Author \d+ online now\./);
    expect(textOf(await blockOf(one))).not.toMatch(/and Asker \d+ online now/);
  });
});

describe("A tournament's card says how the viewer takes part:", () => {
  const soon = {
    registrationDeadline: new Date(Date.now() - MINUTE),
    tournamentDate: new Date(Date.now() + 10 * MINUTE),
  };
  /** The badges of a tournament's card in the list. */
  async function badgesOf({ client }: Visitor, id: string) {
    const page = await client.get("/dashboard/tournaments");
    expect(roundTrips(page)).toBe(1);
    const card = select(page.text, `article:has(a[href="/tournaments/${id}"])`);
    expect(offers(card)).toHaveLength(1);
    return texts(card, ".badge");
  }

  test("registered, and on the waiting list", async () => {
    const { id } = await newTournament();
    const { captain } = await newEntry(id);
    await newEntry(id);
    const { captain: late } = await newEntry(id);
    expect(await badgesOf(captain, id)).toEqual(["Coming Soon", "Full", "Registered"]);
    expect(await badgesOf(late, id)).toEqual(["Coming Soon", "Full", "On the waiting list"]);
    expect(await badgesOf(await newEntrant(), id)).toEqual(["Coming Soon", "Full"]);
  });

  test("check-in is open, until the team has checked in", async () => {
    const { id } = await newTournament();
    const { captain } = await newFullTeam(id);
    await app.db.update(tournaments).set(soon).where(eq(tournaments.id, id));
    expect(await badgesOf(captain, id)).toEqual(["Coming Soon", "Check-in open"]);
    expect((await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" })).status).toBe(303);
    expect(await badgesOf(captain, id)).toEqual(["Coming Soon", "Registered"]);
  });

  test("also on another tournament's page, but not once the viewer is signed out", async () => {
    const [{ id }, { id: other }] = [await newTournament(), await newTournament()];
    const { captain } = await newEntry(id);
    const more = async () => {
      const { text } = await captain.client.get(`/tournaments/${other}`);
      return textOf(select(text, `article:has(a[href="/tournaments/${id}"])`));
    };
    await app.db
      .update(tournaments)
      .set({ registrationDeadline: new Date(Date.now() + MINUTE) })
      .where(eq(tournaments.id, id));
    expect(await more()).toContain("Registered");
    await app.db.delete(sessions).where(eq(sessions.userId, captain.player.id));
    expect(await more()).not.toContain("Registered");
  });

  test("no longer, once the tournament is over", async () => {
    const { id } = await newTournament();
    const { captain } = await newEntry(id);
    await app.db.update(tournaments).set({ state: "cancelled" }).where(eq(tournaments.id, id));
    expect(await badgesOf(captain, id)).toEqual(["Cancelled"]);
  });
});
