import { uuidv7 } from "../../../db/ids";
import type { Table } from "./table";

const newPassword = { password: "four smokes and a wall" };

/** A player's own account, profile and settings, and the decisions about them, which suspended players can open too. */
export const ACCOUNT: Table = {
  account: { at: () => "/account/decisions", get: "visitor sign-in | others 200" },
  "account.decisions": { get: "visitor sign-in | others 200" },
  "account.decisions_.$decisionId.appeal": {
    get: "visitor sign-in | owner 200 | others 404",
    post: { Send: [{ words: "Not me." }, "visitor 401 | owner 303 | others 404"] },
  },
  "account.delete-account": {
    get: "visitor sign-in | others 200",
    post: {
      "Delete Account": [({ roles }, role) => ({ email: roles[role].player.email }), "visitor 401 | others 303"],
      "with another's address": [({ stranger }) => ({ email: stranger.email }), "visitor 401 | others 400"],
    },
  },
  "account.export": { get: "visitor sign-in | others 200" },
  "account.export_.download": { get: "302", post: { Download: [{}, "visitor sign-in | others 200"] } },
  "dashboard.profile": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      Save: [{ description: "Plays at night" }, "visitor 401 | suspended decisions | others 303"],
      "Clear Rank": [{ intent: "clear-rank" }, "visitor sign-in | suspended decisions | others 200="],
    },
  },
  "dashboard.ready": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      Save: [
        { step: "hours", week: "weekdays-evening", region: "Europe", languages: "en" },
        "visitor 401 | suspended decisions | others 303",
      ],
      Skip: [{ step: "hours", intent: "skip" }, "visitor 401 | suspended decisions | others 303"],
    },
  },
  "dashboard.profile.picture": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: { Remove: [{ intent: "remove" }, "visitor 401 | suspended decisions | others 303="] },
  },
  "dashboard.notifications": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      "Mark all as read": [
        { intent: "read-all", until: 9_000_000_000_000 },
        "visitor sign-in | suspended decisions | others 303=",
      ],
    },
  },
  push: {
    get: "visitor suspended 401 | others 200",
    post: {
      "Turn on push": [
        () => ({
          endpoint: `https://fcm.googleapis.com/fcm/send/${uuidv7()}`,
          // The receiver's key from the example in RFC 8291: a point on the curve.
          p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          auth: "a".repeat(22),
        }),
        "visitor suspended 401 | others 200",
      ],
      "at another host": [
        { endpoint: "https://lineup.invalid/", p256dh: "B".repeat(87), auth: "a".repeat(22) },
        "visitor suspended 401 | others 400",
      ],
    },
  },
  "dashboard.settings._index": { get: "visitor sign-in | suspended decisions | others 200" },
  "dashboard.settings.$word": {
    at: () => "/dashboard/settings/no-such-section",
    get: "visitor sign-in | suspended decisions | others 404",
  },
  "dashboard.settings.appearance": { get: "visitor sign-in | suspended decisions | others 200" },
  "dashboard.settings.blocked": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      Unblock: [
        ({ roles }) => ({ playerId: roles.blocked.player.id }),
        "visitor sign-in | owner 303 | suspended decisions | others 303=",
      ],
    },
  },
  "dashboard.settings.calendar": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      Create: [{ intent: "renew", shown: "" }, "visitor sign-in | owner 303= | suspended decisions | others 303"],
      Renew: [
        ({ feed }) => ({ intent: "renew", shown: feed }),
        "visitor sign-in | owner 303 | suspended decisions | others 409=",
      ],
      End: [
        ({ feed }) => ({ intent: "end", shown: feed }),
        "visitor sign-in | owner 303 | suspended decisions | others 303=",
      ],
    },
  },
  "dashboard.settings.delete-account": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      "Delete Account": [
        ({ roles }, role) => ({ email: roles[role].player.email }),
        "visitor 401 | suspended decisions | others 303",
      ],
    },
  },
  "dashboard.settings.email": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      Send: [{ intent: "send", email: "new-address@lineup.test" }, "visitor 401 | suspended decisions | others 303"],
      "a wrong code": [{ code: "123456" }, "visitor 401 | suspended decisions | others 400"],
    },
  },
  "dashboard.settings.export": { get: "visitor sign-in | suspended decisions | others 200" },
  "dashboard.settings.export_.download": {
    get: "302",
    post: { Download: [{}, "visitor sign-in | suspended decisions | others 200"] },
  },
  "dashboard.settings.linked-accounts": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: { Unlink: [{ unlink: "discord" }, "visitor sign-in | suspended decisions | others 303="] },
  },
  "dashboard.settings.notifications": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: { Save: [{}, "visitor 401 | suspended decisions | others 303"] },
  },
  "dashboard.settings.password": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: { "Change Password": [newPassword, "visitor 401 | suspended decisions | others 303"] },
  },
  "dashboard.settings.sessions": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: { "Sign Out": [{ session: "0".repeat(64) }, "visitor sign-in | suspended decisions | others 303="] },
  },
  "dashboard.settings.online-status": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: { Save: [{ policy: "nobody" }, "visitor 401 | suspended decisions | others 303"] },
  },
  "dashboard.settings.two-factor": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: {
      "Set Up": [{ intent: "set-up" }, "visitor sign-in | suspended decisions | moderator admin 303= | others 303"],
      "Turn Off": [{ intent: "turn-off" }, "visitor sign-in | suspended decisions | moderator admin 303 | others 303="],
    },
  },
  "dashboard.settings.two-factor_.recovery-codes[.]txt": {
    get: "302",
    post: { "no codes": [{ codes: "x" }, "visitor sign-in | suspended decisions | others 400"] },
  },
  "dashboard.settings.who-can-message": {
    get: "visitor sign-in | suspended decisions | others 200",
    post: { Save: [{ policy: "nobody" }, "visitor 401 | suspended decisions | others 303"] },
  },
};
