import { TRAP_FIELD } from "../../../app/platform/forms/forms";
import { PASSWORD } from "../../../scripts/worlds";
import type { Table } from "./table";

/** Getting in and out. */
export const ACCESS: Table = {
  auth: {
    get: "visitor suspended 200 | others 302",
    post: {
      "Sign In": [({ stranger }) => ({ email: stranger.email, password: PASSWORD }), "303"],
      "Sign In with a wrong password": [
        ({ stranger }) => ({ email: stranger.email, password: "not it" }),
        "visitor suspended 400 | others 302=",
      ],
      "the trap of bots": [({ stranger }) => ({ email: stranger.email, password: PASSWORD, [TRAP_FIELD]: "x" }), "400"],
    },
  },
  "auth_.code": {
    get: "visitor suspended 200 | others 302",
    post: {
      Send: [{ intent: "send", email: "nobody@lineup.test" }, "303"],
      "a wrong code": [{ code: "123456" }, "visitor suspended 400 | others 302="],
    },
  },
  "auth_.confirm": {
    get: "visitor sign-in | suspended 303 | others 302",
    post: {
      "a wrong code": [{ code: "123456" }, "visitor sign-in | others 303="],
      "Send Again": [{ intent: "again" }, "visitor sign-in | others 303="],
    },
  },
  "auth_.forgot-password": { get: "200", post: { Send: [{ email: "nobody@lineup.test" }, "303"] } },
  "auth_.oauth.$provider": {
    at: () => "/auth/oauth/discord",
    get: "visitor sign-in | others 302",
    post: {
      "Sign In": [{ intent: "sign-in" }, "303="],
      Link: [{ intent: "link" }, "visitor sign-in | suspended decisions | others 303="],
    },
  },
  "auth_.oauth.$provider_.callback": {
    at: () => "/auth/oauth/discord/callback?code=x&state=y",
    get: "visitor sign-in | others 303",
  },
  "auth_.reauthenticate": {
    get: "visitor sign-in | others 302",
    post: {
      Confirm: [{ password: PASSWORD }, "visitor sign-in | others 303="],
      "a wrong password": [{ password: "not it" }, "visitor sign-in | others 303="],
    },
  },
  "auth_.reset-password": {
    get: "200",
    post: { "a wrong code": [{ code: "123456", password: "four smokes and a wall" }, "400"] },
  },
  "auth_.sign-out": {
    get: "302",
    post: {
      "Sign Out": [{}, "visitor sign-in | others 303"],
      Everywhere: [{ scope: "global" }, "visitor sign-in | others 303"],
    },
  },
  "auth_.two-factor": {
    get: "visitor sign-in | suspended 303 | others 302",
    post: { "a wrong code": [{ code: "123456" }, "visitor sign-in | others 303="] },
  },
};
