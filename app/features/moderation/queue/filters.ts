import type { ReportKind } from "#db/words/report-kinds";
import type { SearchParams, Values } from "~/platform/search-params/search-params";

/** The wording of each kind of reported thing. */
export const KIND_WORDS: Record<ReportKind, string> = {
  post: "Post",
  player: "Player",
  message: "Message",
  review: "Review",
  team: "Team",
  tournament: "Tournament",
};

/** The parameters of the queue's address. */
export const QUEUE = {
  state: { kind: "choice", options: { open: "Open", closed: "Closed" }, label: "State" },
  kind: { kind: "choice", options: KIND_WORDS, any: "Everything", label: "Kind" },
  order: { kind: "choice", options: { age: "By age", reports: "Most reports" }, label: "Order" },
  urgent: { kind: "flag", label: "Urgent" },
  flagged: { kind: "flag", label: "Flagged by machine" },
  mine: { kind: "flag", label: "Assigned to me" },
  admin: { kind: "flag", label: "For admins" },
  cursor: { kind: "cursor", by: "either" },
} as const satisfies SearchParams;

export type QueueFilters = Omit<Values<typeof QUEUE>, "cursor">;
