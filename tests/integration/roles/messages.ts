import { uuidv7 } from "../../../db/ids";
import type { Table } from "./table";

const message = () => ({ id: uuidv7(), message: "Hi" });
const report = () => ({ id: uuidv7(), reason: "spam" });

/** The owner's conversation with a stranger. */
export const MESSAGES: Table = {
  "conversations._index": { get: "visitor suspended 401 | others 200" },
  "conversations.$conversationId.messages": {
    get: "owner 200 | visitor suspended 401 | others 404",
    post: { Send: [message, "visitor 401 | owner 200 | suspended 403 | others 404"] },
  },
  "dashboard.messages": { at: () => "/dashboard/messages", get: "visitor sign-in | suspended decisions | others 200" },
  "dashboard.messages.$conversationId": {
    get: "visitor sign-in | owner 200 | suspended decisions | others 404",
    post: {
      Send: [message, "visitor 401 | owner 303 | suspended decisions | others 404"],
      // The conversation isn't a team's.
      Ready: [{ intent: "ready" }, "visitor 401 | suspended decisions | others 404"],
    },
  },
  "dashboard.messages.$conversationId.block": {
    get: "visitor sign-in | owner 200 | suspended decisions | others 404",
    post: { Block: [{ intent: "block" }, "visitor sign-in | owner 303 | suspended decisions | others 404"] },
  },
  "dashboard.messages.$conversationId.report": {
    get: "visitor sign-in | owner 200 | suspended decisions | others 404",
    post: { Report: [report, "visitor 401 | owner 303 | suspended decisions | others 404"] },
  },
  "dashboard.messages.$conversationId.report_.$messageId": {
    get: "visitor sign-in | owner 200 | suspended decisions | others 404",
    post: { Report: [report, "visitor 401 | owner 303 | suspended decisions | others 404"] },
  },
};
