import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { replaceAvatar } from "../../app/features/players/commands.server";
import { followUps, profiles, sessions } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field, findForm, links } from "../support/html";
import { exif, jpeg, jpegSegment, png, pngChunk, webp, webpChunk } from "../support/pictures";
import { roundTrips } from "../support/server-timing";
import { startWatchedDatabase } from "../support/watched-database";
import { newVisitor, type Player, visitAs } from "./players";

// A proxy between the Worker and the database of one of the apps, for outages.
const { proxy, appOptions } = await startWatchedDatabase();
const app = useApp();
const PICTURE = "/dashboard/profile/picture";
const MB = 1024 * 1024;

function upload(client: Client, bytes: Uint8Array, name = "me.png", type = "image/png", path = PICTURE) {
  const body = new FormData();
  body.set("picture", new File([new Uint8Array(bytes)], name, { type }));
  return client.request(path, { method: "POST", body });
}

const avatarOf = async ({ id }: Player, { db } = app) =>
  (await db.select().from(profiles).where(eq(profiles.userId, id)).get())?.avatarId ?? null;

/** The number of stored pictures. */
async function stored({ miniflare } = app): Promise<number> {
  const bucket = await miniflare.getR2Bucket("AVATARS");
  return (await bucket.list()).objects.length;
}

const SECRET = "SECRET place";
const PICTURES = [
  ["PNG", "image/png", png(40, 30, [pngChunk("tEXt", SECRET)])],
  ["JPEG", "image/jpeg", jpeg(40, 30, [exif(6, SECRET), jpegSegment(0xfe, SECRET)])],
  ["WebP", "image/webp", webp(40, 30, [webpChunk("EXIF", SECRET)])],
] as const;

