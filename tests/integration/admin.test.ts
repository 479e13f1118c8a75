import { eq, sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { hashesOf } from "../../app/features/moderation/shared/upheld.server";
import { uuidv7 } from "../../db/ids";
import { auditLog, lfgPosts, messages, sessions, upheldSuspensions, users, verifications } from "../../db/schema";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { runAdmin, runAdminFromSource } from "../support/admin";
import { useApp } from "../support/app";
import { signIn } from "../support/client";
import { textOf } from "../support/html";
import { recordsIn } from "../support/records";
import { openInbox } from "../support/socket";
import { addPlayer, addPost, newAddress, newVisitor, type Player, sendTo, unique } from "./players";
import { startConversation } from "./talk";
import { requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { accountOf, auditLinesOf, profileOf } = recordsIn(app);
const { accept, newPost, postOf } = teamsIn(app);

/** Does what `npm run admin -- …` does, against the app's database. */
const admin = (...args: string[]) => runAdmin(app, args);

describe("npm run admin", () => {
  test("finds an account by email, user id and Riot ID, and names the database it uses", async () => {
    const name = unique("Sought");
    const player = await addPlayer(app, { riotId: `${name}#EUW`, riotGameName: name });
    for (const search of [player.email.toUpperCase(), player.id, `${name.toLowerCase()}#euw`]) {
      const { code, out, err } = await admin("find", search, "--json");
      expect(code, search).toBe(0);
      expect(JSON.parse(out)).toMatchObject([{ id: player.id, email: player.email, hasPassword: true, sessions: 0 }]);
      expect(err).toBe(`Database: ${app.libsqlUrl} (LIBSQL_URL)\n`);
    }
    const { code, out } = await runAdminFromSource(app, ["find", player.id]);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^id +${player.id}\nemail +${player.email}\n`));
    expect(out).not.toContain("scrypt");
    expect(await auditLinesOf(player)).toEqual([]);
  });

  test("finds Riot IDs in every alphabet, in upper and lower case", async () => {
    for (const [riotId, search] of [
      ["Ölaf#EUW", "Ölaf#EUW"],
      ["Иван_1#РУС", "иван_1#рус"],
      ["Άστρα#ΕΛΛ", "ΆΣΤΡΑ#ελλ"],
      ["Çağan 100%#TR1", "çağan 100%#tr1".normalize("NFD")],
    ] as const) {
      const player = await addPlayer(app, { riotId });
      // The query also finds this one, and the comparison leaves it out.
      await addPlayer(app, { riotId: riotId.replace(/[^a-z0-9#]/gi, "ж") });
      const { out } = await admin("find", search, "--json");
      expect(JSON.parse(out), search).toMatchObject([{ id: player.id }]);
    }
  });

  test("changes nothing when the account or the command is unclear", async () => {
    const name = unique("Twin");
    const twins = [await addPlayer(app, { riotId: `${name}#1` }), await addPlayer(app, { riotId: `${name}#1` })];
    const both = await admin("suspend", `${name}#1`, "--rule", "spam", "--reason", "x");
    expect(both.code).toBe(2);
    for (const { id } of twins) expect(both.err).toContain(id);
    const [player] = twins as [Player];
    const wrong = [
      [],
      ["suspend"],
      ["banish", player.id],
      ["suspend", player.id],
      ["suspend", player.id, "--reason", "  "],
      ["erase", player.id],
      ["erase", player.id, "--no"],
      ["confirm", player.id, "again"],
      ["confirm", player.id, "--as", " "],
      ["grant", "owner", player.id],
    ];
    for (const args of wrong) {
      const { code, out, err } = await admin(...args);
      expect([code, out], args.join(" ")).toEqual([2, ""]);
      expect(err.length, args.join(" ")).toBeGreaterThan(10);
      expect(err).not.toMatch(/^\s+at /m);
    }
    expect(await accountOf(player)).toBeDefined();
    const nobody = await admin("confirm", "nobody@lineup.test");
    expect([nobody.code, nobody.err.split("\n")[1]]).toEqual([1, "There is no account nobody@lineup.test."]);
    expect(await auditLinesOf(player)).toEqual([]);
    for (const words of [["--help"], ["grant", "--help"]]) {
      expect((await admin(...words)).out).toContain("npm run admin -- COMMAND PLAYER");
    }
  });

  test("confirms an address", async () => {
    const player = await addPlayer(app, { emailConfirmedAt: null, riotClaimLapsesAt: new Date() });
    expect((await admin("confirm", player.email)).out).toBe("The address counts as confirmed.\n");
    expect((await accountOf(player))?.emailConfirmedAt).toBeInstanceOf(Date);
    expect((await admin("confirm", player.email)).out).toBe("The address was confirmed already.\n");
    expect(await auditLinesOf(player)).toEqual(["operator: email-confirmed"]);
  });

  test("doesn't link a Riot account that a ban still bars", async () => {
    const player = await addPlayer(app, { emailConfirmedAt: null });
    const account = { puuid: unique("puuid-"), gameName: unique("Barred"), tagLine: "EUW", region: "europe" };
    const riotAccountData = JSON.stringify(account);
    await app.db.update(users).set({ riotAccountData }).where(eq(users.id, player.id));
    const [hash] = hashesOf([LOCAL_SECRET], { puuid: account.puuid }) as [string];
    await app.db.insert(upheldSuspensions).values({ hash, createdAt: new Date() });
    // Without the key it couldn't see the ban, so it changes nothing.
    const refused = await admin("confirm", player.email);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("set ENCRYPTION_KEY")]);
    expect((await accountOf(player))?.emailConfirmedAt).toBeNull();
    const { out } = await runAdmin(app, ["confirm", player.email], { ENCRYPTION_KEY: LOCAL_SECRET });
    expect(out).toContain("is not linked");
    expect((await profileOf(player)).riotPuuid).toBeNull();
  });

  test("links the Riot account that waited for the address to be confirmed, unless another player has it", async () => {
    const account = (name: string) => ({ puuid: `puuid-${name}`, gameName: name, tagLine: "EUW", region: "europe" });
    const names = [unique("Waits"), unique("Late")] as const;
    await addPlayer(app, { riotPuuid: `puuid-${names[1]}`, riotVerifiedAt: new Date() });
    const waiting = [];
    for (const name of names) {
      const player = await addPlayer(app, { emailConfirmedAt: null });
      const riotAccountData = JSON.stringify(account(name));
      await app.db.update(users).set({ riotAccountData }).where(eq(users.id, player.id));
      waiting.push(player);
    }
    const [first, second] = waiting as [Player, Player];
    const said = async ({ email }: Player) =>
      (await runAdmin(app, ["confirm", email], { ENCRYPTION_KEY: LOCAL_SECRET })).out;
    expect(await said(first)).toBe(`The address counts as confirmed. ${names[0]}#EUW is linked.\n`);
    expect(await said(second)).toBe(
      `The address counts as confirmed. ${names[1]}#EUW is not linked: another player holds it, or a ban stands against it.\n`,
    );
    expect(await profileOf(first)).toMatchObject({
      riotId: `${names[0]}#EUW`,
      riotPuuid: `puuid-${names[0]}`,
      riotRegion: "europe",
      riotVerifiedAt: expect.any(Date),
      riotProvenAt: null,
      riotClaimLapsesAt: null,
    });
    expect(await profileOf(second)).toMatchObject({ riotPuuid: null, riotVerifiedAt: null });
    expect((await accountOf(second))?.emailConfirmedAt).toBeInstanceOf(Date);
  });

  test("keeps a Riot account that the player has linked since signing up", async () => {
    const name = unique("Since");
    const player = await addPlayer(app, {
      emailConfirmedAt: null,
      riotId: `${name}#NEW`,
      riotPuuid: `puuid-${name}`,
      riotVerifiedAt: new Date(),
      riotClaimLapsesAt: new Date(),
    });
    const riotAccountData = JSON.stringify({ puuid: "p", gameName: "Before", tagLine: "OLD", region: "asia" });
    await app.db.update(users).set({ riotAccountData }).where(eq(users.id, player.id));
    expect((await admin("confirm", player.email)).out).toBe("The address counts as confirmed.\n");
    expect(await profileOf(player)).toMatchObject({ riotId: `${name}#NEW`, riotClaimLapsesAt: null });
  });

  test("ends sessions", async () => {
    const { player, client } = await newVisitor(app);
    const { out } = await admin("end-sessions", player.id, "--json");
    expect(JSON.parse(out)).toMatchObject({ command: "end-sessions", userId: player.id, ended: 1 });
    expect((await client.get("/dashboard")).location).toBe("/auth");
    expect(await auditLinesOf(player)).toEqual(["operator: sessions-ended"]);
  });

  test("makes a link that works for one purpose for ten minutes, and stores only its hash", async () => {
    const player = await addPlayer(app);
    const { out } = await admin("reset-link", player.email);
    const token = out.match(/^https:\/\/lineup\.test\/auth\/reset-password\?token=(\S+)\n/)?.[1] as string;
    const [row, ...others] = await app.db.select().from(verifications).where(eq(verifications.userId, player.id));
    expect(others).toEqual([]);
    expect(row).toMatchObject({ purpose: "reset-password", email: player.email, usedAt: null });
    expect((row?.expiresAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)).toBe(10 * 60_000);
    expect(JSON.stringify(row)).not.toContain(token);
    expect(await auditLinesOf(player)).toEqual(["operator: reset-link-made"]);
    expect(JSON.stringify(await app.db.select().from(auditLog))).not.toContain(token);
  });

  test("says what else using the link does, because it proves the address like a link from an email", async () => {
    const [proven, unproven, unreached] = [
      await addPlayer(app),
      await addPlayer(app, { emailConfirmedAt: null }),
      await addPlayer(app),
    ];
    await app.db.update(users).set({ emailFailedAt: new Date() }).where(eq(users.id, unreached.id));
    const saidOf = async ({ email }: Player) => (await admin("reset-link", email)).out.trim().split("\n").slice(2);
    expect(await saidOf(proven)).toEqual([]);
    expect(await saidOf(unproven)).toEqual([
      `Using it confirms ${unproven.email}, and removes what was set up before: two-factor, linked and verified accounts, and the calendar address.`,
    ]);
    expect(await saidOf(unreached)).toEqual([
      `Our emails don't reach ${unreached.email}. Using the link counts as proof that they do: a wrong address must be changed.`,
    ]);
  });

  test("lists the open cases and prints one, which stays when its player is erased", async () => {
    const reporter = await newVisitor(app);
    const name = unique("Reported");
    const player = await addPlayer(app, { riotGameName: name });
    expect((await admin("case", uuidv7())).code).toBe(1);
    expect((await admin("case")).code).toBe(2);
    const report = { id: uuidv7(), reason: "hate", details: "In my words." };
    await reporter.client.post(`/players/${player.id}/report`, report);
    const listed = await admin("cases");
    const line = listed.out.split("\n").find((one) => one.includes(name));
    expect(line).toMatch(/^[0-9a-f-]{36} {2}\S+ {2}player {2}1x {2}Reported/);
    const printed = await admin("case", line?.split(" ")[0] ?? "");
    expect(JSON.parse(printed.out)).toMatchObject({
      ...{ kind: "player", subjectId: player.id, state: "open", snapshot: { author: name } },
      reports: [{ reason: "hate", details: "In my words.", reporterId: reporter.player.id }],
    });
    const cases = JSON.parse((await admin("cases", "--json")).out) as { subjectId: string }[];
    expect(cases.map(({ subjectId }) => subjectId)).toContain(player.id);
    expect((await admin("erase", player.email, "--yes")).code).toBe(0);
    expect(JSON.parse((await admin("case", line?.split(" ")[0] ?? "")).out)).toMatchObject({
      ...{ kind: "player", subjectId: player.id, state: "open", snapshot: { author: name } },
    });
  });

  test("erases an account immediately, with everything that belongs to it", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await sendTo(author.client, conversationId, "Bye");
    const { code, out } = await admin("erase", author.player.email, "--yes");
    expect([code, out]).toEqual([
      0,
      "The account is erased. The cron's next run, within five minutes, takes its pictures off the site.\n",
    ]);
    expect(await accountOf(author.player)).toBeUndefined();
    expect(await auditLinesOf(author.player)).toEqual(["operator: erased"]);
    const said = await app.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    expect(said.map(({ senderId }) => senderId)).toEqual([reader.player.id, null]);
    expect((await author.client.get("/dashboard")).location).toBe("/auth");
  });
});

