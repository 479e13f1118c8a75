import { UNKNOWN_PLAYER } from "~/features/players/rules";
import type { Clock } from "~/platform/dates/dates";
import { showMoment } from "~/platform/dates/time";
import { ACTION_WORDS } from "../rules";
import { KIND_WORDS } from "./filters";
import type { QueuedCase } from "./queries.server";

/** Presents cases for the list. */
export const presentQueue = (cases: readonly QueuedCase[], clock: Clock) =>
  cases.map(
    ({ id, kind, author, excerpt, reportCount, isUrgent, isFlagged, isForAdmin, assignee, createdAt, action }) => ({
      id,
      title: `${KIND_WORDS[kind]}${kind === "player" ? "" : " by"} ${author ?? UNKNOWN_PLAYER}`,
      excerpt,
      reportCount,
      isUrgent: isUrgent === 1,
      isFlagged: isFlagged === 1,
      isForAdmin: isForAdmin === 1,
      assignee,
      opened: showMoment(new Date(createdAt), clock),
      latest: action && ACTION_WORDS[action].name,
    }),
  );

export type ShownQueue = ReturnType<typeof presentQueue>;
