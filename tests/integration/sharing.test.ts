import { describe, expect, test } from "vitest";
import { SHARED_LIMIT } from "../../app/features/lfg/queries.server";
import { uuidv7 } from "../../db/ids";
import { useApp } from "../support/app";
import { clientAt, type HttpResponse } from "../support/client";
import { meta, select, selectEach, texts, title } from "../support/html";
import { databaseTiming } from "../support/server-timing";
import { addTournament } from "../support/tournaments";
import { addPlayer, addPost, DAY, HOUR, newVisitor } from "./players";

const app = useApp({ world: "busy" });

const canonical = ({ text }: HttpResponse) => {
  const tags = select(text, "link[rel=canonical]");
  expect(tags.length).toBeLessThanOrEqual(1);
  return tags.attr("href") ?? null;
};
const locations = ({ text }: HttpResponse) => texts(text, "loc");

describe("a public page", () => {
  const PAGES = [
    { path: "/", title: "Lineup: find your fifth", canonical: "/" },
    { path: "/?utm_source=somewhere", title: "Lineup: find your fifth", canonical: "/" },
    { path: "/auth", title: "Sign in · Lineup", canonical: "/auth" },
    { path: "/auth?redirectTo=%2Fdashboard%2Fprofile", title: "Sign in · Lineup", canonical: "/auth" },
    { path: "/auth?tab=sign-up", title: "Sign up · Lineup", canonical: "/auth" },
    { path: "/rules", title: "Code of conduct · Lineup", canonical: "/rules" },
    { path: "/terms", title: "Terms · Lineup", canonical: "/terms" },
    { path: "/privacy", title: "Privacy · Lineup", canonical: "/privacy" },
    { path: "/contact", title: "Contact · Lineup", canonical: "/contact" },
    { path: "/imprint", title: "Imprint · Lineup", canonical: "/imprint" },
  ];

  test.each(PAGES)("has a canonical URL, a description and a card: $path", async (page) => {
    const answer = await app.client().get(page.path);
    expect(answer.status).toBe(200);
    expect(title(answer.text)).toBe(page.title);
    expect(canonical(answer)).toBe(app.url + page.canonical);
    expect(meta(answer.text, "og:url")).toBe(app.url + page.canonical);
    expect(meta(answer.text, "description")?.length).toBeGreaterThan(50);
    expect(meta(answer.text, "og:description")).toBe(meta(answer.text, "description"));
    expect(meta(answer.text, "twitter:card")).toBe("summary_large_image");
    expect(meta(answer.text, "robots")).toBeNull();
  });

  test("names a preview picture that exists and has the stated size", async () => {
    const { text } = await app.client().get("/");
    const image = meta(text, "og:image") as string;
    const response = await fetch(image);
    expect(response.headers.get("Content-Type")).toBe("image/png");
    expect(response.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(String(bytes.readUInt32BE(16))).toBe(meta(text, "og:image:width"));
    expect(String(bytes.readUInt32BE(20))).toBe(meta(text, "og:image:height"));
    expect(meta(text, "og:image:alt")).toMatch(/\w/);
  });

  test("has a title and a description that no other page has", async () => {
    const author = await addPlayer(app);
    const about = ["/rules", "/terms", "/privacy", "/contact", "/imprint"];
    const paths = ["/", "/auth", "/auth?tab=sign-up", ...about, `/lfg/${await addPost(app, author.id)}`];
    const pages = await Promise.all(paths.map((path) => app.client().get(path)));
    expect(new Set(pages.map(({ text }) => meta(text, "description"))).size).toBe(paths.length);
    expect(new Set(pages.map(({ text }) => title(text))).size).toBe(paths.length);
  });
});

test("Private pages, forms and errors ask not to be indexed", async () => {
  const { client, player } = await newVisitor(app);
  const post = await addPost(app, player.id);
  const pages: Record<string, [title: string, status: number]> = {
    "/dashboard": ["LFG", 200],
    "/dashboard/lfg/new": ["Create LFG Post", 200],
    "/dashboard/tournaments": ["Tournaments", 200],
    "/dashboard/messages": ["Chat", 200],
    "/dashboard/profile": ["Profile", 200],
    "/dashboard/notifications": ["Notifications", 200],
    [`/lfg/${post}/edit`]: ["Edit LFG Post", 200],
    [`/lfg/${post}/delete`]: ["Delete Post", 200],
    "/dev/mailbox": ["Mailbox", 200],
    "/dev/components": ["Components", 200],
    "/no/such/page": ["Page not found", 404],
    [`/lfg/${uuidv7()}`]: ["Page not found", 404],
  };
  for (const [path, [name, status]] of Object.entries(pages)) {
    const page = await client.get(path);
    expect([page.status, title(page.text)], path).toEqual([status, `${name} · Lineup`]);
    expect(meta(page.text, "robots"), path).toBe("noindex");
    expect(canonical(page), path).toBeNull();
  }
});

describe("robots.txt", () => {
  test("disallows private pages and names the sitemap, without the database", async () => {
    const answer = await app.client().get("/robots.txt");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toMatch(/^text\/plain/);
    expect(answer.headers.get("Cache-Control")).toMatch(/^public, max-age=\d+$/);
    expect(databaseTiming(answer)?.statements).toBe(0);
    const lines = answer.text.trim().split("\n");
    expect(lines[0]).toBe("User-agent: *");
    const closed = lines.flatMap((line) => line.match(/^Disallow: (.*)$/)?.[1] ?? []);
    expect(lines.at(-1)).toBe(`Sitemap: ${app.url}/sitemap.xml`);
    const open = (path: string) => !closed.some((prefix) => path.startsWith(prefix));
    const pages = ["/dashboard", "/dashboard/profile", "/account/export", "/moderation", "/auth/confirm?token=x"];
    for (const path of [...pages, "/dev/mailbox"]) expect(open(path), path).toBe(false);
    for (const path of locations(await app.client().get("/sitemap.xml"))) {
      expect(open(new URL(path as string).pathname), path).toBe(true);
    }
  });
});

describe("the sitemap", () => {
  test("lists the public pages and the open posts, in one round trip, and may be cached for an hour", async () => {
    const author = await addPlayer(app);
    const changed = new Date(Date.now() - 60_000);
    const open = await addPost(app, author.id, { updatedAt: changed });
    const closed = await addPost(app, author.id, { isActive: false });
    const over = await addPost(app, author.id, { createdAt: new Date(Date.now() - DAY - 1_000) });
    const answer = await app.client().get("/sitemap.xml");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toMatch(/^application\/xml/);
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=3600");
    expect(answer.setCookie).toEqual([]);
    expect(databaseTiming(answer)).toEqual({ statements: 2, roundTrips: 1 });
    const first = ["/", "/auth", "/rules", "/terms", "/privacy", "/contact", "/imprint", `/lfg/${open}`];
    expect(locations(answer).slice(0, first.length)).toEqual(first.map((path) => app.url + path));
    expect(answer.text).toContain(`<loc>${app.url}/lfg/${open}</loc><lastmod>${changed.toISOString()}</lastmod>`);
    for (const id of [closed, over]) expect(answer.text).not.toContain(id);
    expect(locations(answer).length).toBeLessThanOrEqual(2 * SHARED_LIMIT + 7);
  });

  test("lists the tournaments, except cancelled ones", async () => {
    const { id } = await addTournament(app.db, { teams: 0 });
    const { id: cancelled } = await addTournament(app.db, { teams: 0, state: "cancelled" });
    const named = locations(await app.client().get("/sitemap.xml"));
    expect(named).toContain(`${app.url}/tournaments/${id}`);
    expect(named).not.toContain(`${app.url}/tournaments/${cancelled}`);
  });

  test("lists pages by their canonical address", async () => {
    const addresses = locations(await app.client().get("/sitemap.xml"));
    for (const address of [...addresses.slice(0, 10), ...addresses.slice(-5)]) {
      const page = await app.client().get(address);
      expect(page.status, address).toBe(200);
      expect(canonical(page)).toBe(address);
      expect(meta(page.text, "robots"), address).toBeNull();
    }
  });
});

describe("with APP_ORIGIN", () => {
  const elsewhere = useApp({ world: "demo", bindings: { APP_ORIGIN: "https://lineup.example/" } });

  test("every URL belongs to that site", async () => {
    const client = clientAt(elsewhere, "https://lineup.example");
    const post = locations(await client.get("/sitemap.xml")).find((address) => address.includes("/lfg/")) as string;
    expect(post).toMatch(/^https:\/\/lineup\.example\/lfg\/[\w-]+$/);
    expect((await client.get("/robots.txt")).text).toContain("Sitemap: https://lineup.example/sitemap.xml\n");
    expect(canonical(await client.get("/"))).toBe("https://lineup.example/");
    const page = await client.get(new URL(post).pathname);
    expect(canonical(page)).toBe(post);
    expect(meta(page.text, "og:image")).toBe("https://lineup.example/og.png");
  });
});

describe("a tournament's page", () => {
  /** The structured data for search engines, as an HTML parser finds it. */
  const structured = (html: string) =>
    selectEach(html, 'script[type="application/ld+json"]').map((script) => JSON.parse(script.text()));
  const date = new Date(Date.UTC(2027, 0, 9, 18, 30));
  const deadline = new Date(date.getTime() - DAY);

  test("tells search engines what, when and by whom, whatever its title", async () => {
    const host = await addPlayer(app, { riotGameName: "Host <b>" });
    const name = `</script><script>alert("1")</script> & <!-- "Cup" \u2028`;
    const { id } = await addTournament(app.db, {
      teams: 2,
      userId: host.id,
      title: name,
      description: "Eight teams, one evening.",
      maxParticipants: 8,
      entryFee: 12_50,
      minRank: "Gold 1",
      maxRank: "Diamond 3",
      region: "Europe",
      tournamentDate: date,
      registrationDeadline: deadline,
    });
    const { text } = await app.client().get(`/tournaments/${id}`);
    const page = `${app.url}/tournaments/${id}`;
    expect(structured(text)).toEqual([
      {
        "@context": "https://schema.org",
        "@type": "SportsEvent",
        name,
        description: meta(text, "og:description"),
        url: page,
        sport: "VALORANT",
        image: `${app.url}/og.png`,
        startDate: "2027-01-09T18:30:00.000Z",
        eventStatus: "https://schema.org/EventScheduled",
        eventAttendanceMode: "https://schema.org/OnlineEventAttendanceMode",
        location: { "@type": "VirtualLocation", url: page },
        organizer: { "@type": "Person", name: "Host <b>", url: `${app.url}/players/${host.id}` },
        isAccessibleForFree: false,
        offers: {
          "@type": "Offer",
          price: "12.50",
          priceCurrency: "USD",
          availability: "https://schema.org/InStock",
          validThrough: deadline.toISOString(),
          url: page,
        },
      },
    ]);
    expect(text).not.toContain("<script>alert");
    expect(meta(text, "og:description")).toBe(
      "Starts 9 January 2027, 18:30, UTC. 6 of 8 spots left. Gold 1 to Diamond 3, Europe. Entry fee $12.50, single elimination. Eight teams, one evening.",
    );
  });

  test.each([
    ["on a date to come", DAY, /^Starts .*, UTC\. Registration closed\. Any rank/],
    ["whose date has passed", -HOUR, /^Registration closed\. Any rank/],
  ])("offers no spots once registration for a tournament %s has closed", async (_, until, words) => {
    const { id } = await addTournament(app.db, {
      teams: 2,
      maxParticipants: 8,
      entryFee: 5_00,
      tournamentDate: new Date(Date.now() + until),
      registrationDeadline: new Date(Date.now() - 2 * HOUR),
    });
    const { text } = await app.client().get(`/tournaments/${id}`);
    expect(meta(text, "og:description")).toMatch(words);
    expect(meta(text, "og:description")).not.toContain("spots left");
    expect(structured(text)[0].offers.availability).toBe("https://schema.org/SoldOut");
  });

  test("says when it is cancelled, and has no offer without a fee", async () => {
    const { id } = await addTournament(app.db, { teams: 2, state: "cancelled", entryFee: 0, tournamentDate: date });
    const { text } = await app.client().get(`/tournaments/${id}`);
    const [event] = structured(text);
    expect(event).toMatchObject({ eventStatus: "https://schema.org/EventCancelled", isAccessibleForFree: true });
    expect(event).not.toHaveProperty("offers");
    expect(meta(text, "og:description")).toMatch(/^Cancelled\. Any rank, any region\. Free, single elimination\./);
  });
});

test("The Chat page has no description or preview that other sites could show", async () => {
  const { client } = await newVisitor(app);
  const { text } = await client.get("/dashboard/messages");
  for (const name of ["og:title", "og:description", "description"]) expect(meta(text, name)).toBeNull();
});

test("The shortcuts of the installed app open the player's own pages", async () => {
  const { client } = await newVisitor(app);
  const { shortcuts, start_url } = JSON.parse((await client.get("/site.webmanifest")).text);
  expect(shortcuts).toHaveLength(3);
  for (const { name, url } of shortcuts) {
    const page = await client.get(url);
    expect([page.status, title(page.text)], url).toEqual([
      200,
      `${name === "Create Post" ? "Create LFG Post" : name} · Lineup`,
    ]);
  }
  expect((await client.get(start_url)).status).toBe(200);
});
