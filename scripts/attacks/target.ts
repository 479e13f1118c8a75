import { load } from "cheerio";
import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { sealSecret } from "../../app/features/auth/two-factor/second-factor.server";
import { createToken, hashToken, sign } from "../../app/platform/crypto/crypto.server";
import { DAY } from "../../app/platform/dates/durations";
import * as schema from "../../db/schema";
import { type App, LOCAL_SECRET } from "../local/app";
import { type BuiltRoute, readRoutes } from "../local/routes";

type Database = LibSQLDatabase<typeof schema>;

/** A sender of requests: a visitor, or a player who is signed in. */
interface Actor {
  name: string;
  /** The `Cookie` header; empty for a visitor. */
  cookie: string;
}

/** A form as a page offers it. */
interface OfferedForm {
  /** The index of the actor who was offered it. */
  actor: number;
  method: string;
  /** Path and query. */
  action: string;
  fields: [name: string, value: string][];
}

/** The things to attack. All lists have the same order each time. */
export interface Target {
  app: App;
  actors: readonly Actor[];
  routes: readonly BuiltRoute[];
  forms: readonly OfferedForm[];
  /** Names of fields and of search parameters that occur anywhere. */
  names: readonly string[];
  /** Ids that exist, by the name of the parameter that takes them. */
  ids: Readonly<Record<string, readonly string[]>>;
  /** Restores the actors' accounts, and opens new sessions for them. */
  renew(): Promise<void>;
}

const SESSION_LIFETIME = 30 * DAY;
/** The number of requests in flight at the same time while the pages are read. */
const AT_ONCE = 6;

/**
 * Opens sessions for players of the world `busy`, and collects the forms of all pages that each of them can open.
 * @param app an app with the world `busy`
 */
