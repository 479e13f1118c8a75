import { and, desc, eq, getTableColumns, gt, isNotNull, lt, sql } from "drizzle-orm";
import { passwordIsSet } from "#db/accounts";
import type { Database } from "#db/client";
import {
  auditLog,
  blocks,
  calendarFeeds,
  conversationMembers,
  identities,
  joinRequests,
  lfgPosts,
  messages,
  mutedNotifications,
  notifications,
  profiles,
  reports,
  sessions,
  totpFactors,
  tournamentEvents,
  tournamentInvitations,
  tournamentOrganisers,
  tournamentPlayers,
  tournamentSeekers,
  tournaments,
  tournamentTeams,
  userFeedback,
  users,
} from "#db/schema";
import { displayName, type NamedPlayer, UNKNOWN_PLAYER } from "~/features/players/rules";

/** Rows that are read, and held, at once. */
const PAGE = 500;
/** Conversations that are read at once, and messages of each that come with it; the rest follows by pages. */
const CONVERSATIONS_AT_ONCE = 20;
const FIRST_MESSAGES = 50;

/**
 * Everything that the product holds of a player, as JSON in pieces: read page by page while it is being sent, so that it
 * takes the same memory however much there is (but for the ids of their conversations). Of others it holds what the
 * player has seen of them, no address; and of nobody a hash, a token or a secret.
 */
export async function* exportAccount(db: Database, userId: string, now: Date): AsyncGenerator<string> {
  const [account, profile, twoFactor, calendar] = await Promise.all([
    findAccount(db, userId),
    db.select().from(profiles).where(eq(profiles.userId, userId)).get(),
    findTwoFactor(db, userId),
    findCalendar(db, userId),
  ]);
  yield `{\n"exportedAt": ${JSON.stringify(now)}`;
  yield* member("account", account);
  yield* member("profile", profile);
  yield* member("twoFactor", twoFactor);
  yield* list("linkedAccounts", listIdentities(db, userId));
  yield* list("sessions", listSessions(db, userId));
  yield* list("posts", listPosts(db, userId));
  yield* list("requestsToJoin", listJoinRequests(db, userId));
  yield* list("tournamentTeams", listTournamentTeams(db, userId));
  yield* list("tournamentInvitations", listTournamentInvitations(db, userId));
  yield* list("tournamentSearches", listTournamentSearches(db, userId));
  yield* list("tournamentsHosted", listHosted(db, userId));
  yield* list("tournamentsOrganised", listOrganised(db, userId));
  yield* list("tournamentDeeds", listDeeds(db, userId));
  yield* member("calendarAddress", calendar);
  yield ',\n"conversations": [';
  yield* listConversations(db, userId);
  yield "\n]";
  yield* list("feedbackGiven", listFeedbackGiven(db, userId));
  yield* list("feedbackReceived", listFeedbackReceived(db, userId));
  yield* list("blockedPlayers", listBlocks(db, userId));
  yield* list("reports", listReports(db, userId));
  yield* list("notifications", listNotifications(db, userId));
  yield* list("mutedNotifications", listMuted(db, userId));
  yield* list("changes", listChanges(db, userId));
  yield "\n}\n";
}

function* member(name: string, value: unknown): Generator<string> {
  yield `,\n${JSON.stringify(name)}: ${JSON.stringify(value ?? null)}`;
}