test("Erasing an account without a key for traces stops if the account is suspended in the meantime", async () => {
  const { author, conversationId } = await startConversation(app);
  await sendTo(author.client, conversationId, "Bye");
  const { id, email } = author.player;
  // As if a moderator banned the player while the command takes their name off their messages.
  await app.db.run(
    sql.raw(`CREATE TRIGGER ban_meanwhile AFTER UPDATE OF sender_id ON messages WHEN old.sender_id = '${id}'
      BEGIN UPDATE users SET suspended_at = 1 WHERE id = '${id}'; END`),
  );
  onTestFinished(async () => void (await app.db.run(sql`DROP TRIGGER IF EXISTS ban_meanwhile`)));
  const { code, err } = await runAdmin(app, ["erase", email, "--yes"], { ENCRYPTION_KEY: "" });
  await app.db.run(sql`DROP TRIGGER ban_meanwhile`);
  expect([code, err]).toEqual([2, expect.stringContaining("The account is suspended.")]);
  expect(await accountOf(author.player)).toBeDefined();
  const { code: erased } = await runAdmin(app, ["erase", email, "--yes"], { ENCRYPTION_KEY: LOCAL_SECRET });
  expect([erased, await accountOf(author.player)]).toEqual([0, undefined]);
});

describe("a suspended player", () => {
  test("is signed out, gets only a restricted session until unsuspended, and has posts that stay closed", async () => {
    const { author, conversationId } = await startConversation(app);
    const { player, client } = author;
    const post = await addPost(app, player.id);
    const team = await newPost(1, 0);
    await requestToJoin(client, team.postId);
    await accept(team.author, team.postId, author);
    expect((await postOf(team.postId)).takenSpots).toBe(1);
    const { out } = await admin("suspend", player.email, "--rule", "cheating", "--reason", "Sold accounts");
    expect(out).toBe(
      "The account is suspended. The cron's next run, within five minutes, takes the player out of teams and tournaments and tells open tabs.\n",
    );
    await app.runScheduled();
    expect(await accountOf(player)).toMatchObject({ suspendedReason: "Sold accounts", suspendedAt: expect.any(Date) });
    expect(await app.db.select().from(sessions).where(eq(sessions.userId, player.id))).toEqual([]);
    const posts = await app.db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id));
    expect(posts.map(({ isActive }) => isActive)).not.toContain(true);
    expect((await client.get("/dashboard")).location).toBe("/auth");

    const restricted = app.client();
    const answer = await restricted.post("/auth", { email: player.email, password: PASSWORD }, newAddress());
    expect([answer.status, answer.location]).toEqual([303, "/account/decisions"]);
    expect((await restricted.get("/dashboard")).location).toBe("/account/decisions");
    expect(textOf((await restricted.get("/account/decisions")).text)).toContain("Sold accounts");

    await admin("unsuspend", player.email);
    const back = app.client();
    await signIn(back, player.email);
    const closed = await app.db.select().from(lfgPosts).where(eq(lfgPosts.id, post)).get();
    expect(closed?.isActive).toBe(false);
    expect((await postOf(team.postId)).takenSpots).toBe(0);
    expect(await auditLinesOf(player)).toEqual(["operator: unsuspended", "operator: suspended"]);
    const { changes } = JSON.parse((await back.post("/dashboard/settings/export/download")).text);
    expect(changes).toContainEqual(expect.objectContaining({ action: "suspended", details: null }));
    expect(conversationId).toBeTruthy();
  });

  test("can't use a session that was opened at the same moment", async () => {
    const { author, conversationId } = await startConversation(app);
    const { player, client } = author;
    await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, player.id));
    expect((await client.get("/dashboard")).location).toBe("/account/decisions");
    expect((await sendTo(client, conversationId, "Still here")).status).toBe(403);
    await expect(openInbox(client)).rejects.toThrow();
    const said = await app.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    expect(said.map(({ content }) => content)).toEqual(["Hi there"]);
  });
});
