import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readRoutes } from "../../scripts/local/routes";
import { useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { WholeDatabase } from "../support/whole-database";
import { ACCESS } from "./roles/access";
import { ACCOUNT } from "./roles/account";
import { MESSAGES } from "./roles/messages";
import { MODERATION } from "./roles/moderation";
import { POSTS } from "./roles/posts";
import { SITE } from "./roles/site";
import { type Row, readAnswers, type Table, writeAnswers } from "./roles/table";
import { TOURNAMENTS } from "./roles/tournaments";
import { buildWorld, ROLES, type Role, type World } from "./roles/world";

/*
 * Requests every loader and action of the build in every role. tests/integration/roles has a table for each feature.
 * After each refusal the database must be as it was before.
 */

const TABLES: Record<string, Table> = {
  "the site's own pages": SITE,
  "getting in and out": ACCESS,
  "one's own account": ACCOUNT,
  "posts and players": POSTS,
  messages: MESSAGES,
  tournaments: TOURNAMENTS,
  moderation: MODERATION,
};

const app = useApp();
let world: World;
let database: WholeDatabase;
beforeAll(async () => {
  world = await buildWorld(app);
  database = new WholeDatabase(app);
  await database.watch();
});
// Runs after a failed test, too, so that the next one starts from the same rows.
afterEach(() => database.putBack());
afterAll(() => database?.close());

const routes = new Map(readRoutes().map((route) => [route.id.replace(/^routes\//, ""), route]));

/** The values for the parameters in the routes' paths, taken from the world. */
const parameters = (): Record<string, unknown> => ({
  ...world,
  userId: world.roles.owner.player.id,
  tournamentId: world.openId,
  token: world.inviteToken,
});

/** The URL to request. A layout route is asked only for its own data, as pages with JavaScript do. */
function addressOf(id: string, { at }: Row): string {
  const route = routes.get(id);
  const given = at?.(world) ?? route?.address ?? "";
  const filled = given.replace(/:(\w+)/g, (_, name: string) => String(parameters()[name] ?? `no-${name}`));
  return route?.isLeaf ? filled : `${filled === "/" ? "/_root" : filled}.data?_routes=${route?.id}`;
}

/** A browser with the cookies that the role had at the beginning. */
function browserOf(role: Role): Client {
  const client = app.client();
  for (const [name, value] of world.roles[role].client.cookies) client.cookies.set(name, value);
  return client;
}

/** A response in the table's notation. */
function nameOf({ status, location, text }: HttpResponse, role: Role): string {
  // A request for a route's data gets a redirect as a 202 with the target in its body.
  const to = status === 202 ? (text.match(/"(\/[^"]*)"/)?.[1] ?? null) : location;
  if (to !== null && role === "visitor" && /^\/auth(\?|$)/.test(to)) return "sign-in";
  if (to === "/account/decisions" && role === "suspended") return "decisions";
  return String(status);
}

const isRefusal = (answer: string) => /^(sign-in|decisions|[45]\d\d)$/.test(answer);

test("The tables have every loader and every action of the build, and nothing else", () => {
  const built = [...routes].flatMap(([id, { hasLoader, hasAction }]) => [
    ...(hasLoader ? [`${id} get`] : []),
    ...(hasAction ? [`${id} post`] : []),
  ]);
  const listed = Object.values(TABLES).flatMap((table) =>
    Object.entries(table).flatMap(([id, row]) => [
      ...(row.get ? [`${id} get`] : []),
      ...(row.post ? [`${id} post`] : []),
    ]),
  );
  expect(listed.sort()).toEqual(built.sort());
});

describe.each(Object.entries(TABLES))("Who may do what: %s", (_, table) => {
  const loaders = Object.entries(table).flatMap(([id, row]) => (row.get ? [[id, row, row.get] as const] : []));
  test.each(loaders)("%s answers a visit", async (id, row, expected) => {
    const address = addressOf(id, row);
    const answers = {} as Record<Role, string>;
    await Promise.all(
      ROLES.map(async (role) => {
        answers[role] = nameOf(await browserOf(role).get(address), role);
      }),
    );
    expect(await database.changesInTheEnd(), "a visit changes nothing").toEqual([]);
    expect(writeAnswers(answers)).toBe(expected);
  });

  const actions = Object.entries(table).flatMap(([id, row]) =>
    Object.entries(row.post ?? {}).map(([name, form]) => [id, name, row, ...form] as const),
  );
  test.each(actions)("%s answers the form %j", async (id, _, row, form, expected) => {
    const address = addressOf(id, row);
    const awaited = readAnswers(expected);
    const answers = {} as Record<Role, string>;
    const ask = async (role: Role) => {
      const fields = typeof form === "function" ? form(world, role) : form;
      const browser = browserOf(role);
      const isApi = address.startsWith("/riot-api/");
      const answer = isApi ? await browser.postJson(address, fields) : await browser.post(address, fields);
      answers[role] = nameOf(answer, role);
    };
    for (const role of ROLES.filter((role) => isRefusal(awaited[role]))) {
      await ask(role);
      expect(await database.changes(), `${role} was refused`).toEqual([]);
    }
    expect(await database.changesInTheEnd(), "nothing happens after refusals").toEqual([]);
    for (const role of ROLES.filter((role) => !isRefusal(awaited[role]))) {
      await ask(role);
      if ((await database.changesInTheEnd()).length === 0) answers[role] += "=";
      await database.putBack();
    }
    expect(writeAnswers(answers)).toBe(expected);
  });
});
