import { uuidv7 } from "../../../db/ids";
import type { Table } from "./table";

const fault = { rule: "respect", reason: "Rude words" };

/** The pages of moderation, with an open case about a rival and an appeal by a stranger. */
export const MODERATION: Table = {
  moderation: { at: () => "/moderation", get: "moderator admin 200 | others 404" },
  "moderation._index": { get: "moderator admin 200 | others 404" },
  "moderation.appeals": { get: "moderator admin 200 | others 404" },
  "moderation.appeals_.$appealId": {
    get: "moderator admin 200 | others 404",
    post: { Grant: [{ outcome: "granted", reason: "A mistake." }, "visitor 401 | moderator admin 303 | others 404"] },
  },
  "moderation.cases.$caseId": {
    get: "moderator admin 200 | others 404",
    post: {
      Take: [{ intent: "take" }, "moderator admin 303 | others 404"],
      "Add Note": [() => ({ id: uuidv7(), words: "Look again." }), "visitor 401 | moderator admin 303 | others 404"],
    },
  },
  "moderation.cases.$caseId_.$action": {
    at: ({ caseId }) => `/moderation/cases/${caseId}/warn`,
    get: "moderator admin 200 | others 404",
    post: { Warn: [fault, "visitor 401 | moderator admin 303 | others 404"] },
  },
  "moderation.cases.$caseId_.picture": { get: "404" },
  "moderation.health": { get: "admin 200 | others 404" },
};
