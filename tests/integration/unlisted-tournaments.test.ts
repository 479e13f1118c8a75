import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { lapseUnconfirmedClaims, proveRiotAccount } from "../../app/features/riot/commands.server";
import { uuidv7 } from "../../db/ids";
import { profiles, tournaments } from "../../db/schema";
import { transact } from "../../db/statements";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { announcements, field, links, main, meta, select, textOf, texts } from "../support/html";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { addPlayer, DAY, HOUR, newVisitor, unique, visitAs } from "./players";

// With the limits that players have, instead of a thousand times those.
const app = useApp({ limitFactor: 1 });
const { tournamentLogOf } = recordsIn(app);

const LIST = "/dashboard/tournaments";
const NEW = `${LIST}/new`;
const NOTICE = "Works by link only";
const VERIFY = { text: "verify your Riot account", href: "/dashboard/profile#account-verification" };
const CONFIRM = { text: "confirm your email address", href: "/dashboard/settings/email" };
const local = (date: Date) => date.toISOString().slice(0, 16);

const filled = (changes: Record<string, string> = {}) => ({
  id: uuidv7(),
  title: unique("Quiet Cup "),
  description: "One evening.",
  entryFee: "0",
  prizePool: "0",
  maxParticipants: "8",
  tournamentDate: local(new Date(Date.now() + 10 * DAY)),
  registrationDeadline: local(new Date(Date.now() + 9 * DAY)),
  timeZone: "UTC",
  ...changes,
});

const verified = () => ({ riotGameName: unique("Host "), riotPuuid: uuidv7(), riotVerifiedAt: new Date() });

async function host(client: Client, changes: Record<string, string> = {}) {
  const fields = filled(changes);
  const answer = await client.post(NEW, fields);
  return { ...fields, answer };
}

const hostedBy = ({ id }: { id: string }) => app.db.select().from(tournaments).where(eq(tournaments.userId, id));
const dialog = (html: string) => textOf(select(html, "dialog"));
/** The host's own part of the list. */
const unlisted = (html: string) => select(html, "section[aria-labelledby=unlisted]");
const listSeenBy = async (client: Client, query = "") => main((await client.get(LIST + query)).text);
const sitemap = async () => (await app.client().get("/sitemap.xml")).text;

describe("A host without a verified Riot account", () => {
  test("hosts a tournament that works by link only, and reads what to do about it", async () => {
    const { client } = await newVisitor(app);
    const form = await client.get(NEW);
    expect([roundTrips(form), dialog(form.text)]).toEqual([1, expect.stringContaining(NOTICE)]);
    const { id, title, answer } = await host(client);
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, LIST, 2]);
    const list = await client.follow(answer);
    expect(roundTrips(list)).toBe(1);
    expect(main(list.text)).toContain(title);
    expect(main(list.text)).toContain(NOTICE);
    expect(links(list.text)).toContainEqual(expect.objectContaining(VERIFY));
    const page = await client.get(`/tournaments/${id}`);
    expect([roundTrips(page), main(page.text)]).toEqual([1, expect.stringContaining(NOTICE)]);
    expect(main(page.text)).toContain(`/tournaments/${id} `);
    // The filters apply to it as well.
    expect(await listSeenBy(client, "?free=on")).toContain(title);
    expect(await listSeenBy(client, "?from=2050-01-01")).not.toContain(title);

    const stranger = await newVisitor(app);
    for (const query of ["", "?open=on", "?free=on", "?region=Europe", "?from=2026-01-01"]) {
      expect(await listSeenBy(stranger.client, query), query).not.toContain(title);
    }
    expect(await sitemap()).not.toContain(id);
    const other = await host((await newVisitor(app, verified())).client);
    expect(main((await app.client().get(`/tournaments/${other.id}`)).text)).not.toContain(title);
    const shared = await app.client().get(`/tournaments/${id}`);
    expect([shared.status, meta(shared.text, "robots")]).toEqual([200, "noindex"]);
    expect(main(shared.text)).not.toContain(NOTICE);
  });

  test("can have one tournament open at a time; a refused form keeps its fields and stores nothing", async () => {
    const { client, player } = await newVisitor(app);
    const first = await host(client);
    const second = await host(client);
    expect([second.answer.status, announcements(second.answer.text)[0]]).toEqual([
      409,
      "You can have one tournament open at a time. Start or cancel it, or verify your Riot account to host more.",
    ]);
    expect(field(second.answer.text, "title").value).toBe(second.title);
    expect(await hostedBy(player)).toHaveLength(1);
    expect(await tournamentLogOf(second.id)).toEqual([]);
    // The form says so before it is filled in, and names the tournament that is open.
    const form = (await client.get(NEW)).text;
    expect(dialog(form)).toContain("You can have one tournament open at a time.");
    expect(links(form)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ text: first.title, href: `/tournaments/${first.id}` }),
        expect.objectContaining(VERIFY),
      ]),
    );
    // Submitting the first one's form again finds that tournament, so it isn't refused.
    expect((await client.post(NEW, filled({ id: first.id, title: first.title }))).status).toBe(303);
    // With other details, another error comes first, and the form still states the limit.
    const different = await client.post(NEW, filled({ id: first.id, title: second.title }));
    expect(announcements(different.text)[0]).toContain("This form has already created a tournament");
    expect(dialog(different.text)).toContain("You can have one tournament open at a time.");
    expect((await client.post(`/tournaments/${first.id}/cancel`, { reason: "Too few teams." })).status).toBe(303);
    const third = await host(client);
    expect(third.answer.status).toBe(303);
    // The cancelled one is collapsed.
    const own = unlisted((await client.get(LIST)).text);
    expect(texts(own, "details h3")).toEqual([first.title]);
    expect(texts(own, "h3")).toEqual([third.title, first.title]);
  });

  test("is listed as soon as they verify, and no longer once the verification lapses", async () => {
    const { client, player } = await newVisitor(app, { emailConfirmedAt: null });
    const { id, title } = await host(client);
    const stranger = (await newVisitor(app)).client;
    expect(await listSeenBy(stranger)).not.toContain(title);
    const account = { gameName: unique("Newly "), tagLine: "EUW", region: "europe" };
    expect((await client.post("/dashboard/profile", { intent: "verify", ...account })).status).toBe(303);
    expect((await hostedBy(player))[0]).toMatchObject({ isListed: true });
    expect(await listSeenBy(stranger)).toContain(title);
    expect(await sitemap()).toContain(id);
    expect(await listSeenBy(client)).not.toContain(NOTICE);
    await app.db
      .update(profiles)
      .set({ riotClaimLapsesAt: new Date(Date.now() - HOUR) })
      .where(eq(profiles.userId, player.id));
    await lapseUnconfirmedClaims(app.db as never, new Date(), 1_000);
    expect(await listSeenBy(stranger)).not.toContain(title);
    expect(await listSeenBy(client)).toContain(NOTICE);
  });
});

