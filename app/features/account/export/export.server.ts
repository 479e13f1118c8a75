import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles } from "#db/schema";
import {
  findAccount,
  findPresence,
  findTwoFactor,
  listChanges,
  listEmails,
  listIdentities,
  listSessions,
  listTrustedDevices,
} from "./account.server";
import { listConversations, listMessagesInLeftChats } from "./conversations.server";
import { listFeedbackGiven, listFeedbackReceived } from "./feedback.server";
import { listBlocks, listDecisions, listHidden, listLimits, listReports } from "./moderation.server";
import { findPushSettings, listMuted, listNotifications, listPushDevices, listSwitches } from "./notifications.server";
import { listJoinRequests, listPosts, listTeamDetails, listTeamReady } from "./posts.server";
import {
  findCalendar,
  listHosted,
  listOrganised,
  listTournamentActions,
  listTournamentInvitations,
  listTournamentSearches,
  listTournamentTeams,
} from "./tournaments.server";

/**
 * Exports everything that the product stores about a player, as JSON in pieces. The data is read page by page while it
 * is being sent, so memory use doesn't grow with the amount of data, except for the ids of conversations. Other players
 * appear only as this player has seen them, without their email addresses. The export contains no hashes, tokens or
 * secrets.
 */
export async function* exportAccount(db: Database, userId: string, now: Date): AsyncGenerator<string> {
  const [account, profile, twoFactor, presence, calendar, push] = await Promise.all([
    findAccount(db, userId),
    db.select().from(profiles).where(eq(profiles.userId, userId)).get(),
    findTwoFactor(db, userId),
    findPresence(db, userId),
    findCalendar(db, userId),
    findPushSettings(db, userId),
  ]);
  yield `{\n"exportedAt": ${JSON.stringify(now)}`;
  yield* member("account", account);
  yield* member("profile", profile);
  yield* member("twoFactor", twoFactor);
  yield* list("linkedAccounts", listIdentities(db, userId));
  yield* list("sessions", listSessions(db, userId));
  yield* list("trustedDevices", listTrustedDevices(db, userId));
  yield* member("presence", presence);
  yield* list("posts", listPosts(db, userId));
  yield* list("requestsToJoin", listJoinRequests(db, userId));
  yield* list("teamDetails", listTeamDetails(db, userId));
  yield* list("teamReady", listTeamReady(db, userId));
  yield* list("tournamentTeams", listTournamentTeams(db, userId));
  yield* list("tournamentInvitations", listTournamentInvitations(db, userId));
  yield* list("tournamentSearches", listTournamentSearches(db, userId));
  yield* list("tournamentsHosted", listHosted(db, userId));
  yield* list("tournamentsOrganised", listOrganised(db, userId));
  yield* list("tournamentActions", listTournamentActions(db, userId));
  yield* member("calendarAddress", calendar);
  yield ',\n"conversations": [';
  yield* listConversations(db, userId);
  yield "\n]";
  yield* list("messagesInLeftChats", listMessagesInLeftChats(db, userId));
  yield* list("feedbackGiven", listFeedbackGiven(db, userId));
  yield* list("feedbackReceived", listFeedbackReceived(db, userId));
  yield* list("blockedPlayers", listBlocks(db, userId));
  yield* list("reports", listReports(db, userId));
  yield* list("decisions", listDecisions(db, userId));
  yield* list("limits", listLimits(db, userId, now));
  yield* list("hidden", listHidden(db, userId));
  yield* list("notifications", listNotifications(db, userId));
  yield* list("mutedNotifications", listMuted(db, userId));
  yield* list("notificationSwitches", listSwitches(db, userId));
  yield* list("pushDevices", listPushDevices(db, userId));
  yield* member("pushSettings", push);
  yield* list("emails", listEmails(db, userId));
  yield* list("changes", listChanges(db, userId));
  yield "\n}\n";
}

function* member(name: string, value: unknown): Generator<string> {
  yield `,\n${JSON.stringify(name)}: ${JSON.stringify(value ?? null)}`;
}

/** Writes a member whose value is an array, one row per line. */
async function* list(name: string, rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}: [`;
  let separator = "\n";
  for await (const row of rows) {
    yield separator + JSON.stringify(row);
    separator = ",\n";
  }
  yield "\n]";
}