export async function findTarget(app: App, db: Database): Promise<Target> {
  const routes = readRoutes();
  const { players, ids } = await choosePlayers(db);
  const actors: Actor[] = [{ name: "visitor", cookie: "" }];
  for (const name of Object.keys(players)) actors.push({ name, cookie: "" });
  await appoint(db, players.moderator);
  const bringBack = await rememberPlayers(db, Object.values(players));
  const renew = async () => {
    await bringBack();
    for (const actor of actors) {
      const id = players[actor.name as keyof typeof players];
      if (id) actor.cookie = await openSession(db, id);
    }
  };
  await renew();

  const forms: OfferedForm[] = [];
  const names = new Set<string>();
  const pages = routes.filter(({ hasLoader, isLeaf, address }) => hasLoader && isLeaf && !address.startsWith("/dev/"));
  const visits = actors.flatMap((_, actor) => pages.map((page) => ({ actor, path: fillIn(page.address, ids) })));
  const found: OfferedForm[][] = [];
  const visit = async (place: number): Promise<void> => {
    const { actor, path } = visits[place] as (typeof visits)[number];
    const { cookie } = actors[actor] as Actor;
    const response = await fetch(app.url + path, { redirect: "manual", headers: cookie ? { Cookie: cookie } : {} });
    const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
    const text = await response.text();
    if (response.status >= 500) throw new Error(`${path} has status ${response.status} before the attack.`);
    found[place] = isPage ? readForms(text, path, actor, names) : [];
  };
  let next = 0;
  const work = async () => {
    while (next < visits.length) {
      next += 1;
      await visit(next - 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seen = new Set<string>();
  for (const form of found.flat()) {
    // Pages share their header's forms.
    const key = JSON.stringify([
      form.actor,
      form.method,
      form.action,
      form.fields.map(([name, value]) => [name, value.slice(0, 20)]),
    ]);
    if (!seen.has(key)) forms.push(form);
    seen.add(key);
  }
  // Each action also gets a form with all fields, because some have no form on these pages.
  const all = [...names].sort();
  for (const { address } of routes.filter(({ hasAction }) => hasAction)) {
    const action = fillIn(address, ids);
    forms.push({ actor: 1, method: "post", action, fields: all.map((name) => [name, "1"]) });
  }
  return { app, actors, routes: routes.filter(({ isLeaf }) => isLeaf), forms, names: all, ids, renew };
}

/** Fills in a path's parameters with ids that exist. */
function fillIn(address: string, ids: Target["ids"]): string {
  return address.replace(/:(\w+)|\*/g, (_, name: string | undefined) => (name && ids[name]?.[0]) || "nothing-here");
}

function readForms(html: string, path: string, actor: number, names: Set<string>): OfferedForm[] {
  const $ = load(html);
  const forms: OfferedForm[] = [];
  for (const element of $("form").toArray()) {
    const form = $(element);
    const method = form.attr("method")?.toLowerCase() === "post" ? "post" : "get";
    const fields = form.serializeArray().map(({ name, value }): [string, string] => [name, value]);
    const buttons = form
      .find("button")
      .toArray()
      .map((button) => $(button));
    for (const name of form
      .find("input, select, textarea")
      .toArray()
      .flatMap((one) => $(one).attr("name") ?? [])) {
      names.add(name);
      if (!fields.some(([known]) => known === name)) fields.push([name, ""]);
    }
    for (const button of buttons.length > 0 ? buttons : [form]) {
      const pressed = button.attr("name");
      const action = new URL(button.attr("formaction") ?? form.attr("action") ?? path, new URL(path, "http://site"));
      if (pressed) names.add(pressed);
      forms.push({
        ...{ actor, method, action: action.pathname + action.search },
        fields: pressed && button !== form ? [...fields, [pressed, button.attr("value") ?? ""]] : fields,
      });
    }
  }
  return forms;
}

/** Chooses players of many kinds, and ids of things that belong together. */
async function choosePlayers(db: Database) {
  const {
    lfgPosts,
    messages,
    profiles,
    reportCases,
    tournamentMatches,
    tournaments,
    tournamentTeams,
    userFeedback,
    users,
  } = schema;
  const [running] = await db
    .select({ tournament: tournaments, match: tournamentMatches.id, team: tournamentTeams })
    .from(tournaments)
    .innerJoin(tournamentMatches, eq(tournamentMatches.tournamentId, tournaments.id))
    .innerJoin(tournamentTeams, eq(tournamentTeams.id, tournamentMatches.team1))
    .where(
      and(eq(tournaments.state, "running"), eq(tournamentMatches.state, "ready"), isNotNull(tournamentTeams.captainId)),
    )
    .orderBy(asc(tournaments.title), asc(tournamentMatches.id))
    .limit(1);
  if (!running?.tournament.userId || !running.team.captainId) throw new Error("The world has no running tournament.");
  const taken = [running.tournament.userId, running.team.captainId];
  const others = (await db.select().from(users).orderBy(asc(users.email)).limit(40)).filter(
    ({ id }) => !taken.includes(id),
  );
  const [player, moderator, newcomer] = others as [
    typeof users.$inferSelect,
    typeof users.$inferSelect,
    typeof users.$inferSelect,
  ];
  const players = {
    player: player.id,
    organiser: taken[0] as string,
    captain: taken[1] as string,
    moderator: moderator.id,
    newcomer: newcomer.id,
  };
  const [posts, open, talk, teams, cases, reviews, pictures] = await Promise.all([
    db.select().from(lfgPosts).where(eq(lfgPosts.userId, player.id)).orderBy(asc(lfgPosts.createdAt)).limit(2),
    db.select().from(lfgPosts).where(eq(lfgPosts.isActive, true)).orderBy(asc(lfgPosts.title)).limit(3),
    db
      .select({ id: schema.conversationMembers.conversationId })
      .from(schema.conversationMembers)
      .where(inArray(schema.conversationMembers.userId, Object.values(players)))
      .orderBy(asc(schema.conversationMembers.listedAt))
      .limit(5),
    db
      .select()
      .from(tournamentTeams)
      .where(eq(tournamentTeams.tournamentId, running.tournament.id))
      .orderBy(asc(tournamentTeams.name))
      .limit(5),
    db.select().from(reportCases).orderBy(asc(reportCases.createdAt)).limit(5),
    db.select().from(userFeedback).orderBy(asc(userFeedback.createdAt)).limit(5),
    db.select().from(profiles).where(isNotNull(profiles.avatarId)).limit(2),
  ]);
  const said = talk[0]
    ? await db
        .select()
        .from(messages)
        .where(eq(messages.conversationId, talk[0].id))
        .orderBy(asc(messages.seq))
        .limit(5)
    : [];
  const tournamentIds = (
    await db.select().from(tournaments).orderBy(asc(tournaments.state), asc(tournaments.title)).limit(12)
  ).map(({ id }) => id);
  const ids: Record<string, string[]> = {
    userId: [newcomer.id, ...others.slice(5, 8).map(({ id }) => id)],
    postId: [...posts, ...open].map(({ id }) => id),
    conversationId: talk.map(({ id }) => id),
    messageId: said.map(({ id }) => id),
    tournamentId: [running.tournament.id, ...tournamentIds],
    matchId: [String(running.match), "0", "1", "2"],
    teamId: [running.team.id, ...teams.map(({ id }) => id)],
    caseId: cases.map(({ id }) => id),
    feedbackId: reviews.map(({ id }) => id),
    avatarId: pictures.map(({ avatarId }) => String(avatarId)),
    token: teams.map(({ inviteToken }) => inviteToken),
    provider: ["discord", "riot"],
    word: ["email", "two-factor"],
    action: ["dismiss", "hide", "warn", "limit", "suspend", "undo"],
    decisionId: ["none"],
    appealId: ["none"],
    feed: ["none.ics"],
  };
  return { players, ids };
}

/** Gives an account the role and the second factor that the moderation pages require. */
async function appoint(db: Database, userId: string): Promise<void> {
  const now = new Date();
  const secret = sealSecret({ env: { ENCRYPTION_KEY: [LOCAL_SECRET] } }, userId, new Uint8Array(20));
  await db.update(schema.users).set({ role: "admin" }).where(eq(schema.users.id, userId));
  await db
    .insert(schema.totpFactors)
    .values({ userId, secret, createdAt: now, confirmedAt: now })
    .onConflictDoNothing();
}

/**
 * Saves accounts with their second factors, because attacks delete accounts and change passwords.
 * @returns a function that restores the accounts and ends their sessions
 */
async function rememberPlayers(db: Database, ids: string[]): Promise<() => Promise<void>> {
  const { sessions, totpFactors, users } = schema;
  const [accounts, factors] = await Promise.all([
    db.select().from(users).where(inArray(users.id, ids)),
    db.select().from(totpFactors).where(inArray(totpFactors.userId, ids)),
  ]);
  return async () => {
    for (const { id, ...account } of accounts) await db.update(users).set(account).where(eq(users.id, id));
    await db.delete(sessions).where(inArray(sessions.userId, ids));
    await db.delete(totpFactors).where(inArray(totpFactors.userId, ids));
    if (factors.length > 0) await db.insert(totpFactors).values(factors);
  };
}

/**
 * Opens a session for a player. Never reuses one: a room closes the sockets of a session that has ended, even if its
 * row has been restored.
 * @returns the `Cookie` header
 */
async function openSession(db: Database, userId: string): Promise<string> {
  const [token, now] = [createToken(), Date.now()];
  const expiresAt = new Date(now + SESSION_LIFETIME);
  await db.insert(schema.sessions).values({ id: hashToken(token), userId, createdAt: new Date(now), expiresAt });
  return `lineup_session=${sign(`${userId}.${token}`, [LOCAL_SECRET])}`;
}
