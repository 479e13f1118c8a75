import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { lfgPosts, profiles, users } from "../../db/schema";
import { ROOT } from "../../scripts/local/build";
import { serveFetch } from "../../scripts/local/http";
import { freePort, isFree } from "../../scripts/local/ports";
import { useApp } from "../support/app";
import { Client, signIn } from "../support/client";
import { links, main, postTitles, selectEach, textOf, texts } from "../support/html";

describe("the demo world", () => {
  const app = useApp({ world: "demo" });

  test("holds twelve players with one password, verified and unverified, of whom the last six have no open post", async () => {
    const players = await app.db
      .select({ email: users.email, userId: users.id, verifiedAt: profiles.riotVerifiedAt })
      .from(users)
      .innerJoin(profiles, eq(profiles.userId, users.id));
    expect(players).toHaveLength(12);
    expect(new Set(players.map(({ verifiedAt }) => verifiedAt === null))).toEqual(new Set([true, false]));
    for (let number = 1; number <= 12; number += 1) {
      const player = players.find(({ email }) => email === `player${number}@example.com`);
      const open = (
        await app.db
          .select()
          .from(lfgPosts)
          .where(eq(lfgPosts.userId, player?.userId ?? ""))
      ).filter(({ isActive, expiresAt }) => isActive && expiresAt > new Date());
      expect(open.length > 0, `player${number}`).toBe(number <= 6);
    }
    for (const number of [1, 12]) await signIn(app.client(), `player${number}@example.com`);
  });

  test("shows its first player a team getting ready, with its room, and the chat of one that has played", async () => {
    const client = await signIn(app.client(), "player1@example.com");
    const [team] = selectEach((await client.get("/dashboard")).text, "section[aria-labelledby=your-team] .own-team");
    expect(textOf(team ?? "")).toContain("You, Дмитрий Ковалёв and Ngọc Huyền");
    expect(texts(team ?? "", ".u-you")).toEqual(["S"]);
    const addresses = links(team ?? "").map(({ href }) => href);
    expect(addresses).toEqual([expect.stringMatching(/^\/lfg\//), expect.stringMatching(/^\/dashboard\/messages\//)]);
    for (const address of addresses) {
      const page = main((await client.get(address)).text);
      expect(page, address).toContain("SUN5ET");
      expect(page, address).toContain("1 of 3 ready");
    }
    const chats = main((await client.get("/dashboard/messages")).text);
    expect(chats).toContain("Trio for ranked, no pressure on aim");
  });
});

describe("the busy world", () => {
  const app = useApp({ world: "busy" });

  test("holds two hundred players and more posts than fit on a page", async () => {
    expect(await app.db.select().from(users)).toHaveLength(200);
    const client = await signIn(app.client(), "player200@example.com");
    expect(postTitles((await client.get("/dashboard")).text)).toHaveLength(20);
  });
});

// Each test starts whole processes, which takes a while on a busy machine.
describe("npm run preview", { timeout: 120_000 }, () => {
  const data = mkdtempSync(join(tmpdir(), "lineup-preview-"));
  const running: ChildProcess[] = [];
  afterEach(() => {
    for (const child of running.splice(0)) child.kill("SIGKILL");
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  /** Runs the command until it says that it is ready, or ends. */
  async function preview(args: string[]) {
    const child = spawn(process.execPath, ["--import", "tsx", "scripts/preview.ts", "--no-build", ...args], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.push(child);
    let output = "";
    const ready = new Promise<void>((resolve) => {
      const read = (text: Buffer) => {
        output += text.toString();
        if (/^Ready on http:\/\/localhost:\d+$/m.test(output)) resolve();
      };
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
    });
    const exited = once(child, "exit").then(([code]) => code as number | null);
    await Promise.race([ready, exited]);
    return { child, exited, output: () => output };
  }

  test("serves a named world until it is stopped, ends its child processes, and finds its data again", async () => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const { child, exited, output } = await preview(["--port", String(port), "--world", "demo", "--data", data]);
      expect(output()).toContain(`Ready on ${url}`);
      const client = await signIn(new Client(url), "player7@example.com");
      const titles = postTitles((await client.get("/dashboard")).text);
      if (signal === "SIGTERM") {
        const form = await client.submit("/dashboard/lfg/new", "Create Post", {
          title: "Still here",
          neededPlayers: 1,
        });
        expect(form.status).toBe(303);
      } else {
        expect(titles).toContain("Still here");
        expect(output()).toContain("The database already holds players, so it is used as it is.");
      }
      child.kill(signal);
      expect(await exited).toBe(0);
      expect(await isFree(port)).toBe(true);
      await expect(fetch(url)).rejects.toThrow();
    }
  });

  test("applies the limits and the single host of production with --production-limits", async () => {
    const port = await freePort();
    const args = ["--port", String(port), "--world", "empty", "--production-limits"];
    const { child, exited, output } = await preview(args);
    const url = `http://localhost:${port}`;
    expect(output()).toContain(`Ready on ${url}`);
    const elsewhere = new Client(`http://127.0.0.1:${port}`);
    const page = await elsewhere.get("/lfg?rank=gold");
    expect([page.status, page.location]).toEqual([308, `${url}/lfg?rank=gold`]);
    expect((await elsewhere.request("/auth", { method: "POST" })).status).toBe(421);
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      const fields = { email: `somebody-${attempt}@lineup.test`, password: "not the password" };
      statuses.push((await new Client(url).post("/auth", fields)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  test("reports wrong arguments with the usage", async () => {
    const wrong = [["--world", "nowhere"], ["--port", "x"], ["--nonsense"]];
    const ended = await Promise.all(wrong.map(preview));
    for (const { exited, output } of ended) {
      expect(await exited, output()).toBe(2);
      expect(output()).toContain("npm run preview -- [options]");
    }
  });

  test("reports that its port is taken", async () => {
    const other = await serveFetch(() => new Response("taken"));
    const { port } = new URL(other.url);
    const { exited, output } = await preview(["--port", port]);
    expect(await exited).toBe(1);
    expect(output()).toContain(`Port ${port} is taken.`);
    await other.stop();
  });
});
