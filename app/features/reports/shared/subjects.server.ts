import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isMarkedSuspended } from "#db/accounts";
import {
  conversations,
  joinRequests,
  lfgPosts,
  messages,
  profiles,
  reportCases,
  teamDetails,
  tournamentSeekers,
  tournaments,
  tournamentTeams,
  userFeedback,
  users,
} from "#db/schema";
import type { ReportKind } from "#db/words/report-kinds";
import { SHARED_BY_DEFAULT, type Shareable } from "#db/words/sharing";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { areTeammates } from "~/features/encounters/shared/met.server";
import { isShown, isVisibleTo } from "~/features/feedback/shared/visible-reviews.server";
import { REMOVED_MESSAGE } from "~/features/messages/rules";
import { type ConversationRef, isMemberOf } from "~/features/messages/shared/membership.server";
import { nameOf } from "~/features/players/shared/name.server";
import { isEvidenceShownTo, latestEvidence } from "~/features/tournaments/shared/evidence.server";
import { actingCaptain } from "~/features/tournaments/shared/lone-teams.server";

const account = alias(users, "account");
const before = alias(messages, "before");
const c = alias(conversations, "c");
const cup = alias(tournaments, "cup");
const detail = alias(teamDetails, "detail");
const asked = alias(lfgPosts, "asked");
const f = alias(userFeedback, "f");
const m = alias(messages, "m");
const p = alias(lfgPosts, "p");
const player = alias(profiles, "player");
const reported = alias(reportCases, "reported");
const reviewed = alias(profiles, "reviewed");
const request = alias(joinRequests, "request");
const search = alias(tournamentSeekers, "search");
const team = alias(tournamentTeams, "team");
const theirs = alias(lfgPosts, "theirs");

/** The number of messages that a case keeps from before the reported one, and the length that each is cut to. */
const CONTEXT_MESSAGES = 5;
const CONTEXT_LENGTH = 1_000;

/** Maximum number of notes in a case about a player, from their latest open requests to join and their searches. */
const MAX_REQUESTS = 5;
const MAX_SEARCHES = 100;
/** Maximum number of party codes and voice links, together, that a case about a player keeps. */
const MAX_DETAILS = 20;
/**
 * The total length of the reasons for disqualifications that a case about a tournament keeps. Each is cut to an equal
 * share, so all are kept whole if there are at most 30. A tournament's longest texts then fit into a snapshot even if
 * each character is escaped. The latest reason isn't cut, because our checks look for it as it was written.
 */
const REASONS_LENGTH = 15_000;

/** A thing that can be reported, identified by the ids in its address. */
export type Subject<Id = string> = { id: Id } & (
  | { kind: "post" | "tournament" }
  /**
   * The conversation, if given, is one that the player and the reporter share. In the match, if given, the reporter can
   * read evidence by the player. Both also show the words of suspended players, whose own page doesn't open.
   */
  | { kind: "player"; conversation?: ConversationRef; match?: { tournamentId: string; matchId: number } }
  | { kind: "message"; conversation: ConversationRef }
  | { kind: "review"; reviewedId: Id }
  | { kind: "team"; tournamentId: Id }
);

/**
 * Builds the `SELECT` of a subject: `writer`, `picture` and `snapshot`. It has no row if the subject doesn't exist,
 * if moderators have hidden it, if the reporter can't see it, or if it is their own.
 * @param reporterId null for a visitor without an account, who sees only what is public
 */
export const selectSubject = (subject: Subject, reporterId: string | null): SQL =>
  buildSelect(subject, reporterId, (isSeen) => isSeen);

/**
 * Builds the same `SELECT` without a reporter's limits, for our own checks and for moderators: it has everything that
 * any other player can read. A Discord tag counts, because future teammates can read it.
 */
export const selectAnySubject = (subject: Subject<string | SQL>): SQL => buildSelect(subject, null, () => sql`1`);

