import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { Miniflare } from "miniflare";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { auditLog, lfgPosts, messages, sessions, users, verifications } from "../../db/schema";
import { serveFetch } from "../../scripts/local/http";
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

const avatarOf = async (player: Player) => (await profileOf(player))?.avatarId as string;

/** Does what `npm run admin -- …` does, against the app's database. */
const admin = (...args: string[]) => runAdmin(app, args);
const adminWith = (env: Record<string, string>, ...args: string[]) => runAdmin(app, args, env);

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
      ["erase", player.id, "--yes", "--pictures", "/missing"],
      ["erase", player.id, "--yes", "--pictures", tmpdir()],
      ["erase", player.id, "--yes", "--pictures", ""],
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
    expect((await admin("--help")).out).toContain("npm run admin -- COMMAND PLAYER");
  });

  test("confirms an address", async () => {
    const player = await addPlayer(app, { emailConfirmedAt: null, riotClaimLapsesAt: new Date() });
    expect((await admin("confirm", player.email)).out).toBe("The address counts as confirmed.\n");
    expect((await accountOf(player))?.emailConfirmedAt).toBeInstanceOf(Date);
    expect((await admin("confirm", player.email)).out).toBe("The address was confirmed already.\n");
    expect(await auditLinesOf(player)).toEqual(["operator: email-confirmed"]);
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
    const said = async (player: Player) => (await admin("confirm", player.email)).out;
    expect(await said(first)).toBe(`The address counts as confirmed. ${names[0]}#EUW is linked.\n`);
    expect(await said(second)).toBe(
      `The address counts as confirmed. ${names[1]}#EUW is not linked: another player holds it.\n`,
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

  test("lists the open cases and prints one, whose reported picture stays in the bucket when its player is erased", async () => {
    const reporter = await newVisitor(app);
    const name = unique("Reported");
    const player = await addPlayer(app, { riotGameName: name, avatarId: uuidv7() });
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
    const erased = await admin("erase", player.email, "--yes");
    expect([erased.code, erased.out]).toEqual([
      0,
      "The account is erased. Its picture was reported: it stays in the bucket as long as the case.\n",
    ]);
  });

  test("erases an account at once, with everything that belongs to it", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await sendTo(author.client, conversationId, "Bye");
    const { code, out } = await admin("erase", author.player.email, "--yes");
    expect([code, out]).toEqual([0, "The account is erased.\n"]);
    expect(await accountOf(author.player)).toBeUndefined();
    expect(await auditLinesOf(author.player)).toEqual(["operator: erased"]);
    const said = await app.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    expect(said.map(({ senderId }) => senderId)).toEqual([reader.player.id, null]);
    expect((await author.client.get("/dashboard")).location).toBe("/auth");
  });

  test("erases the picture in the folder of `wrangler dev`, or prints how to erase it elsewhere", async () => {
    const dir = mkdtempSync(join(tmpdir(), "lineup-pictures-"));
    const running = new Miniflare({
      modules: true,
      script: "export default {}",
      r2Buckets: { AVATARS: "lineup-avatars" },
      r2Persist: join(dir, "v3/r2"),
    });
    try {
      const bucket = await running.getR2Bucket("AVATARS");
      const player = await addPlayer(app, { avatarId: uuidv7() });
      const other = uuidv7();
      for (const id of [await avatarOf(player), other]) await bucket.put(id, "picture");
      const { code, out } = await admin("erase", player.email, "--yes", "--pictures", dir);
      expect([code, out]).toEqual([0, "The account is erased, and so is its picture.\n"]);
      expect((await bucket.list()).objects.map(({ key }) => key)).toEqual([other]);

      const elsewhere = await addPlayer(app, { avatarId: uuidv7() });
      const id = await avatarOf(elsewhere);
      const left = await admin("erase", elsewhere.email, "--yes", "--pictures", dir);
      expect([left.code, left.out.split("\n").slice(1)]).toEqual([
        1,
        [
          `npx wrangler r2 object delete lineup-avatars/${id} --remote`,
          `npx wrangler r2 object delete lineup-avatars/${id} --local --persist-to ${dir}`,
          "",
        ],
      ]);
      expect(left.err).toContain("The specified key does not exist.");
    } finally {
      await running.dispose();
      rmSync(dir, { recursive: true, force: true });
    }
  });

  test("erases the picture in Cloudflare's bucket, or says how to if Cloudflare refuses", async () => {
    const asked: string[] = [];
    let refuses = false;
    const cloudflare = await serveFetch(({ method, url, headers }) => {
      asked.push(`${method} ${new URL(url).pathname} ${headers.get("Authorization")}`);
      if (!refuses) return Response.json({ success: true, errors: [], messages: [], result: {} });
      const errors = [{ code: 10_000, message: "Authentication error" }];
      return Response.json({ success: false, errors, messages: [], result: null }, { status: 403 });
    });
    const env = {
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_ACCOUNT_ID: "account",
    };
    const erase = ({ email }: Player) => adminWith(env, "erase", email, "--yes", "--pictures", "remote");
    try {
      const [first, second] = [
        await addPlayer(app, { avatarId: uuidv7() }),
        await addPlayer(app, { avatarId: uuidv7() }),
      ] as const;
      const ids = [await avatarOf(first), await avatarOf(second)];
      const erased = await erase(first);
      expect([erased.code, erased.out]).toEqual([0, "The account is erased, and so is its picture.\n"]);
      expect(asked).toEqual([`DELETE /accounts/account/r2/buckets/lineup-avatars/objects/${ids[0]} Bearer token`]);

      refuses = true;
      const left = await erase(second);
      expect(await accountOf(second)).toBeUndefined();
      expect(left.code).toBe(1);
      expect(left.err).toContain("Authentication error");
      expect(left.out.split("\n")).toContain(`npx wrangler r2 object delete lineup-avatars/${ids[1]} --remote`);
    } finally {
      await cloudflare.stop();
    }
  });

  test("says how to erase the picture when the database's address doesn't reveal where its pictures are", async () => {
    const player = await addPlayer(app, { avatarId: uuidv7() });
    const id = await avatarOf(player);
    const { code, out } = await admin("erase", player.email, "--yes");
    expect([code, out.split("\n")]).toEqual([
      1,
      [
        "The account is erased, but its picture is still in the bucket. Erase it by one of these, as the case may be:",
        `npx wrangler r2 object delete lineup-avatars/${id} --remote`,
        `npx wrangler r2 object delete lineup-avatars/${id} --local --persist-to .data/wrangler`,
        "",
      ],
    ]);
  });
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
    expect(out).toBe("The account is suspended.\n");
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
    expect((await sendTo(client, conversationId, "Still here")).status).toBe(401);
    await expect(openInbox(client)).rejects.toThrow();
    const said = await app.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    expect(said.map(({ content }) => content)).toEqual(["Hi there"]);
  });
});