describe("uploading a picture", () => {
  test.each(PICTURES)("%s is stored without its metadata, and served with strict headers", async (_, type, bytes) => {
    const { player, client } = await newVisitor(app);
    const answer = await upload(client, bytes, "me.txt", "text/html");
    expect([answer.status, answer.location]).toEqual([303, "/dashboard/profile"]);
    expect(roundTrips(answer)).toBe(2);
    const page = await client.follow(answer);
    expect(announcements(page.text)).toEqual(["Profile updated! Your picture has been saved."]);
    const id = await avatarOf(player);
    expect(page.text).toContain(`src="/avatars/${id}"`);

    const picture = await app.client().get(`/avatars/${id}`);
    expect(picture.status).toBe(200);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "content-type": type,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "public, max-age=31536000, immutable",
      etag: `"${id}"`,
    });
    expect(picture.headers.has("set-cookie")).toBe(false);
    expect(picture.text).not.toContain("SECRET");
    expect(roundTrips(picture)).toBe(0);
    const again = await app.client().get(`/avatars/${id}`, { "If-None-Match": `"${id}"` });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  test("deletes the picture that it replaces, and `Remove Picture` deletes the last one", async () => {
    const { player, client } = await newVisitor(app);
    const before = await stored();
    await upload(client, png(40, 30));
    const first = await avatarOf(player);
    await upload(client, png(50, 30));
    const second = await avatarOf(player);
    expect(second).not.toBe(first);
    await eventually(async () => ((await app.client().get(`/avatars/${first}`)).status === 404 ? true : undefined));
    expect((await app.client().get(`/avatars/${second}`)).status).toBe(200);
    const removed = await client.submit(PICTURE, "Remove Picture");
    expect(removed.status).toBe(303);
    expect(await avatarOf(player)).toBeNull();
    await eventually(async () => ((await stored()) === before ? true : undefined));
    expect((await client.get("/dashboard/profile")).text).not.toContain("/avatars/");
  });

  test("isn't undone by `Remove Picture` on a page that still shows the previous picture", async () => {
    const { player, client } = await newVisitor(app);
    await upload(client, png(40, 30));
    const { values } = findForm((await client.get(PICTURE)).text, "Remove Picture");
    await upload(await visitAs(app, player), png(50, 30));
    const second = await avatarOf(player);
    const refused = await client.post(PICTURE, values);
    expect(refused.status).toBe(409);
    expect(announcements(refused.text)).toContain(
      "Error updating profile Your picture has changed since you opened this page. Check it first.",
    );
    // The refused page shows the picture that its button removes.
    expect(refused.text).toContain(`src="/avatars/${second}"`);
    expect((await app.client().get(`/avatars/${second}`)).status).toBe(200);
    const again = findForm(refused.text, "Remove Picture").values;
    // The second press repeats the first one, whose response was lost.
    for (let press = 0; press < 2; press += 1) expect((await client.post(PICTURE, again)).status).toBe(303);
    expect(await avatarOf(player)).toBeNull();
  });

  test("leaves it to the cron to delete the picture that it replaces, if the bucket fails", async () => {
    const { player, client } = await newVisitor(app);
    await upload(client, png(40, 30));
    const id = await avatarOf(player);
    // The upload's own follow-up is carried out after its response, and would delete a picture that isn't the player's.
    await expect.poll(() => app.db.$count(followUps, eq(followUps.subjectId, player.id)), { timeout: 5_000 }).toBe(0);
    expect(await replaceAvatar({ db: app.db, now: new Date() }, player.id, id, null)).toBe(true);
    expect((await app.client().get(`/avatars/${id}`)).status).toBe(200);
    await app.runScheduled();
    expect((await app.client().get(`/avatars/${id}`)).status).toBe(404);
  });

  test("three times at the same moment leaves one picture, the player's own", async () => {
    const { player, client } = await newVisitor(app);
    const before = await stored();
    const answers = await Promise.all([
      upload(client, png(40, 30)),
      upload(client, png(41, 30)),
      upload(client, png(42, 30)),
    ]);
    for (const { status } of answers) expect([303, 409]).toContain(status);
    expect(answers.some(({ status }) => status === 303)).toBe(true);
    await eventually(async () => ((await stored()) === before + 1 ? true : undefined));
    expect((await app.client().get(`/avatars/${await avatarOf(player)}`)).status).toBe(200);
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  test.each([
    ["an SVG that is called .png", svg, 400, "Choose a PNG, JPEG or WebP picture."],
    [
      "a page that begins like a picture",
      Buffer.concat([png(9, 9).subarray(0, 8), svg]),
      400,
      "This picture is damaged or cut off. Save it again, or choose another.",
    ],
    ["nothing", new Uint8Array(), 400, "Choose a picture first."],
    [
      "a picture that moves",
      png(9, 9, [pngChunk("acTL", "\0\0\0\x02\0\0\0\0")]),
      400,
      "Choose a picture that isn't animated.",
    ],
    ["a picture 5 000 pixels wide", png(5_000, 9), 400, "Choose a picture up to 4096 pixels wide and high."],
    [
      "more than 1 MB",
      png(9, 9, [pngChunk("tEXt", "x".repeat(MB))]),
      413,
      "This file is larger than 1 MB. Choose a smaller one.",
    ],
    ["3 MB", Buffer.alloc(3 * MB), 413, "This file is larger than 1 MB. Choose a smaller one."],
    ["50 MB", Buffer.alloc(50 * MB), 413, "This file is larger than 1 MB. Choose a smaller one."],
  ])("refuses %s, says why at the field, and stores nothing", async (_, bytes, status, error) => {
    const { player, client } = await newVisitor(app);
    const before = await stored();
    const answer = await upload(client, bytes);
    expect(answer.status).toBe(status);
    expect(field(answer.text, "picture")).toMatchObject({ invalid: true });
    expect(field(answer.text, "picture").description).toContain(error);
    expect(announcements(answer.text)).toContain(`Error updating profile ${error}`);
    expect([await avatarOf(player), await stored()]).toEqual([null, before]);
  });

  test("with JavaScript shows the same error messages", async () => {
    const { client } = await newVisitor(app);
    const answer = await upload(client, Buffer.alloc(2 * MB), "me.png", "image/png", `${PICTURE}.data`);
    expect(answer.status).toBe(413);
    expect(answer.text).toContain("This file is larger than 1 MB.");
  });

  test("is possible only for signed-in players, at this address, and from a page of the site", async () => {
    const { player, client } = await newVisitor(app);
    const stranger = await upload(app.client(), png(9, 9));
    expect(stranger.status).toBe(401);
    expect((await upload(app.client(), Buffer.alloc(MB / 2))).status).toBe(413);
    for (const path of ["/dashboard/profile", "/dashboard/lfg/new", `${PICTURE}/x`]) {
      expect((await upload(client, Buffer.alloc(MB / 2), "me.png", "image/png", path)).status, path).toBe(413);
    }
    const body = new FormData();
    body.set("picture", new File([new Uint8Array(png(9, 9))], "me.png"));
    const foreign = { Origin: "https://evil.example" };
    expect((await client.request(PICTURE, { method: "POST", body, headers: foreign })).status).toBe(403);
    expect(await avatarOf(player)).toBeNull();
  });

  test("with the cookie of an ended session is refused, and stores nothing", async () => {
    const { player, client } = await newVisitor(app);
    await app.db.delete(sessions).where(eq(sessions.userId, player.id));
    const before = await stored();
    expect((await upload(client, png(40, 30))).status).toBe(401);
    expect(await stored()).toBe(before);
    expect(await app.db.select().from(followUps).where(eq(followUps.subjectId, player.id))).toEqual([]);
  });
});

describe("while the database is away", () => {
  const disturbed = useApp(appOptions);

  test("an upload that fails halfway leaves no picture behind, some minutes later", async () => {
    const { player, client } = await newVisitor(disturbed);
    const before = await stored(disturbed);
    // The round trip of the session check still gets through.
    Object.assign(proxy, { mode: "away", spared: 1 });
    expect((await upload(client, png(40, 30))).status).toBe(503);
    // Once this page has failed after its retries, all work that the upload left behind has failed, too.
    expect((await client.get(PICTURE)).status).toBe(503);
    proxy.mode = "through";
    expect(await stored(disturbed)).toBe(before + 1);
    // As far as the cron knows, the upload is still under way.
    await disturbed.runScheduled();
    expect(await stored(disturbed)).toBe(before + 1);
    const { subjectId } = followUps;
    await disturbed.db.update(followUps).set({ dueAt: new Date() }).where(eq(subjectId, player.id));
    await disturbed.runScheduled();
    expect(await stored(disturbed)).toBe(before);
  });
});

describe("while the bucket is away", () => {
  const dir = mkdtempSync(join(tmpdir(), "lineup-bucket-"));
  // Before `useApp`: the last hook is the first to run, and the app must stop first.
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const disturbed = useApp({ dir });

  test("an upload is refused at its field, and the player keeps the picture from before", async () => {
    const { player, client } = await newVisitor(disturbed);
    expect((await upload(client, png(40, 30))).status).toBe(303);
    const before = await avatarOf(player, disturbed);
    const files = readdirSync(dir, { recursive: true, encoding: "utf8" });
    const blobs = join(dir, files.find((path) => /r2.*blobs$/.test(path)) as string);
    renameSync(blobs, `${blobs}-away`);
    writeFileSync(blobs, "A file in the folder's place.");
    const refused = await upload(client, png(50, 30));
    rmSync(blobs);
    renameSync(`${blobs}-away`, blobs);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
    const error = "Lineup can't store pictures right now. Try again in a moment.";
    expect(field(refused.text, "picture").description).toContain(error);
    expect(announcements(refused.text)).toContain(`Error updating profile ${error}`);
    expect(await avatarOf(player, disturbed)).toBe(before);
    expect((await disturbed.client().get(`/avatars/${before}`)).status).toBe(200);
    expect((await upload(client, png(50, 30))).status).toBe(303);
  });
});

test("An address without a picture answers 404, and reveals nothing", async () => {
  for (const name of ["nothing", "00000000-0000-4000-8000-000000000000", "..%2Fsecret", "%00"]) {
    const answer = await app.client().get(`/avatars/${name}`);
    expect(answer.status, name).toBe(404);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
  }
});

describe("with a limit of two picture changes an hour", () => {
  const limited = useApp({ limitFactor: 1, bindings: { RATE_LIMITS: "picture=2/3600" } });

  test("a player can change the picture a limited number of times an hour", async () => {
    const { client } = await newVisitor(limited);
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await upload(client, png(9, 9))).status);
    expect(statuses).toEqual([303, 303, 429]);
  });
});

test("The profile page leads to the picture", async () => {
  const { client } = await newVisitor(app);
  expect(links((await client.get("/dashboard/profile")).text)).toContainEqual({ text: "Add Picture", href: PICTURE });
  expect((await client.get(PICTURE)).status).toBe(200);
});
