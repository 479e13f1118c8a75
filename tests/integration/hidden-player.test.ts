import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { hiddenOriginals, playerFacets, playerNames, reportCases, tournamentMatches, users } from "../../db/schema";
import { useApp } from "../support/app";
import { eventually } from "../support/eventually";
import { hidingIn } from "../support/hiding";
import { findForm, main } from "../support/html";
import { reopening } from "../support/matches";
import { completeOAuth, newDiscordUser } from "../support/oauth";
import { roundTrips } from "../support/server-timing";
import { openTournament } from "../support/socket";
import { casesIn } from "./cases";
import { exported, hideablesIn, sees, upload } from "./hideables";
import { addPost, DAY, type NamedVisitor, unique } from "./players";
import { registrationsIn } from "./registrations";
import { reviewsIn } from "./reviews";
import { pressTeamButton, requestToJoin } from "./teams";

const app = useApp();
const { hide, restore } = hidingIn(app);
const { newCase, decideCase } = casesIn(app);
const { newTournament } = registrationsIn(app);
const { profileOf } = reviewsIn(app);
const { newPlayer, newTalker, newsSays, newDispute } = hideablesIn(app);

const ACCOUNTS = "/dashboard/settings/linked-accounts";

describe("A hidden player", () => {
  /** The directory's lists that have a player. */
  const facetsOf = async ({ player }: NamedVisitor) =>
    (await app.db.select().from(playerFacets).where(eq(playerFacets.userId, player.id))).map(({ facet }) => facet);

  test("reads why on their profile, and can write new words, but not the same ones", async () => {
    const talker = await newTalker();
    const own = "/dashboard/profile";
    const form = {
      isListed: "on",
      riotId: `${talker.name}#EUW`,
      description: talker.words,
      personalityTags: talker.tag,
    };
    await hide({ kind: "player", id: talker.player.id });
    const page = await talker.client.get(own);
    expect(roundTrips(page)).toBe(1);
    expect(main(page.text)).toContain("Moderators have hidden what you wrote here.");
    expect((await talker.client.post(own, form)).status).toBe(303);
    expect(await profileOf(talker.player)).toMatchObject({ riotId: null, description: null, personalityTags: [] });
    const viewer = await newPlayer("Viewer");
    expect(await sees(viewer.client, `/dashboard/players?playstyle=${talker.tag}`, talker.player.id)).toBe(false);
    expect((await talker.client.post(own, { ...form, description: "Better words" })).status).toBe(303);
    await restore({ kind: "player", id: talker.player.id });
    expect(await profileOf(talker.player)).toMatchObject({
      riotId: `${talker.name}#EUW`,
      description: "Better words",
      personalityTags: [talker.tag],
    });
    expect(main((await talker.client.get(own)).text)).not.toContain("Moderators");
  });

  test("is found by name and tag as before if they were hidden twice, and is named in news again", async () => {
    const [talker, reader] = [await newTalker(), await newPlayer("Reader")];
    const subject = { kind: "player", id: talker.player.id } as const;
    await requestToJoin(talker.client, await addPost(app, reader.player.id));
    const found = async () => ({
      names: await app.db.select().from(playerNames).where(eq(playerNames.userId, subject.id)),
      facets: await facetsOf(talker),
      profile: await profileOf(talker.player).then(({ riotId, foundBy, personalityTags }) => ({
        ...{ riotId, foundBy, personalityTags },
      })),
      isNamed: await newsSays(reader, `${talker.name}#EUW`),
    });
    const before = await found();
    expect([before.names.length > 0, before.profile.foundBy, before.isNamed]).toEqual([
      true,
      `${talker.name}#EUW`,
      true,
    ]);
    await hide(subject);
    await talker.client.post("/dashboard/profile", { isListed: "on", description: "Worse words" });
    await hide(subject);
    expect(await newsSays(reader, talker.name)).toBe(false);
    await restore(subject);
    expect(await found()).toEqual(before);
    expect((await profileOf(talker.player)).description).toBe("Worse words");
  });

  test("isn't found by their last name once they have typed the hidden one again", async () => {
    const [talker, viewer] = [await newTalker(), await newPlayer("Viewer")];
    const other = unique("Nice");
    const save = async (name: string) =>
      expect((await talker.client.post("/dashboard/profile", { isListed: "on", riotId: `${name}#EUW` })).status).toBe(
        303,
      );
    const isFoundBy = (name: string) => sees(viewer.client, `/dashboard/players?name=${name}`, talker.player.id);
    await hide({ kind: "player", id: talker.player.id });
    await save(other);
    expect(await isFoundBy(other)).toBe(true);
    await save(talker.name);
    expect([await isFoundBy(other), await isFoundBy(talker.name)]).toEqual([false, false]);
    expect(await profileOf(talker.player)).toMatchObject({ riotId: null, foundBy: "" });
  });

  test("is told that the profile is saved if they send a form with hidden words twice", async () => {
    const talker = await newTalker();
    await hide({ kind: "player", id: talker.player.id });
    const page = await talker.client.get("/dashboard/profile");
    const { version } = findForm(page.text, "Clear All").values;
    const form = {
      ...{ version, isListed: "on", riotId: `${talker.name}#EUW`, discordTag: `${talker.name.toLowerCase()}.chat` },
      ...{ description: talker.words, playTimes: `${talker.words} at night`, personalityTags: talker.tag },
    };
    for (let time = 0; time < 2; time += 1) {
      expect((await talker.client.post("/dashboard/profile", form)).status).toBe(303);
    }
    // Words that aren't hidden have not been saved.
    expect((await talker.client.post("/dashboard/profile", { ...form, description: "Others" })).status).toBe(409);
  });

  test("gets back the tags written last, with the lists that belong to them", async () => {
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    const tag = unique("Überlegt");
    await hide(subject);
    // This form takes the player out of the directory, and so out of its lists.
    await talker.client.post("/dashboard/profile", { personalityTags: tag });
    await hide(subject);
    await talker.client.post("/dashboard/profile", { isListed: "on" });
    await restore(subject);
    expect((await profileOf(talker.player)).personalityTags).toEqual([tag]);
    expect(await facetsOf(talker)).toEqual(["all", `tag:${tag.toLowerCase()}`]);
  });

  test("who has left the directory isn't found by restored tags", async () => {
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    await hide(subject);
    await talker.client.post("/dashboard/profile", {});
    await restore(subject);
    expect((await profileOf(talker.player)).personalityTags).toEqual([talker.tag]);
    expect(await facetsOf(talker)).toEqual([]);
  });

  test("doesn't get a hidden tag back by typing it in another case, or among others", async () => {
    const talker = await newTalker();
    const viewer = await newPlayer("Viewer");
    const [other, fresh] = [unique("Ünkind"), unique("fresh")];
    const save = async (...tags: string[]) =>
      talker.client.post("/dashboard/profile", { isListed: "on", personalityTags: tags.join(", ") });
    await save(talker.tag, other);
    await hide({ kind: "player", id: talker.player.id });
    expect(roundTrips(await save(other.toUpperCase(), fresh, talker.tag))).toBe(2);
    expect((await profileOf(talker.player)).personalityTags).toEqual([fresh]);
    expect((await facetsOf(talker)).filter((facet) => facet.startsWith("tag:"))).toEqual([`tag:${fresh}`]);
    const page = `/players/${talker.player.id}`;
    expect([await sees(viewer.client, page, fresh), await sees(viewer.client, page, talker.tag)]).toEqual([
      true,
      false,
    ]);
  });

  test("is put on the queue for a new tag even if the form also has a hidden one", async () => {
    const talker = await newTalker();
    await hide({ kind: "player", id: talker.player.id });
    await talker.client.post("/dashboard/profile", { isListed: "on", personalityTags: `${talker.tag}, fucking cunt` });
    const queued = await app.db.select().from(reportCases).where(eq(reportCases.subjectId, talker.player.id));
    expect(queued).toMatchObject([{ state: "open", isFlagged: true }]);
  });

  test("doesn't get a hidden note back by typing it again, in a request or a search", async () => {
    const [seeker, author, viewer] = [await newPlayer("Seeker"), await newPlayer("Author"), await newPlayer("Viewer")];
    const [tournament, other] = [await newTournament(), await newTournament()];
    const [postId, otherId] = [await addPost(app, author.player.id), await addPost(app, author.player.id)];
    const [wanted, asked, polite] = [unique("Foul search "), unique("Foul request "), unique("Kind words ")];
    const seek = async ({ id }: { id: string }, note: string) => {
      expect((await seeker.client.post(`/tournaments/${id}/seek`, { role: "", note })).status).toBe(303);
      return sees(viewer.client, `/tournaments/${id}/teams`, note);
    };
    const ask = async (id: string, note: string) => {
      await pressTeamButton(seeker.client, id, "withdraw");
      const form = { id: uuidv7(), note };
      // Sent twice, as after a lost response.
      for (let time = 0; time < 2; time += 1) {
        expect((await requestToJoin(seeker.client, id, form)).status).toBe(303);
      }
      return sees(author.client, `/lfg/${id}`, note);
    };
    const subject = { kind: "player", id: seeker.player.id } as const;
    expect([await seek(tournament, wanted), await ask(postId, asked)]).toEqual([true, true]);
    await hide(subject);
    for (const note of [wanted, asked]) {
      for (const one of [tournament, other]) expect(await seek(one, note), note).toBe(false);
      for (const id of [postId, otherId]) expect(await ask(id, note), note).toBe(false);
    }
    expect([await seek(tournament, polite), await ask(postId, polite)]).toEqual([true, true]);
    await restore(subject);
    expect([await seek(tournament, wanted), await ask(postId, asked)]).toEqual([true, true]);
  });

  test("doesn't get back words that were hidden before others, by typing either again", async () => {
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    const words = (name: string, text: string, tag: string) => ({
      ...{ riotId: `${name}#EUW`, discordTag: `${name.toLowerCase()}.chat` },
      ...{ description: text, playTimes: `${text} at night`, personalityTags: tag },
    });
    const first = words(talker.name, talker.words, talker.tag);
    const second = words(unique("Other"), unique("More words "), unique("more"));
    const save = async (form: Partial<typeof first>) => {
      expect((await talker.client.post("/dashboard/profile", { isListed: "on", ...form })).status).toBe(303);
      const { riotId, discordTag, description, playTimes, personalityTags } = await profileOf(talker.player);
      return { riotId, discordTag, description, playTimes, personalityTags: personalityTags?.join(", ") };
    };
    const nothing = { riotId: null, discordTag: null, description: null, playTimes: null, personalityTags: "" };
    await hide(subject);
    expect(await save(second)).toEqual(second);
    await hide(subject);
    for (const form of [first, second]) expect(await save(form)).toEqual(nothing);
    await restore(subject);
    expect(await profileOf(talker.player)).toMatchObject({ ...second, personalityTags: [second.personalityTags] });
    expect(await save(first)).toEqual(first);
  });

  test("who is hidden again has earlier words kept for as long as a decision can be appealed", async () => {
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    const keys = async () => {
      const [row] = await app.db.select().from(hiddenOriginals).where(eq(hiddenOriginals.subjectId, subject.id));
      return Object.keys(row?.original ?? {}).sort();
    };
    const later = (days: number) => new Date(Date.now() + days * DAY);
    const save = async (word: string) => {
      const form = { riotId: `${unique("Another")}#EUW`, description: word, personalityTags: unique("more") };
      expect((await talker.client.post("/dashboard/profile", { isListed: "on", ...form })).status).toBe(303);
    };
    await hide(subject);
    const plain = await keys();
    await save("Second");
    const [second, third, fourth] = [later(100), later(200), later(300)] as const;
    await hide(subject, second);
    // A name's other parts are never compared with typed text.
    const replaced = (at: Date) => ["description", "riotId", "tags"].map((key) => `${key}@${at.getTime()}`);
    expect(await keys()).toEqual([...plain, ...replaced(second)].sort());
    await save("Third");
    await hide(subject, third);
    expect(await keys()).toEqual([...plain, ...replaced(second), ...replaced(third)].sort());
    await save("Fourth");
    await hide(subject, fourth);
    expect(await keys()).toEqual([...plain, ...replaced(third), ...replaced(fourth)].sort());
  });

  test("doesn't get back a note of a search that was hidden before another one there", async () => {
    const [seeker, viewer] = [await newPlayer("Seeker"), await newPlayer("Viewer")];
    const page = `/tournaments/${(await newTournament()).id}`;
    const subject = { kind: "player", id: seeker.player.id } as const;
    const notes = [unique("Foul search "), unique("Worse search ")];
    const seek = async (note: string) => {
      expect((await seeker.client.post(`${page}/seek`, { role: "", note })).status).toBe(303);
      return sees(viewer.client, `${page}/teams`, note);
    };
    for (const note of notes) {
      expect(await seek(note)).toBe(true);
      await hide(subject);
    }
    for (const note of notes) expect(await seek(note), note).toBe(false);
  });

  test("doesn't get the hidden Discord tag back by linking Discord, but only when it is restored", async () => {
    const user = newDiscordUser(app);
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    await completeOAuth(talker.client, "discord", user.key, "link");
    expect(await profileOf(talker.player)).toMatchObject({ discordTag: user.username });
    await hide(subject);
    await talker.client.post(ACCOUNTS, { unlink: "discord" });
    await completeOAuth(talker.client, "discord", user.key, "link");
    expect((await profileOf(talker.player)).discordTag).toBeNull();
    await restore(subject);
    const restored = await profileOf(talker.player);
    expect([restored.discordTag, restored.discordVerifiedAt]).toEqual([user.username, expect.any(Date)]);
  });

  describe("shows the next name at Discord, after a name there that was hidden", () => {
    /** Renames a player's account at Discord. @returns the tag that their profile shows after the next sign-in */
    const tagAfter = async (talker: NamedVisitor, user: ReturnType<typeof newDiscordUser>, username: string) => {
      app.oauth.addDiscordUser({ ...user, username });
      await completeOAuth(app.client(), "discord", user.key);
      return (await profileOf(talker.player)).discordTag;
    };
    /** The tag that `newTalker` types. */
    const typedBy = (talker: NamedVisitor) => `${talker.name.toLowerCase()}.chat`;

    test("and was taken after Discord was linked", async () => {
      const [user, talker] = [newDiscordUser(app), await newTalker()];
      await hide({ kind: "player", id: talker.player.id });
      await completeOAuth(talker.client, "discord", user.key, "link");
      const next = `${user.username}.new`;
      expect(await tagAfter(talker, user, typedBy(talker))).toBeNull();
      expect(await tagAfter(talker, user, next)).toBe(next);
    });

    test("and was the account's name when Discord was linked", async () => {
      const [user, talker] = [newDiscordUser(app), await newTalker()];
      await hide({ kind: "player", id: talker.player.id });
      app.oauth.addDiscordUser({ ...user, username: typedBy(talker) });
      await completeOAuth(talker.client, "discord", user.key, "link");
      expect((await profileOf(talker.player)).discordTag).toBeNull();
      expect(await tagAfter(talker, user, user.username)).toBe(user.username);
    });

    test("and had been shown as the account's name", async () => {
      const [user, talker] = [newDiscordUser(app), await newTalker()];
      await completeOAuth(talker.client, "discord", user.key, "link");
      await hide({ kind: "player", id: talker.player.id });
      const next = `${user.username}.new`;
      expect(await tagAfter(talker, user, user.username)).toBeNull();
      expect(await tagAfter(talker, user, next)).toBe(next);
    });

    test("but not the hidden name itself, even after its original was deleted", async () => {
      const [user, talker] = [newDiscordUser(app), await newTalker()];
      await completeOAuth(talker.client, "discord", user.key, "link");
      await hide({ kind: "player", id: talker.player.id });
      await app.db.delete(hiddenOriginals).where(eq(hiddenOriginals.subjectId, talker.player.id));
      expect(await tagAfter(talker, user, user.username)).toBeNull();
      expect(await tagAfter(talker, user, `${user.username}.new`)).toBe(`${user.username}.new`);
    });

    test("unless the player had typed another tag than the account's name", async () => {
      const [user, talker] = [newDiscordUser(app), await newTalker()];
      await completeOAuth(talker.client, "discord", user.key, "link");
      const typed = { isListed: "on", discordTag: typedBy(talker) };
      expect((await talker.client.post("/dashboard/profile", typed)).status).toBe(303);
      await hide({ kind: "player", id: talker.player.id });
      expect(await tagAfter(talker, user, `${user.username}.new`)).toBeNull();
    });
  });

  test("gets a restored Discord tag without the mark if Discord was unlinked in the meantime", async () => {
    const user = newDiscordUser(app);
    const talker = await newTalker();
    const subject = { kind: "player", id: talker.player.id } as const;
    await completeOAuth(talker.client, "discord", user.key, "link");
    await hide(subject);
    await talker.client.post(ACCOUNTS, { unlink: "discord" });
    await restore(subject);
    const restored = await profileOf(talker.player);
    expect([restored.discordTag, restored.discordVerifiedAt]).toEqual([user.username, null]);
  });

  test("shows the tag of a Discord account that was linked afterwards and isn't hidden", async () => {
    const user = newDiscordUser(app);
    const talker = await newTalker();
    await hide({ kind: "player", id: talker.player.id });
    await completeOAuth(talker.client, "discord", user.key, "link");
    const profile = await profileOf(talker.player);
    expect([profile.discordTag, profile.discordVerifiedAt]).toEqual([user.username, expect.any(Date)]);
  });

  test("of whom only a picture was hidden has nothing kept once it is restored", async () => {
    const player = await newPlayer("Worn");
    await upload(player.client);
    await decideCase(await newCase(player.player), { action: "hide" });
    const kept = async () => JSON.parse((await exported(player)).text).hidden;
    expect(await kept()).toMatchObject([{ kind: "player", original: { avatarId: expect.any(String) } }]);
    await decideCase(await newCase(player.player), { action: "restore", rule: null });
    expect(await kept()).toEqual([]);
  });

  test("has the evidence of disputes removed from open pages immediately, and shown again once restored", async () => {
    const made = await newDispute(await newPlayer("Viewer"));
    const room = await openTournament(app.client(), made.id);
    const subject = { kind: "player", id: made.author.player.id } as const;
    await hide(subject);
    await room.next("changed");
    await restore(subject);
    await room.next("changed");
    room.close();
  });

  test("doesn't get hidden evidence back by the next action in the match", async () => {
    const viewer = await newPlayer("Viewer");
    const { id, author, page } = await newDispute(viewer);
    const subject = { kind: "player", id: author.player.id } as const;
    await hide(subject);
    expect((await viewer.client.post(`${page}/matches/0`, { intent: "check-in" })).status).toBe(303);
    const [match] = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
    expect(match).toMatchObject({ state: "disputed", dispute: null, checkedIn1: expect.any(Date) });
  });

  test("doesn't get hidden evidence back by typing it in another dispute", async () => {
    const viewer = await newPlayer("Viewer");
    const { id, author, page, evidence, execute, hostId } = await newDispute(viewer);
    const here = `${page}/matches/0`;
    const subject = { kind: "player", id: author.player.id } as const;
    const reopen = async () => {
      expect(await execute({ type: "rule", match: 0, forfeits: 2 }, hostId)).toMatchObject({ outcome: "done" });
      expect(await execute(await reopening(app.db, id, 0), hostId)).toMatchObject({ outcome: "done" });
    };
    const dispute = async (words: string) => {
      expect((await author.client.post(`${here}/dispute`, { evidence: words })).status).toBe(303);
      const [match] = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
      expect(match?.state).toBe("disputed");
      return sees(viewer.client, here, words);
    };
    await hide(subject);
    await reopen();
    expect(await dispute(evidence)).toBe(false);
    await reopen();
    // From now on the room knows the match's current state.
    expect((await viewer.client.post(here, { intent: "check-in" })).status).toBe(303);
    expect(await dispute(evidence)).toBe(false);
    await reopen();
    expect(await dispute(unique("Kind evidence "))).toBe(true);
    await restore(subject);
    await reopen();
    expect(await dispute(evidence)).toBe(true);
  });

  test("keeps the name of a verified Riot account", async () => {
    const verified = await newPlayer("Riot");
    await hide({ kind: "player", id: verified.player.id });
    expect(await profileOf(verified.player)).toMatchObject({ riotGameName: verified.name, foundBy: verified.name });
  });

  test("keeps a picture chosen later, while the hidden one is deleted on restoring or with the account", async () => {
    const bucket = await app.miniflare.getR2Bucket("AVATARS");
    const has = async (key: string) => (await bucket.head(key)) !== null;
    const [one, two] = [await newTalker(), await newTalker()];
    for (const { client } of [one, two]) await upload(client);
    const [first, second] = [(await profileOf(one.player)).avatarId, (await profileOf(two.player)).avatarId];
    for (const { player: hidden } of [one, two]) await hide({ kind: "player", id: hidden.id });
    expect([await has(`${first}`), await has(`hidden/${first}`)]).toEqual([false, true]);
    await upload(one.client);
    const newer = (await profileOf(one.player)).avatarId;
    await restore({ kind: "player", id: one.player.id });
    expect((await profileOf(one.player)).avatarId).toBe(newer);
    expect([await has(`${first}`), await has(`hidden/${first}`), await has(`${newer}`)]).toEqual([false, false, true]);
    await app.db
      .update(users)
      .set({ deletionDueAt: new Date(0) })
      .where(eq(users.id, two.player.id));
    for (let run = 0; run < 2; run += 1) await app.runScheduled();
    await eventually(async () => ((await has(`hidden/${second}`)) ? undefined : true));
    expect(await app.db.$count(hiddenOriginals, eq(hiddenOriginals.subjectId, two.player.id))).toBe(0);
  });
});
