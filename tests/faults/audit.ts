import { asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { MAX_OPEN_POSTS } from "../../app/features/lfg/rules";
import type { Push } from "../../app/features/notifications/push/send.server";
import { tagOf } from "../../app/features/notifications/push/tags.server";
import { isPushed } from "../../app/features/notifications/rules";
import { groupOf, isOnByDefault } from "../../app/features/notifications/switches";
import {
  decisions,
  joinRequests,
  lfgPosts,
  messages,
  notifications,
  outbox,
  profiles,
  reportCases,
  reports,
  tournamentMatches,
  tournamentPlayers,
  userFeedback,
} from "../../db/schema";
import type { NewsKind } from "../../db/words/news-kinds";
import { findBroken } from "../../scripts/attacks/invariants";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import type { Expected } from "./model";
import type { Talk, World } from "./world";

/** The same push makes no sound again within this time, in milliseconds. */
const SILENT_FOR = 30_000;

export interface Findings {
  lost: string[];
  doubled: string[];
  outOfOrder: string[];
  /** Counters that differ from a recount, broken brackets, emails that wait forever. */
  broken: string[];
}

/**
 * Compares what the server has acknowledged with the database and with each reader's view.
 * @param patience how long readers and emails have to catch up after the last fault, in milliseconds
 */
export async function audit(world: World, patience = 60_000): Promise<Findings> {
  const found: Findings = { lost: [], doubled: [], outOfOrder: [], broken: [] };
  for (const talk of world.talks) await auditTalk(world, talk, found, patience);
  await auditStates(world, found);
  await auditBrackets(world, found);
  await auditEmails(world, found, patience);
  await auditPushes(world, found, patience);
  found.broken.push(...(await findBroken(world.site.db)));
  return found;
}

/** Each acknowledged message is stored once, and all readers see the stored messages in their order. */
async function auditTalk(
  { site, model, players }: World,
  { id, talkers }: Talk,
  found: Findings,
  patience: number,
): Promise<void> {
  const stored = await site.db
    .select({ id: messages.id, seq: messages.seq, content: messages.content })
    .from(messages)
    .where(eq(messages.conversationId, id))
    .orderBy(asc(messages.seq));
  const contents = stored.map(({ content }) => content);
  for (const content of new Set(contents.filter((one, index) => contents.indexOf(one) !== index))) {
    found.doubled.push(`“${content}” is stored twice`);
  }
  if (stored.some(({ seq }, index) => seq !== index + 1)) found.outOfOrder.push(`gaps in conversation ${id}`);
  for (const [messageId, sent] of model.messages) {
    if (sent.conversationId !== id || sent.seq === undefined) continue;
    const row = stored.find((one) => one.id === messageId);
    if (!row) found.lost.push(`“${sent.content}” was acknowledged and isn't stored`);
    else if (row.seq !== sent.seq) found.outOfOrder.push(`“${sent.content}” was number ${sent.seq}, is ${row.seq}`);
  }
  const order = stored.map((one) => one.id).join();
  for (const { senderId, talker } of talkers) {
    const client = players.find(({ player }) => player.id === senderId)?.client as Client;
    const loaded = await readThread(client, id);
    if (loaded.join() !== order) found.outOfOrder.push(`a page of ${id} differs from the database for ${senderId}`);
    await eventually(() => (talker.messages.length >= stored.length ? true : undefined), patience).catch(() => {
      const shown = `${talker.messages.length} of ${stored.length} messages`;
      found.lost.push(`an open tab of ${senderId} shows ${shown} (${talker.report})`);
    });
    const seen = talker.messages.map((one) => one.id);
    if (new Set(seen).size < seen.length) found.doubled.push(`an open tab of ${senderId} shows a message twice`);
    else if (seen.length === stored.length && seen.join() !== order) {
      found.outOfOrder.push(`an open tab of ${senderId} shows another order`);
    }
  }
}

/** Reads a whole thread through the server, page by page. @returns the ids of its messages */
async function readThread(client: Client, id: string): Promise<string[]> {
  const ids: string[] = [];
  let after = 0;
  for (;;) {
    const { text } = await client.get(`/conversations/${id}/messages?after=${after}`);
    const page = (JSON.parse(text) as { messages: { id: string; seq: number }[] }).messages;
    if (page.length === 0) return ids;
    ids.push(...page.map((one) => one.id));
    after = page.at(-1)?.seq as number;
  }
}

/** Each post, request, review, report, case, entry and result has a value that its acknowledged changes allow. */
async function auditStates({ site, model }: World, found: Findings): Promise<void> {
  const compare = <Value>(what: string, all: Map<string, Expected<Value>>, stored: Map<string, Value>, none: Value) => {
    for (const [key, { values }] of all) {
      const value = stored.get(key) ?? none;
      if (!values.has(value)) found.lost.push(`${what} ${key}: ${value} instead of ${[...values].join(" or ")}`);
    }
  };
  const collect = <Row, Value>(
    what: string,
    rows: readonly Row[],
    key: (row: Row) => string,
    value: (row: Row) => Value,
  ) => {
    const stored = new Map<string, Value>();
    for (const row of rows) {
      if (stored.has(key(row))) found.doubled.push(`${what} ${key(row)}`);
      stored.set(key(row), value(row));
    }
    return stored;
  };
  const yes = () => true;
  const { db } = site;

  const posts = await db.select().from(lfgPosts);
  compare(
    "post",
    model.posts,
    collect("post", posts, ({ id }) => id, yes),
    false,
  );
  const open = posts.filter(({ isActive, expiresAt }) => isActive && expiresAt > new Date());
  for (const { userId } of open) {
    const count = open.filter((post) => post.userId === userId).length;
    if (count > MAX_OPEN_POSTS) found.broken.push(`${count} open posts of ${userId}`);
  }

  const requests = await db.select().from(joinRequests);
  const states = collect(
    "request",
    requests,
    ({ postId, userId }) => `${postId} ${userId}`,
    ({ state }) => String(state),
  );
  // A post that fills, closes or expires lets its waiting requests lapse.
  for (const [key, { values }] of model.requests)
    if (values.has("pending") && states.get(key) === "lapsed") values.add("lapsed");
  compare("request", model.requests, states, "none");

  // A review can be changed until it is revealed, and a player may give another after each session: the latest counts.
  const reviews = await db.select().from(userFeedback).orderBy(asc(userFeedback.createdAt));
  const stars = new Map(reviews.map((row) => [`${row.reviewerId} ${row.reviewedId}`, row.rating as number | null]));
  compare("review", model.reviews, stars, null);

  const reported = await db
    .select({ by: reports.reporterId, of: reportCases.subjectId, caseId: reports.caseId })
    .from(reports)
    .innerJoin(reportCases, eq(reportCases.id, reports.caseId));
  compare("report", model.reports, new Map(reported.map(({ by, of }) => [`${by} ${of}`, true])), false);
  collect("report", reported, ({ by, caseId }) => `${by} ${caseId}`, yes);

  const dismissed = await db.select().from(decisions).where(isNull(decisions.undoneBy));
  compare(
    "dismissal",
    model.cases,
    collect("decision", dismissed, ({ caseId }) => caseId, yes),
    false,
  );

  const entered = await db.select().from(tournamentPlayers);
  const key = ({ tournamentId, userId }: { tournamentId: string; userId: string }) => `${tournamentId} ${userId}`;
  compare("entry", model.entries, collect("entry", entered, key, yes), false);

  const played = await db.select().from(tournamentMatches).where(isNotNull(tournamentMatches.winner));
  const rounds = (row: (typeof played)[number]) => `${row.rounds1} ${row.rounds2}`;
  const results = collect("result", played, ({ tournamentId, id }) => `${tournamentId} ${id}`, rounds);
  compare("result", model.results, results as Map<string, string | null>, null);
}

/** Each finished match has sent its winner on to the right place. */
async function auditBrackets({ site, runningTournaments }: World, found: Findings): Promise<void> {
  for (const tournament of runningTournaments) {
    const matches = await site.db
      .select()
      .from(tournamentMatches)
      .where(eq(tournamentMatches.tournamentId, tournament));
    const winnerOf = (id: number) => {
      const match = matches.find((one) => one.id === id);
      return match?.winner ? (match.winner === 1 ? match.team1 : match.team2) : null;
    };
    for (const { id, source1, source2, team1, team2 } of matches) {
      for (const [source, team] of [
        [source1, team1],
        [source2, team2],
      ] as const) {
        if (source?.startsWith("W") && winnerOf(Number(source.slice(1))) !== team) {
          found.broken.push(`match ${id} of ${tournament} lacks the winner of ${source}`);
        }
      }
    }
  }
}

/** Whether news of a kind is pushed to players who have turned nothing on or off. */
const isDue = (kind: NewsKind) => {
  const group = groupOf(kind);
  return isPushed(kind) && (!group || isOnByDefault(group, "push"));
};

/**
 * Unread news has been pushed to each device since it last changed, and no push made a sound twice. A push whose
 * arrival the site couldn't record is sent again, but silently replaces the first one.
 */
async function auditPushes({ site, model }: World, found: Findings, patience: number): Promise<void> {
  await eventually(async () => {
    // Make it due now, because retries wait for minutes.
    await site.db
      .update(notifications)
      .set({ pushDueAt: new Date(1) })
      .where(isNotNull(notifications.pushDueAt));
    await site.runScheduled();
    const waiting = await site.db.select().from(notifications).where(isNotNull(notifications.pushDueAt));
    return waiting.length === 0 ? true : undefined;
  }, patience).catch(() => found.broken.push("pushes wait"));
  const unread = await site.db.select().from(notifications).where(isNull(notifications.readAt));
  const names = await site.db.select({ id: profiles.userId, name: profiles.riotGameName }).from(profiles);
  /** How many times players did the thing that a push announces. */
  const causesOf = ({ title, url }: Push) => {
    // The run lifts the limit of one announcement a day, so a player who asks again is announced again.
    const asking = names.find(({ name }) => title.startsWith(`${name} wants to join `));
    return (asking && model.asks.get(`${url.split("/")[2]} ${asking.id}`)) ?? 1;
  };
  for (const { userId, endpoint } of site.devices) {
    const pushes = site.push.received.filter((push) => push.endpoint === endpoint);
    for (const news of unread.filter((one) => one.userId === userId && isDue(one.kind))) {
      const tag = tagOf(news);
      if (!pushes.some(({ payload, at }) => payload.tag === tag && at >= news.createdAt.getTime())) {
        found.lost.push(`the push of “${news.kind}” (${news.subject}) to ${userId}`);
      }
    }
    const heard = pushes.filter(({ payload }) => !payload.isRepeat);
    for (const [index, { payload, at }] of heard.entries()) {
      const words = ({ tag, title, body, url }: typeof payload) => [tag, title, body, url].join(" ");
      const earlier = heard
        .slice(0, index)
        .filter((one) => words(one.payload) === words(payload) && at - one.at < SILENT_FOR);
      if (earlier.length >= causesOf(payload)) {
        found.doubled.push(`the push “${payload.title}” to ${userId}`);
      }
    }
  }
}

/** Every email leaves in the end, and reaches the provider once. */
async function auditEmails({ site }: World, found: Findings, patience: number): Promise<void> {
  await eventually(async () => {
    // Make it due now, because retries wait for minutes.
    await site.db.update(outbox).set({ dueAt: sql`0` }).where(isNotNull(outbox.dueAt));
    await site.runScheduled();
    const waiting = await site.db.select().from(outbox).where(isNotNull(outbox.dueAt));
    return waiting.length === 0 ? true : undefined;
  }, patience).catch(() => found.broken.push("emails wait in the outbox"));
  const rows = await site.db.select().from(outbox);
  const delivered = site.emails.delivered.map(({ idempotencyKey }) => idempotencyKey);
  for (const { id, sentAt, lastError } of rows) {
    const times = delivered.filter((key) => key?.includes(id)).length;
    if (times > 1) found.doubled.push(`email ${id}`);
    if (times === 0) found.lost.push(`email ${id}, ${sentAt ? "marked as sent" : `given up: ${lastError}`}`);
  }
}