/** @param limit takes the condition that the reporter can see the subject, and returns the condition to use */
function buildSelect(subject: Subject<string | SQL>, reporterId: string | null, limit: (isSeen: SQL) => SQL): SQL {
  const { id } = subject;
  const isOthers = (author: SQLiteColumn | SQL) => (reporterId === null ? sql`1` : sql`${author} IS NOT ${reporterId}`);
  const name = (userId: SQLiteColumn) => nameOf(sql`${userId}`);
  switch (subject.kind) {
    case "post":
      return sql`
        SELECT ${p.userId} AS writer, NULL AS picture, json_object(
          'author', ${name(p.userId)}, 'title', ${p.title}, 'message', ${p.message}
        ) AS snapshot
        FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${id} AND ${limit(sql`${p.hiddenAt} IS NULL`)}
          AND ${isOthers(p.userId)}`;
    case "player": {
      const { conversation, match } = subject;
      const isShared = (what: Shareable) => sql`EXISTS (
        SELECT 1 FROM json_each(coalesce(${player.shares}, ${JSON.stringify(SHARED_BY_DEFAULT)})) WHERE value = ${what}
      )`;
      // Teammates see the Discord tag in any case, unless there is a block.
      const isToTeammate = limit(sql`(${areTeammates(sql`${player.userId}`, sql`${reporterId}`)}
        AND NOT ${blockBetween(sql`${player.userId}`, sql`${reporterId}`)})`);
      const isSeen =
        conversation !== undefined
          ? sql`(${isMemberOf(conversation, sql`${reporterId}`)} AND ${isMemberOf(conversation, sql`${player.userId}`)})`
          : match !== undefined
            ? isEvidenceShownTo(reporterId ?? "", sql`${player.userId}`, match)
            : sql`(NOT ${isMarkedSuspended(account)})`;
      // Only a post's author can read the notes of its requests, so a reporter gets those of their own posts.
      const isToReporter = limit(sql`${asked.userId} = ${reporterId}`);
      // Likewise, a reporter gets only the party codes and voice links of their own teams.
      const isOfReporter = limit(isMemberOf(sql`${theirs.conversationId}`, sql`${reporterId}`));
      return sql`
        SELECT ${player.userId} AS writer, ${player.avatarId} AS picture, json_object(
          'author', ${name(player.userId)}, 'riotId', ${player.riotId},
          'description', iif(${isShared("description")}, ${player.description}, NULL),
          'tags', json(${player.personalityTags}),
          'playTimes', iif(${isShared("availability")}, ${player.playTimes}, NULL),
          'discordTag', iif(${isShared("discordTag")} OR ${isToTeammate}, ${player.discordTag}, NULL),
          'requests', (
            SELECT json_group_array(note) FROM (
              SELECT ${request.note} AS note FROM ${joinRequests} AS ${request}
                CROSS JOIN ${lfgPosts} AS ${asked} ON ${asked.id} = ${request.postId}
              WHERE ${request.userId} = ${player.userId} AND ${request.state} = 'pending'
                AND ${request.note} IS NOT NULL AND ${isToReporter}
              ORDER BY ${request.createdAt} DESC LIMIT ${MAX_REQUESTS}
            )
          ),
          'searches', (
            SELECT json_group_array(note) FROM (
              SELECT ${search.note} AS note FROM ${tournamentSeekers} AS ${search}
              WHERE ${search.userId} = ${player.userId} AND ${search.note} IS NOT NULL LIMIT ${MAX_SEARCHES}
            )
          ),
          'teamDetails', (
            SELECT json_group_array(value) FROM (
              SELECT ${detail.value} AS value FROM ${teamDetails} AS ${detail}
                CROSS JOIN ${lfgPosts} AS ${theirs} ON ${theirs.id} = ${detail.postId}
              WHERE ${detail.setBy} = ${player.userId} AND ${isOfReporter} LIMIT ${MAX_DETAILS}
            )
          ),
          'disputes', ${latestEvidence(sql`${player.userId}`, reporterId ?? "", limit, match)}
        ) AS snapshot
        FROM ${profiles} AS ${player} JOIN ${users} AS ${account} ON ${account.id} = ${player.userId}
        WHERE ${player.userId} = ${id} AND ${isOthers(player.userId)} AND ${limit(isSeen)}`;
    }
    case "message": {
      const { conversation } = subject;
      // The context names its senders by id only, so the author is the only player whose name a case keeps.
      return sql`
        SELECT ${m.senderId} AS writer, NULL AS picture, json_object(
          'author', ${name(m.senderId)}, 'content', ${m.content}, 'sentAt', ${m.createdAt},
          'conversation', json_object('id', ${c.id}, 'title', ${c.title}, 'kind', CASE
            WHEN ${c.pairKey} IS NOT NULL THEN 'pair'
            WHEN ${c.team1} IS NOT NULL THEN 'match'
            ELSE 'team'
          END),
          'before', (
            SELECT json_group_array(json_object('by', by, 'content', content, 'sentAt', said)) FROM (
              SELECT ${before.senderId} AS by,
                iif(${before.hiddenAt} IS NULL, substr(${before.content}, 1, ${CONTEXT_LENGTH}), ${REMOVED_MESSAGE})
                  AS content,
                ${before.createdAt} AS said
              FROM ${messages} AS ${before}
              WHERE ${before.conversationId} = ${c.id}
                AND ${before.seq} BETWEEN ${m.seq} - ${CONTEXT_MESSAGES} AND ${m.seq} - 1
              ORDER BY ${before.seq}
            )
          )
        ) AS snapshot
        FROM ${messages} AS ${m} JOIN ${conversations} AS ${c} ON ${c.id} = ${m.conversationId}
        WHERE ${m.id} = ${id} AND ${m.conversationId} = ${conversation} AND ${isOthers(m.senderId)}
          AND ${limit(sql`(${m.hiddenAt} IS NULL AND ${isMemberOf(conversation, sql`${reporterId}`)})`)}`;
    }
    case "review":
      // The reviewed player is named by id only, for the same reason.
      return sql`
        SELECT ${f.reviewerId} AS writer, NULL AS picture, json_object(
          'author', ${name(f.reviewerId)}, 'aboutId', ${f.reviewedId}, 'rating', ${f.rating}, 'comment', ${f.comment}
        ) AS snapshot
        FROM ${userFeedback} AS ${f} JOIN ${profiles} AS ${reviewed} ON ${reviewed.userId} = ${f.reviewedId}
        WHERE ${f.id} = ${id} AND ${f.reviewedId} = ${subject.reviewedId} AND ${isOthers(f.reviewerId)}
          AND ${limit(sql`(${isShown} AND ${isVisibleTo(reporterId)})`)}`;
    case "team": {
      const captain = actingCaptain(team);
      return sql`
        SELECT ${captain} AS writer, NULL AS picture, json_object(
          'author', ${nameOf(captain)}, 'name', ${team.name}, 'tournament', ${cup.title}, 'tournamentId', ${cup.id}
        ) AS snapshot
        FROM ${tournamentTeams} AS ${team} JOIN ${tournaments} AS ${cup} ON ${cup.id} = ${team.tournamentId}
        WHERE ${team.id} = ${id} AND ${team.tournamentId} = ${subject.tournamentId}
          AND ${limit(sql`${cup.hiddenAt} IS NULL`)}
          AND ${isOthers(captain)}`;
    }
    case "tournament":
      return sql`
        SELECT ${cup.userId} AS writer, NULL AS picture, json_object(
          'author', ${name(cup.userId)}, 'title', ${cup.title}, 'description', ${cup.description},
          'rules', ${cup.rules}, 'cancelReason', ${cup.cancelReason}, 'disqualifications', (
            SELECT json_group_array(iif(at = latest, reason, substr(reason, 1, ${REASONS_LENGTH} / number))) FROM (
              SELECT ${team.disqualification} ->> '$.reason' AS reason, ${team.disqualification} ->> '$.at' AS at,
                max(${team.disqualification} ->> '$.at') OVER () AS latest, count(*) OVER () AS number
              FROM ${tournamentTeams} AS ${team}
              WHERE ${team.tournamentId} = ${cup.id} AND ${team.disqualification} IS NOT NULL
            ) WHERE reason IS NOT NULL
          )
        ) AS snapshot
        FROM ${tournaments} AS ${cup} WHERE ${cup.id} = ${id} AND ${limit(sql`${cup.hiddenAt} IS NULL`)}
          AND ${isOthers(cup.userId)}`;
    default:
      return subject satisfies never;
  }
}

