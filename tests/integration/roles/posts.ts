import { uuidv7 } from "../../../db/ids";
import { report } from "./reports";
import type { Table } from "./table";

const edited = { title: "Edited", neededPlayers: 3 };

/** Posts, their teams, and players. The post is the owner's. */
export const POSTS: Table = {
  dashboard: { at: () => "/dashboard", get: "visitor sign-in | suspended decisions | others 200" },
  "dashboard._lfg": { at: () => "/dashboard", get: "visitor sign-in | suspended decisions | others 200" },
  "dashboard._lfg.lfg.new": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      "Create Post": [
        () => ({ id: uuidv7(), title: "Duo for Bind", neededPlayers: 1 }),
        "visitor 401 | limited 403 | suspended decisions | others 303",
      ],
    },
  },
  "dashboard.search": { get: "visitor sign-in | suspended decisions | others 200" },
  "dashboard_.search_.results": { get: "visitor suspended 401 | others 200" },
  "dashboard.players": { get: "visitor sign-in | suspended decisions | others 302" },
  "dashboard.feedback.$postId": {
    at: ({ playedPostId, roles }) => `/dashboard/feedback/${playedPostId}?player=${roles.owner.player.id}`,
    get: "visitor sign-in | suspended decisions | owner member captain 200 | others 404",
    post: {
      Send: [
        () => ({ id: uuidv7(), rating: 4 }),
        "visitor 401 | suspended decisions | captain 303 | owner member 409 | others 403",
      ],
    },
  },
  "lfg.$postId": {
    get: "200",
    post: {
      Bump: [{ intent: "bump" }, "visitor sign-in | owner 303 | suspended decisions | others 404"],
      Close: [{ intent: "close" }, "visitor sign-in | owner 303 | suspended decisions | others 404"],
      Accept: [
        ({ requestId }) => ({ intent: "accept", request: requestId }),
        "visitor sign-in | owner 303 | suspended decisions | others 404",
      ],
      Decline: [
        ({ requestId }) => ({ intent: "decline", request: requestId }),
        "visitor sign-in | owner 303 | suspended decisions | others 404",
      ],
      Ready: [{ intent: "ready" }, "visitor 401 | suspended 403 | owner member 303 | others 404"],
      "Set Code": [
        { intent: "set-party-code", partyCode: "AB12CD" },
        "visitor 401 | suspended 403 | owner member 303 | others 404",
      ],
      "Clear Link": [{ intent: "clear-voice-link" }, "visitor 401 | suspended 403 | owner member 303= | others 404"],
      Leave: [{ intent: "leave" }, "visitor sign-in | suspended decisions | member 303 | others 404"],
      Withdraw: [{ intent: "withdraw" }, "visitor sign-in | suspended decisions | member 409 | others 404"],
    },
  },
  "lfg.$postId.close": { get: "visitor sign-in | owner 200 | suspended decisions | others 404" },
  "lfg.$postId.contact": {
    get: "visitor sign-in | suspended decisions | owner blocked 303 | others 200",
    post: {
      Send: [
        () => ({ id: uuidv7(), message: "Hi" }),
        "visitor 401 | owner 409 | suspended decisions | blocked limited 403 | others 303",
      ],
    },
  },
  "lfg.$postId.delete": {
    get: "visitor sign-in | owner 303 | suspended decisions | others 404",
    post: { "Delete Post": [{}, "visitor sign-in | owner 409 | suspended decisions | others 404"] },
  },
  "lfg.$postId.edit": {
    get: "visitor sign-in | owner 200 | suspended decisions | others 404",
    post: { "Save Post": [edited, "visitor 401 | owner 303 | suspended decisions | others 404"] },
  },
  "lfg.$postId.join": {
    get: "visitor sign-in | suspended decisions | owner blocked member 303 | others 200",
    post: {
      Send: [
        () => ({ id: uuidv7() }),
        "visitor 401 | blocked 403 | suspended decisions | owner member 409 | others 303",
      ],
    },
  },
  "lfg.$postId.report": { get: "owner 404 | others 200", post: { Report: [report, "owner 404 | others 303"] } },
  "players.$userId": { get: "200" },
  "players.$userId_.card": { get: "blocked 404 | visitor suspended 401 | others 200" },
  "players.$userId.block": {
    get: "visitor sign-in | owner 404 | suspended decisions | others 200",
    post: { Block: [{ intent: "block" }, "visitor sign-in | owner 404 | suspended decisions | others 303"] },
  },
  "players.$userId.feedback": {
    get: "visitor sign-in | suspended decisions | captain 200 | others 303",
    post: {
      Send: [
        () => ({ id: uuidv7(), rating: 4 }),
        "visitor 401 | suspended decisions | captain 303 | owner member 409 | others 403",
      ],
    },
  },
  "players.$userId.message": {
    get: "visitor sign-in | suspended decisions | owner blocked 303 | others 200",
    post: {
      Send: [
        () => ({ id: uuidv7(), message: "Hi" }),
        "visitor 401 | owner 409 | suspended decisions | blocked limited 403 | others 303",
      ],
    },
  },
  "players.$userId.report": { get: "owner 404 | others 200", post: { Report: [report, "owner 404 | others 303"] } },
  "players.$userId.report_.$feedbackId": {
    get: "member 404 | others 200",
    post: { Report: [report, "member 404 | others 303"] },
  },
};