/** A member that is an array, a row a line. */
async function* list(name: string, rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}: [`;
  let separator = "\n";
  for await (const row of rows) {
    yield separator + JSON.stringify(row);
    separator = ",\n";
  }
  yield "\n]";
}

/** All rows of a list; `read` answers the page after a row, or the first. */
async function* pages<T>(read: (last: T | undefined) => PromiseLike<T[]>): AsyncGenerator<T> {
  for (let last: T | undefined; ; ) {
    const page: T[] = await read(last);
    yield* page;
    last = page.at(-1);
    if (page.length < PAGE) return;
  }
}

function findAccount(db: Database, userId: string) {
  const { passwordHash: _, riotAccountData, ...columns } = getTableColumns(users);
  return db
    .select({
      ...columns,
      hasPassword: passwordIsSet,
      riotAccount: sql`${riotAccountData}`.mapWith((json: string) => JSON.parse(json)),
    })
    .from(users)
    .where(eq(users.id, userId))
    .get();
}

function findTwoFactor(db: Database, userId: string) {
  const { createdAt, confirmedAt } = totpFactors;
  return db.select({ createdAt, confirmedAt }).from(totpFactors).where(eq(totpFactors.userId, userId)).get();
}

async function* listIdentities(db: Database, userId: string) {
  const { provider, subject, name, createdAt } = identities;
  yield* await db.select({ provider, subject, name, createdAt }).from(identities).where(eq(identities.userId, userId));
}

/** The latest; their ids are hashes, so they stay here. */
async function* listSessions(db: Database, userId: string) {
  const { id: _, userId: __, ...columns } = getTableColumns(sessions);
  const ofPlayer = eq(sessions.userId, userId);
  yield* await db.select(columns).from(sessions).where(ofPlayer).orderBy(desc(sessions.createdAt)).limit(PAGE);
}

async function* listPosts(db: Database, userId: string) {
  const { userId: _, searchText: __, ...columns } = getTableColumns(lfgPosts);
  yield* pages<{ id: string }>((last) =>
    db
      .select(columns)
      .from(lfgPosts)
      .where(and(eq(lfgPosts.userId, userId), gt(lfgPosts.id, last?.id ?? "")))
      .orderBy(lfgPosts.id)
      .limit(PAGE),
  );
}

async function* listJoinRequests(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(joinRequests);
  yield* pages<{ id: string }>((last) =>
    db
      .select(columns)
      .from(joinRequests)
      .where(and(eq(joinRequests.userId, userId), gt(joinRequests.id, last?.id ?? "")))
      .orderBy(joinRequests.id)
      .limit(PAGE),
  );
}

/** The teams that the player is in, or was. */
async function* listTournamentTeams(db: Database, userId: string) {
  const { tournamentId, isSubstitute, joinedAt } = tournamentPlayers;
  const { id: teamId, name: team, captainId, state, place, lastPlace, disqualification } = tournamentTeams;
  const rows = pages<{ tournamentId: string; captainId: string | null }>((last) =>
    db
      .select({
        tournamentId,
        title: tournaments.title,
        teamId,
        team,
        captainId,
        state,
        place,
        lastPlace,
        disqualification,
        isSubstitute,
        joinedAt,
      })
      .from(tournamentPlayers)
      .innerJoin(tournamentTeams, eq(teamId, tournamentPlayers.teamId))
      .innerJoin(tournaments, eq(tournaments.id, tournamentId))
      .where(and(eq(tournamentPlayers.userId, userId), last && lt(tournamentId, last.tournamentId)))
      .orderBy(desc(tournamentId))
      .limit(PAGE),
  );
  for await (const { captainId: captain, ...row } of rows) yield { ...row, isCaptain: captain === userId };
}

async function* listTournamentInvitations(db: Database, userId: string) {
  const { teamId, createdAt } = tournamentInvitations;
  yield* await db
    .select({ teamId, team: tournamentTeams.name, createdAt })
    .from(tournamentInvitations)
    .innerJoin(tournamentTeams, eq(tournamentTeams.id, teamId))
    .where(eq(tournamentInvitations.userId, userId))
    .limit(PAGE);
}

/** Where the player looks for a team. */
async function* listTournamentSearches(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(tournamentSeekers);
  yield* await db.select(columns).from(tournamentSeekers).where(eq(tournamentSeekers.userId, userId)).limit(PAGE);
}

async function* listHosted(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(tournaments);
  yield* pages<{ id: string }>((last) =>
    db
      .select(columns)
      .from(tournaments)
      .where(and(eq(tournaments.userId, userId), gt(tournaments.id, last?.id ?? "")))
      .orderBy(tournaments.id)
      .limit(PAGE),
  );
}

/** Those that somebody else hosts, and the player helps to run. */
async function* listOrganised(db: Database, userId: string) {
  const { tournamentId, addedAt } = tournamentOrganisers;
  yield* pages<{ tournamentId: string }>((last) =>
    db
      .select({ tournamentId, title: tournaments.title, addedAt })
      .from(tournamentOrganisers)
      .innerJoin(tournaments, eq(tournaments.id, tournamentId))
      .where(and(eq(tournamentOrganisers.userId, userId), gt(tournamentId, last?.tournamentId ?? "")))
      .orderBy(tournamentId)
      .limit(PAGE),
  );
}

/** What the player has done in tournaments, as their logs have it; with disputes what was written. */
async function* listDeeds(db: Database, userId: string) {
  const { id, tournamentId, matchId, action, details, createdAt } = tournamentEvents;
  const place = sql<number>`tournament_events.rowid`;
  const rows = pages<{ place: number }>((last) =>
    db
      .select({ place, id, tournamentId, matchId, action, details, createdAt })
      .from(tournamentEvents)
      .where(and(eq(tournamentEvents.actorId, userId), gt(place, last?.place ?? 0)))
      .orderBy(place)
      .limit(PAGE),
  );
  for await (const { place: _, ...deed } of rows) yield deed;
}

/** Whether the player has an address for calendars. It opens the feed, so it stays here. */
function findCalendar(db: Database, userId: string) {
  const { createdAt } = calendarFeeds;
  return db.select({ createdAt }).from(calendarFeeds).where(eq(calendarFeeds.userId, userId)).get();
}

/** Conversations as JSON in pieces: one may hold more messages than should be held at once. */
async function* listConversations(db: Database, userId: string): AsyncGenerator<string> {
  // Their order changes whenever someone writes, so all ids are taken first: none is missed.
  const ids: string[] = [];
  const { conversationId, listedAt } = conversationMembers;
  const listed = pages<{ id: string; listedAt: Date }>((last) =>
    db
      .select({ id: conversationId, listedAt })
      .from(conversationMembers)
      .where(
        and(
          eq(conversationMembers.userId, userId),
          last && sql`(${listedAt}, ${conversationId}) < (${last.listedAt.getTime()}, ${last.id})`,
        ),
      )
      .orderBy(desc(listedAt), desc(conversationId))
      .limit(PAGE),
  );
  for await (const { id } of listed) ids.push(id);

  let separator = "\n";
  for (let start = 0; start < ids.length; start += CONVERSATIONS_AT_ONCE) {
    const group = ids.slice(start, start + CONVERSATIONS_AT_ONCE);
    const read = await Promise.all(
      group.map(async (id) => {
        const [others, first] = await Promise.all([
          listOthers(db, id, userId),
          listMessages(db, id, userId, 0, FIRST_MESSAGES),
        ]);
        return { id, others, first };
      }),
    );
    for (const { id, others, first } of read) {
      yield `${separator}{"id": ${JSON.stringify(id)}, "with": ${JSON.stringify(others)}, "messages": [`;
      separator = "\n]},\n";
      yield first.map((message) => `\n${JSON.stringify(message)}`).join(",");
      let [last, isLast] = [first.at(-1)?.seq ?? 0, first.length < FIRST_MESSAGES];
      while (!isLast) {
        const more = await listMessages(db, id, userId, last, PAGE);
        yield more.map((message) => `,\n${JSON.stringify(message)}`).join("");
        [last, isLast] = [more.at(-1)?.seq ?? last, more.length < PAGE];
      }
    }
  }
  if (ids.length > 0) yield "\n]}";
}

const nameColumns = { userId: profiles.userId, riotGameName: profiles.riotGameName, riotId: profiles.riotId };

/** What the others in a conversation are called; none is left where the account is gone. */
async function listOthers(db: Database, conversationId: string, userId: string): Promise<string[]> {
  const rows = await db
    .select(nameColumns)
    .from(conversationMembers)
    .innerJoin(profiles, eq(profiles.userId, conversationMembers.userId))
    .where(and(eq(conversationMembers.conversationId, conversationId), sql`${profiles.userId} <> ${userId}`));
  return rows.length > 0 ? rows.map(displayName) : [UNKNOWN_PLAYER];
}

async function listMessages(db: Database, conversationId: string, userId: string, after: number, limit: number) {
  const rows = await db
    .select({
      id: messages.id,
      seq: messages.seq,
      senderId: messages.senderId,
      content: messages.content,
      postId: messages.postId,
      createdAt: messages.createdAt,
      sender: nameColumns,
    })
    .from(messages)
    .leftJoin(profiles, eq(profiles.userId, messages.senderId))
    .where(and(eq(messages.conversationId, conversationId), gt(messages.seq, after)))
    .orderBy(messages.seq)
    .limit(limit);
  return rows.map(({ senderId, sender, ...message }) => ({
    ...message,
    from: senderId === userId ? "you" : sender ? displayName(sender) : UNKNOWN_PLAYER,
  }));
}

const feedbackColumns = {
  id: userFeedback.id,
  rating: userFeedback.rating,
  comment: userFeedback.comment,
  tags: userFeedback.tags,
  createdAt: userFeedback.createdAt,
  updatedAt: userFeedback.updatedAt,
  revealedAt: userFeedback.revealedAt,
  hiddenAt: userFeedback.hiddenAt,
};

/** What the player has said of others, what is still hidden among it. By whom it is about, then by age: as an index has it. */
async function* listFeedbackGiven(db: Database, userId: string) {
  const { reviewerId, reviewedId, createdAt } = userFeedback;
  const rows = pages<{ reviewedId: string; createdAt: Date; player: NamedPlayer | null }>((last) =>
    db
      .select({ ...feedbackColumns, reviewedId, player: nameColumns })
      .from(userFeedback)
      .leftJoin(profiles, eq(profiles.userId, reviewedId))
      .where(
        and(
          eq(reviewerId, userId),
          last && sql`(${reviewedId}, ${createdAt}) > (${last.reviewedId}, ${last.createdAt.getTime()})`,
        ),
      )
      .orderBy(reviewedId, createdAt)
      .limit(PAGE),
  );
  for await (const { player, reviewedId: _, ...feedback } of rows) {
    yield { ...feedback, about: player ? displayName(player) : UNKNOWN_PLAYER };
  }
}

/** What others have said of the player, once it is revealed: until then it is theirs alone. */
async function* listFeedbackReceived(db: Database, userId: string) {
  const place = sql<number>`user_feedback.rowid`;
  const { updatedAt: _, ...columns } = feedbackColumns;
  const rows = pages<{ place: number; player: NamedPlayer | null }>((last) =>
    db
      .select({ place, ...columns, player: nameColumns })
      .from(userFeedback)
      .leftJoin(profiles, eq(profiles.userId, userFeedback.reviewerId))
      .where(and(eq(userFeedback.reviewedId, userId), isNotNull(userFeedback.revealedAt), gt(place, last?.place ?? 0)))
      .orderBy(place)
      .limit(PAGE),
  );
  for await (const { place: __, player, ...feedback } of rows) {
    yield { ...feedback, from: player ? displayName(player) : UNKNOWN_PLAYER };
  }
}

async function* listBlocks(db: Database, userId: string) {
  const rows = pages<{ blockedId: string; createdAt: Date; player: NamedPlayer | null }>((last) =>
    db
      .select({ blockedId: blocks.blockedId, createdAt: blocks.createdAt, player: nameColumns })
      .from(blocks)
      .leftJoin(profiles, eq(profiles.userId, blocks.blockedId))
      .where(and(eq(blocks.blockerId, userId), gt(blocks.blockedId, last?.blockedId ?? "")))
      .orderBy(blocks.blockedId)
      .limit(PAGE),
  );
  for await (const { player, createdAt } of rows)
    yield { name: player ? displayName(player) : UNKNOWN_PLAYER, createdAt };
}

/** In the order in which they were made: an index holds a player's by that alone. */
async function* listReports(db: Database, userId: string) {
  const { id, reason, details, quotedContent, createdAt } = reports;
  const place = sql<number>`reports.rowid`;
  const rows = pages<{ place: number }>((last) =>
    db
      .select({ place, id, reason, details, quotedContent, createdAt })
      .from(reports)
      .where(and(eq(reports.reporterId, userId), gt(place, last?.place ?? 0)))
      .orderBy(place)
      .limit(PAGE),
  );
  for await (const { place: _, ...report } of rows) yield report;
}

async function* listNotifications(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(notifications);
  const { createdAt, id } = columns;
  yield* pages<{ id: string; createdAt: Date }>((last) =>
    db
      .select(columns)
      .from(notifications)
      .where(
        and(
          eq(notifications.userId, userId),
          last && sql`(${createdAt}, ${id}) < (${last.createdAt.getTime()}, ${last.id})`,
        ),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(PAGE),
  );
}

async function* listMuted(db: Database, userId: string) {
  const { kind } = mutedNotifications;
  const rows = await db.select({ kind }).from(mutedNotifications).where(eq(mutedNotifications.userId, userId));
  yield* rows.map((row) => row.kind);
}

/** What was done to the account: the audit log. */
async function* listChanges(db: Database, userId: string) {
  const { userId: _, ...columns } = getTableColumns(auditLog);
  yield* pages<{ id: string }>((last) =>
    db
      .select(columns)
      .from(auditLog)
      .where(and(eq(auditLog.userId, userId), last && lt(auditLog.id, last.id)))
      .orderBy(desc(auditLog.id))
      .limit(PAGE),
  );
}
