import { eq } from "drizzle-orm";
import { hashPassword } from "../../app/features/auth/passwords/passwords.server";
import { searchTextOf } from "../../app/features/lfg/rules";
import { pairKey } from "../../app/features/messages/rules";
import { facetsOf } from "../../app/features/players/directory/facets";
import { writeName } from "../../app/features/players/shared/names.server";
import { createToken, hashToken, sign } from "../../app/platform/crypto/crypto.server";
import { DAY, HOUR, MINUTE } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import { blocks, conversationMembers, conversations, lfgPosts, playerFacets, sessions, users } from "../../db/schema";
import { transact } from "../../db/statements";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { type Account, type AccountFields, addAccount } from "../support/accounts";
import type { TestApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { addSession } from "../support/played";

/** A player, the name that others see, and a browser with the player signed in. */
export interface NamedVisitor {
  player: Player;
  name: string;
  client: Client;
}

export { DAY, HOUR, MINUTE };

export type Player = Account;

let serial = 0;

/** Restarts the numbering for the next test file: files share loaded modules, but not their apps. */
export const restartNumbers = () => {
  serial = 0;
};

/** Adds a serial number to a word, so that no other test of this file uses it. */
export const unique = (word: string) => {
  serial += 1;
  return `${word}${serial}`;
};

/** An email address that no other test of this file uses. */
export const newEmail = () => `${unique("newcomer-")}@lineup.test`;

/** Adds an account to the database, with the password of the seeded worlds. */
export const addPlayer = (
  app: TestApp,
  { email = `${unique("player-")}@lineup.test`, ...account }: AccountFields = {},
): Promise<Player> => addAccount(app.db, { email, ...account });

/** Gives a player the hash that a real account has, for tests of what hashing costs. */
export async function useRealHash(app: TestApp, { id }: Player): Promise<void> {
  await app.db
    .update(users)
    .set({ passwordHash: await hashPassword(PASSWORD) })
    .where(eq(users.id, id));
}

/** Adds a player as `addPlayer` does, and lists the player in the directory. */
export async function addListedPlayer(
  app: TestApp,
  { joinedAt = new Date(), rankingScore = 0, ...profile }: Parameters<typeof addPlayer>[1] = {},
): Promise<Player> {
  const player = await addPlayer(app, { joinedAt, rankingScore, ...profile });
  const facets = facetsOf(profile).map((facet) => ({
    facet,
    userId: player.id,
    joinedAt: joinedAt ?? new Date(),
    rankingScore,
  }));
  if (facets.length > 0) await app.db.insert(playerFacets).values(facets);
  const name = profile.riotGameName ?? profile.riotId ?? "";
  await transact(app.db, writeName({ db: app.db, now: new Date() }, player.id, name));
  return player;
}

/** Opens a session for a player, without the cost of hashing a password. Tests of signing in don't use this. */
export async function openSession(
  app: TestApp,
  userId: string,
  session: Partial<typeof sessions.$inferInsert> = {},
): Promise<{ id: string; cookie: string }> {
  const token = createToken();
  const id = hashToken(token);
  const now = Date.now();
  await app.db.insert(sessions).values({
    id,
    userId,
    createdAt: new Date(now),
    expiresAt: new Date(now + 30 * DAY),
    ...session,
  });
  return { id, cookie: sign(`${userId}.${token}`, [LOCAL_SECRET]) };
}

/** A browser with the player signed in. */
export async function visitAs(app: TestApp, player: Player): Promise<Client> {
  const client = app.client();
  client.cookies.set("lineup_session", (await openSession(app, player.id)).cookie);
  return client;
}

/** A new player, and a browser with the player signed in. */
export async function newVisitor(
  app: TestApp,
  profile: Parameters<typeof addPlayer>[1] = {},
): Promise<{ player: Player; client: Client }> {
  const player = await addPlayer(app, profile);
  return { player, client: await visitAs(app, player) };
}

/** A new player without restrictions (verified, ranked and in the directory), and a browser with them signed in. */
export async function newNamedVisitor(app: TestApp, word: string): Promise<NamedVisitor> {
  const name = unique(word);
  const player = await addListedPlayer(app, {
    riotGameName: name,
    riotVerifiedAt: new Date(),
    riotPuuid: unique("puuid-"),
    currentRank: "Gold 2",
  });
  return { player, name, client: await visitAs(app, player) };
}

/** Adds a post to the database. By default it is open and new. */
export async function addPost(
  { db }: Pick<TestApp, "db">,
  userId: string,
  post: Partial<typeof lfgPosts.$inferInsert> = {},
): Promise<string> {
  const { createdAt = new Date(), title = "Two for Haven", message = null } = post;
  const row = {
    id: uuidv7(createdAt.getTime()),
    title,
    message,
    neededPlayers: 1,
    searchText: searchTextOf({ title, message }),
    createdAt,
    listedAt: createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(createdAt.getTime() + DAY),
    ...post,
    userId,
  };
  await db.insert(lfgPosts).values(row);
  return row.id;
}

/** Adds an empty conversation of two players. */
export async function addConversation(
  { db }: Pick<TestApp, "db">,
  one: Pick<Player, "id">,
  other: Pick<Player, "id">,
): Promise<string> {
  const id = uuidv7();
  const now = new Date();
  await db.batch([
    db.insert(conversations).values({ id, pairKey: pairKey(one.id, other.id), createdAt: now }),
    db
      .insert(conversationMembers)
      .values([one, other].map(({ id: userId }) => ({ conversationId: id, userId, listedAt: now, joinedAt: now }))),
  ]);
  return id;
}

/** Has one player block another, without the dialog. */
export async function addBlock(
  { db }: Pick<TestApp, "db">,
  blocker: Pick<Player, "id">,
  blocked: Pick<Player, "id">,
): Promise<void> {
  await db.insert(blocks).values({ blockerId: blocker.id, blockedId: blocked.id, createdAt: new Date() });
}

/** Two players with a conversation, and a browser for each. */
export async function newPair(app: TestApp) {
  const [one, other] = [await newVisitor(app), await newVisitor(app)];
  return { one, other, conversationId: await addConversation(app, one.player, other.player) };
}

/** Two players with a conversation who have played together, so that each sees the other's activity. */
export async function newTeammates(app: TestApp) {
  const pair = await newPair(app);
  await addSession(app.db, pair.one.player, [pair.other.player]);
  return pair;
}

/** Sends a message as the thread's script does. */
export const sendTo = (client: Client, conversationId: string, message: string, id = uuidv7()): Promise<HttpResponse> =>
  client.post(`/conversations/${conversationId}/messages`, { id, message });

/** The header with a client address that no other test of this file uses. */
export function newAddress(): Record<string, string> {
  serial += 1;
  return { "CF-Connecting-IP": `198.51.${serial >> 8}.${serial & 255}` };
}

/** The headers that mark a prefetch, as browsers send them. */
export const PREFETCHES: readonly Record<string, string>[] = [
  { "Sec-Purpose": "prefetch" },
  { "Sec-Purpose": "prefetch;prerender" },
  { Purpose: "prefetch" },
];

/** Returns a post without its author's presence, which changes with each of the author's visits. */
export const withoutPresence = (post: typeof lfgPosts.$inferSelect | undefined) => ({
  ...post,
  authorState: undefined,
  authorSeenAt: undefined,
  authorSlot: undefined,
});
