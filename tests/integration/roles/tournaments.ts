import { uuidv7 } from "../../../db/ids";
import { DAY } from "../players";
import { report } from "./reports";
import type { Table } from "./table";
import type { World } from "./world";

const inRunning =
  (rest: string) =>
  ({ runningId }: World) =>
    `/tournaments/${runningId}${rest}`;
const theirTeam = ({ runningId, runningTeams }: World) => `/tournaments/${runningId}/teams/${runningTeams[0]?.id}`;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 16);
const planned = () => ({
  ...{ description: "One evening.", entryFee: 0, prizePool: 0, maxParticipants: 8, teamSize: 2 },
  ...{ registrationDeadline: inDays(20), tournamentDate: inDays(30), timeZone: "UTC" },
});
/** The fields that an organiser can still change once teams have registered. */
const amended = () => ({
  ...{ description: "Two evenings.", prizePool: 0, maxParticipants: 16 },
  ...{ registrationDeadline: inDays(1.5), timeZone: "UTC" },
});
const score = { bestOf: 1, leftSide: 1, left1: 13, right1: 7 };

/** Requests to the open tournament or, where `at` says so, to the running one, in which the captain plays match 0. */
export const TOURNAMENTS: Table = {
  "dashboard.tournaments": { get: "visitor sign-in | suspended decisions | others 200" },
  "dashboard.tournaments.new": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      "Create Tournament": [
        () => ({ ...planned(), id: uuidv7(), title: "New Cup" }),
        "visitor 401 | limited 403 | suspended decisions | others 303",
      ],
    },
  },
  "tournaments.$tournamentId": { get: "200" },
  "tournaments.$tournamentId._bracket": { get: "200" },
  "tournaments.$tournamentId._bracket.cancel": {
    get: "visitor sign-in | suspended decisions | organiser 200 | others 404",
    post: { Cancel: [{ reason: "Rain." }, "visitor 401 | suspended decisions | organiser 303 | others 404"] },
  },
  "tournaments.$tournamentId._bracket.edit": {
    get: "visitor sign-in | suspended decisions | organiser 200 | others 404",
    post: {
      "Save Changes": [amended, "visitor 401 | suspended decisions | organiser 303 | others 404"],
      "without a description": [
        () => ({ ...amended(), description: "" }),
        "visitor 401 | suspended decisions | organiser 400 | others 404",
      ],
    },
  },
  "tournaments.$tournamentId._bracket.register": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      Register: [
        () => ({ id: uuidv7(), name: "Late Five" }),
        "visitor 401 | limited 403 | suspended decisions | member captain 409 | others 303",
      ],
    },
  },
  "tournaments.$tournamentId._bracket.report": {
    get: "organiser 404 | others 200",
    post: { Report: [report, "organiser 404 | others 303"] },
  },
  "tournaments.$tournamentId._bracket.seek": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: { Save: [{}, "visitor 401 | limited 403 | suspended decisions | member captain 409 | others 303"] },
  },
  "tournaments.$tournamentId._bracket.start": {
    get: "visitor sign-in | suspended decisions | organiser 200 | others 404",
    post: { Start: [{}, "visitor sign-in | suspended decisions | organiser 409 | others 404"] },
  },
  "tournaments.$tournamentId._bracket.withdraw": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: { Withdraw: [{}, "visitor sign-in | suspended decisions | member 409 | captain 303 | others 303="] },
  },
  "tournaments.$tournamentId.manage": {
    get: "visitor sign-in | suspended decisions | organiser 200 | others 404",
    post: {
      Add: [
        ({ stranger }) => ({ intent: "add", playerId: stranger.id }),
        "visitor 401 | suspended decisions | organiser 303 | others 404",
      ],
      Remove: [
        ({ roles }) => ({ intent: "remove", playerId: roles.organiser.player.id }),
        "visitor 401 | suspended decisions | organiser 409 | others 404",
      ],
    },
  },
  "tournaments.$tournamentId.matches": { get: "200" },
  "tournaments.$tournamentId.seeding": {
    get: "visitor sign-in | suspended decisions | organiser 200 | others 404",
    post: {
      Save: [
        { intent: "seeding", seeding: "rank" },
        "visitor sign-in | suspended decisions | organiser 303 | others 404",
      ],
    },
  },
  "tournaments.$tournamentId.teams": {
    get: "200",
    post: {
      "Check In": [{ intent: "check-in" }, "visitor sign-in | suspended decisions | others 409"],
    },
  },
  "tournaments.$tournamentId_.calendar[.]ics": { get: "200" },
  "tournaments.$tournamentId_.join.$token": {
    get: "200",
    post: { Join: [{}, "visitor sign-in | limited 403 | suspended decisions | member captain 303= | others 303"] },
  },
  "tournaments.$tournamentId_.matches.$matchId": {
    at: inRunning("/matches/0"),
    get: "200",
    post: {
      "Check In": [{ intent: "check-in" }, "visitor sign-in | suspended decisions | captain 303 | others 403"],
      "Report Score": [{ ...score, intent: "report" }, "visitor 401 | captain 303 | others 403"],
      "Claim Win": [{ intent: "claim" }, "visitor sign-in | suspended decisions | captain 409 | others 403"],
      "Join Match Chat": [
        { intent: "join-chat" },
        "visitor sign-in | suspended decisions | organiser 303 | others 403",
      ],
      "Send a message": [
        () => ({ id: uuidv7(), message: "Hi" }),
        "visitor 401 | suspended 403 | captain 303 | others 404",
      ],
    },
  },
  "tournaments.$tournamentId_.matches.$matchId.decide": {
    at: inRunning("/matches/0/decide"),
    get: "visitor sign-in | suspended decisions | organiser 200 | others 303",
    post: {
      Decide: [{ ...score, decision: "score" }, "visitor 401 | suspended decisions | organiser 303 | others 403"],
    },
  },
  "tournaments.$tournamentId_.matches.$matchId.dispute": {
    at: inRunning("/matches/0/dispute"),
    get: "visitor sign-in | suspended decisions | captain 200 | others 303",
    post: { Dispute: [{ evidence: "They left." }, "visitor 401 | suspended decisions | captain 303 | others 403"] },
  },
  "tournaments.$tournamentId_.matches.$matchId.evidence.$userId.report": {
    at: ({ runningId, stranger }) => `/tournaments/${runningId}/matches/1/evidence/${stranger.id}/report`,
    get: "visitor sign-in | suspended decisions | organiser 200 | others 404",
    post: { Report: [report, "visitor 401 | suspended decisions | organiser 303 | others 404"] },
  },
  "tournaments.$tournamentId_.matches.$matchId.forfeit": {
    at: inRunning("/matches/0/forfeit"),
    get: "visitor sign-in | suspended decisions | captain 200 | others 303",
    post: { Forfeit: [{}, "visitor sign-in | suspended decisions | captain 303 | others 403"] },
  },
  "tournaments.$tournamentId_.matches.$matchId.reopen": {
    at: inRunning("/matches/0/reopen"),
    get: "visitor sign-in | suspended decisions | others 303",
    post: { Reopen: [{}, "visitor 401 | suspended decisions | organiser 409 | others 403"] },
  },
  "tournaments.$tournamentId_.matches.$matchId.report.$messageId": {
    at: ({ runningId, matchMessageId }) => `/tournaments/${runningId}/matches/0/report/${matchMessageId}`,
    get: "captain 200 | others 404",
    post: {
      Report: [
        ({ matchMessageId: message }) => ({ id: uuidv7(), reason: "spam", message }),
        "visitor 401 | suspended decisions | captain 303 | others 404",
      ],
    },
  },
  "tournaments.$tournamentId_.teams.$teamId": {
    get: "200",
    post: {
      Invite: [
        ({ rival }) => ({ intent: "invite", players: rival.id }),
        "visitor sign-in | suspended decisions | member 409 | captain 303 | others 404",
      ],
      Uninvite: [
        ({ stranger }) => ({ intent: "take-back", player: stranger.id }),
        "visitor sign-in | suspended decisions | member 409 | captain 303 | others 404",
      ],
      Accept: [
        { intent: "accept" },
        "visitor sign-in | other 303 | limited 403 | suspended decisions | member captain 303= | others 409",
      ],
      Leave: [{ intent: "leave" }, "visitor sign-in | suspended decisions | member 303 | others 409"],
      "Renew Link": [
        { intent: "renew-link" },
        "visitor sign-in | suspended decisions | member 409 | captain 303 | others 404",
      ],
      Remove: [
        ({ roles }) => ({ intent: "remove", player: roles.member.player.id }),
        "visitor sign-in | suspended decisions | member 409 | captain 303 | others 404",
      ],
      "Hand Over": [
        ({ roles }) => ({ intent: "hand-over", player: roles.member.player.id }),
        "visitor sign-in | suspended decisions | member 409 | captain 303 | others 404",
      ],
      "Remove Team": [
        { intent: "remove-team" },
        "visitor sign-in | suspended decisions | member 409 | organiser 303 | others 404",
      ],
    },
  },
  "tournaments.$tournamentId_.teams.$teamId.disqualify": {
    at: (world) => `${theirTeam(world)}/disqualify`,
    get: "visitor sign-in | suspended decisions | organiser 200 | others 404",
    post: {
      Disqualify: [
        { intent: "disqualify", reason: "Cheats." },
        "visitor 401 | suspended decisions | organiser 303 | others 403",
      ],
    },
  },
  "tournaments.$tournamentId_.teams.$teamId.report": {
    get: "captain 404 | others 200",
    post: { Report: [report, "captain 404 | others 303"] },
  },
};
