import { readFileSync } from "node:fs";
import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import * as schema from "../../db/schema";

/** The member of the export that holds a player's rows of each table. */
const EXPORTED: Record<string, string> = {
  users: "account",
  profiles: "profile",
  totpFactors: "twoFactor",
  recoveryCodes: "twoFactor",
  identities: "linkedAccounts",
  sessions: "sessions",
  trustedDevices: "trustedDevices",
  presence: "presence",
  lfgPosts: "posts",
  joinRequests: "requestsToJoin",
  teamDetails: "teamDetails",
  teamReady: "teamReady",
  tournamentPlayers: "tournamentTeams",
  tournamentTeams: "tournamentTeams",
  tournamentInvitations: "tournamentInvitations",
  tournamentSeekers: "tournamentSearches",
  tournaments: "tournamentsHosted",
  tournamentOrganisers: "tournamentsOrganised",
  tournamentEvents: "tournamentActions",
  calendarFeeds: "calendarAddress",
  conversations: "conversations",
  conversationMembers: "conversations",
  messages: "conversations",
  userFeedback: "feedbackGiven",
  blocks: "blockedPlayers",
  reports: "reports",
  reportCases: "decisions",
  decisions: "decisions",
  appeals: "decisions",
  restrictions: "limits",
  hiddenOriginals: "hidden",
  notifications: "notifications",
  mutedNotifications: "mutedNotifications",
  notificationSwitches: "notificationSwitches",
  pushSubscriptions: "pushDevices",
  pushSettings: "pushSettings",
  outbox: "emails",
  auditLog: "changes",
};

/** Why the export leaves a table out. */
const LEFT_OUT: Record<string, string> = {
  pendingSignups: "Holds what a sign-up has typed, before there is an account.",
  pendingSignIns: "Holds a sign-in for a few minutes, until its second factor.",
  verifications: "Holds hashes of codes and links, which work for minutes.",
  rateLimits: "Counts uses by keys, most of them hashes, for an hour or so.",
  playerFacets: "Derived from the profile, for the directory's filters.",
  playerNames: "Derived from the profile's name, for the search.",
  pushDeliveries: "Says which notification has reached which device.",
  tournamentBrackets: "Holds no player's data.",
  tournamentMatches: "Names teams, not players.",
  caseFindings: "Moderators' material; players read the decision.",
  caseNotes: "Moderators' material; players read the decision.",
  moderationLog: "Moderators' accountability; the account's changes are in `auditLog`.",
  followUps: "Names work that the Worker does after the response, or the cron in its next run.",
  upheldSuspensions: "Holds hashes, once the account is gone.",
};

const tables = Object.entries(schema).flatMap(([name, value]) => (is(value, SQLiteTable) ? [name] : []));
const source = readFileSync(new URL("../../app/features/account/export/export.server.ts", import.meta.url), "utf8");
const members = [...source.matchAll(/(?:member|list)\("(\w+)"|,\\n"(\w+)": \[/g)].map(([, one, other]) => one ?? other);

describe("The export", () => {
  it("has every table of the schema, or a reason why not", () => {
    const missing = tables.filter((name) => !(name in EXPORTED) && !(name in LEFT_OUT));
    const advice = "Export players' rows of each of these in app/features/account/export/, or say here why not.";
    expect(missing, advice).toEqual([]);
    const known = [...Object.keys(EXPORTED), ...Object.keys(LEFT_OUT)];
    expect(known.filter((name) => !tables.includes(name))).toEqual([]);
    expect(Object.keys(EXPORTED).filter((name) => name in LEFT_OUT)).toEqual([]);
  });

  it("has every member that a table is said to be in", () => {
    expect(Object.values(EXPORTED).filter((member) => !members.includes(member))).toEqual([]);
  });

  it("has no member without a table", () => {
    const named = [...Object.values(EXPORTED), "messagesInLeftChats", "feedbackReceived"];
    expect(members.filter((member) => !named.includes(`${member}`))).toEqual([]);
  });
});