/**
 * Builds the `SELECT` of a case's subject as it is now, for moderators. It has the columns of `selectSubject`, and no
 * row if the subject is gone.
 */
export function selectCurrentSubject(caseId: string): SQL {
  const idOf = (kind: ReportKind) => sql`(SELECT ${reported.subjectId} FROM ${reportCases} AS ${reported}
    WHERE ${reported.id} = ${caseId} AND ${reported.kind} = ${kind})`;
  // The id alone identifies the subject, so the other parts of its address are compared with themselves.
  const subjects: Subject<string | SQL>[] = [
    { kind: "post", id: idOf("post") },
    { kind: "player", id: idOf("player") },
    { kind: "message", id: idOf("message"), conversation: sql`${m.conversationId}` },
    { kind: "review", id: idOf("review"), reviewedId: sql`${f.reviewedId}` },
    { kind: "team", id: idOf("team"), tournamentId: sql`${team.tournamentId}` },
    { kind: "tournament", id: idOf("tournament") },
  ];
  return sql.join(
    subjects.map((subject) => selectAnySubject(subject)),
    sql` UNION ALL `,
  );
}

/** The id column of each kind of subject. */
const IDS: Record<ReportKind, SQLiteColumn> = {
  post: lfgPosts.id,
  player: users.id,
  message: messages.id,
  review: userFeedback.id,
  team: tournamentTeams.id,
  tournament: tournaments.id,
};

/** Builds the condition that a subject still exists; a player exists as long as they have an account. */
export const subjectExists = (subject: { kind: SQLiteColumn; id: SQLiteColumn }): SQL => sql`CASE ${subject.kind}
  ${sql.join(
    Object.entries(IDS).map(
      ([kind, id]) => sql`WHEN ${kind} THEN EXISTS (SELECT 1 FROM ${id.table} WHERE ${id} = ${subject.id})`,
    ),
    sql` `,
  )} END`;