describe("A host with a verified Riot account", () => {
  test("is no longer listed once another player proves that the account is theirs", async () => {
    const claim = verified();
    const { client } = await newVisitor(app, claim);
    const { title } = await host(client);
    const owner = await newVisitor(app);
    const own = await host(owner.client);
    const account = { puuid: claim.riotPuuid, gameName: claim.riotGameName, tagLine: "EUW", region: "europe" } as const;
    const context = {
      db: app.db as never,
      env: { REQUIRE_CONFIRMED_EMAIL: false, ENCRYPTION_KEY: [LOCAL_SECRET] } as never,
      now: new Date(),
    };
    await transact(
      context.db,
      proveRiotAccount({ ...context, origin: "https://lineup.test" }, owner.player.id, account).statements(),
    );
    const list = await listSeenBy((await newVisitor(app)).client);
    expect(list).toContain(own.title);
    expect(list).not.toContain(title);
  });

  test("can have three tournaments open at a time, each listed immediately", async () => {
    const { client, player } = await newVisitor(app, verified());
    const stranger = (await newVisitor(app)).client;
    for (let number = 1; number <= 3; number += 1) {
      expect(dialog((await client.get(NEW)).text)).not.toMatch(/open at a time|Works by link only/);
      const { title, answer } = await host(client);
      expect(answer.status).toBe(303);
      expect(await listSeenBy(stranger)).toContain(title);
    }
    expect(dialog((await client.get(NEW)).text)).toContain("You can have 3 tournaments open at a time.");
    const { answer } = await host(client);
    expect([answer.status, announcements(answer.text)[0]]).toEqual([
      409,
      "You can have 3 tournaments open at a time. Start or cancel one before you host another.",
    ]);
    expect(await hostedBy(player)).toHaveLength(3);
  });
});

test("The limits apply to forms that arrive at the same time", async () => {
  for (const [profile, most] of [
    [{}, 1],
    [verified(), 3],
  ] as const) {
    const player = await addPlayer(app, profile);
    const clients = await Promise.all(Array.from({ length: 6 }, () => visitAs(app, player)));
    const answers = await Promise.all(clients.map((client) => host(client)));
    const statuses = answers.map(({ answer }) => answer.status).sort();
    expect(statuses).toEqual([...Array(most).fill(303), ...Array(6 - most).fill(409)]);
    expect(await hostedBy(player)).toHaveLength(most);
  }
});

describe("Where addresses must be confirmed", () => {
  const strict = useApp({ limitFactor: 1, confirmEmail: true });

  test("a host without a confirmed address is told to confirm it", async () => {
    const { client, player } = await newVisitor(strict, { ...verified(), emailConfirmedAt: null });
    const { title } = await host(client);
    const list = await client.get(LIST);
    expect(main(list.text)).toContain(NOTICE);
    expect(links(list.text)).toContainEqual(expect.objectContaining(CONFIRM));
    expect(main(list.text)).not.toContain(VERIFY.text);
    const { answer } = await host(client);
    expect(announcements(answer.text)[0]).toContain("or confirm your email address to host more.");
    const stranger = (await newVisitor(strict)).client;
    expect(await listSeenBy(stranger)).not.toContain(title);
    expect(await strict.db.select().from(tournaments).where(eq(tournaments.userId, player.id))).toHaveLength(1);
  });

  test("a host without either is told both, and verifying alone lists nothing", async () => {
    const { client } = await newVisitor(strict, { emailConfirmedAt: null });
    const { title } = await host(client);
    const list = await client.get(LIST);
    expect(main(list.text)).toContain(`once you ${VERIFY.text} and ${CONFIRM.text}`);
    const account = { gameName: unique("Half "), tagLine: "EUW", region: "europe" };
    expect((await client.post("/dashboard/profile", { intent: "verify", ...account })).status).toBe(303);
    expect(await listSeenBy((await newVisitor(strict)).client)).not.toContain(title);
    expect(main((await client.get(LIST)).text)).not.toContain(VERIFY.text);
  });
});
