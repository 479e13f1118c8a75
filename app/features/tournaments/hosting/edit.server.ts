import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { tournaments } from "#db/schema";
import type { Writing } from "~/features/flags/shared/raise.server";
import type { TournamentRow } from "../queries.server";
import { type EditScope, isCheckInOpen } from "../rules";
import type { ActorStamp } from "../shared/changes.server";
import { listNotified } from "../shared/tell-tournament.server";
import { editTournament } from "./commands.server";
import { applicableFields, changedFields, EDITABLE } from "./edit";
import type { EditedFields } from "./schema";

/**
 * Returns the version of the fields that an edit's form shows. It changes only when those fields do. It doesn't change
 * when a team registers, for example, because that doesn't affect a form of the same scope. A form carries the version
 * that it was made from.
 */
export const editVersion = (tournament: TournamentRow, scope: EditScope): string =>
  createHash("sha256")
    .update(JSON.stringify(EDITABLE[scope].map((name) => tournament[name])))
    .digest("base64url")
    .slice(0, 22);

/** Whether a tournament already has the values of a form. */
export const isStored = (tournament: TournamentRow, edited: EditedFields): boolean =>
  changedFields(tournament, applicableFields(edited)) === "";

const STILL_EDITABLE: Record<EditScope, SQL> = {
  everything: sql`${tournaments.state} = 'open' AND ${tournaments.currentParticipants} = 0`,
  harmless: sql`${tournaments.state} = 'open'`,
  words: sql`${tournaments.state} = 'running'`,
  nothing: sql`0`,
};

/** True while a tournament can be edited to that extent, and its editable fields are as they were read. */
const isAsRead = (tournament: TournamentRow, scope: EditScope): SQL =>
  sql.join(
    [
      STILL_EDITABLE[scope],
      ...EDITABLE[scope].map((name) => sql`${tournaments[name]} IS ${sql.param(tournament[name], tournaments[name])}`),
    ],
    sql` AND `,
  );

/**
 * Stores an edit that was validated against `tournament`, unless it has changed since it was read. An edit without
 * changes adds nothing to the log.
 * @returns as `editTournament`; without changes, all players with unread news of the tournament
 */
export async function saveEdit(
  writing: Omit<Writing, "now">,
  tournament: TournamentRow,
  scope: EditScope,
  edited: EditedFields,
  stamp: ActorStamp,
): ReturnType<typeof editTournament> {
  const set = applicableFields(edited);
  const changed = changedFields(tournament, set);
  // An earlier request may have stored the edit and moved teams up, although its response was lost.
  if (changed === "") return listNotified(writing.db, stamp.tournamentId);
  const { now } = stamp;
  const closesCheckIn = isCheckInOpen(tournament, now) && !isCheckInOpen({ ...tournament, ...set }, now);
  return editTournament(writing, { set, condition: isAsRead(tournament, scope), changed, closesCheckIn }, stamp);
}
