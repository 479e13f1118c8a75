import { type SQL, sql } from "drizzle-orm";
import { tournaments } from "#db/schema";
import type { Writing } from "~/features/flags/shared/raise.server";
import type { TournamentRow } from "../queries.server";
import type { EditScope } from "../rules";
import { editTournament } from "./commands.server";
import { applicableFields, changedFields } from "./edit";
import type { ActorStamp } from "./log.server";
import type { EditedFields } from "./schema";

/** Returns the conditions on a tournament that must still hold when an edit is stored. */
function stillHolds(scope: EditScope, { maxParticipants, prizePool, registrationDeadline }: EditedFields): SQL {
  if (scope === "everything") return sql`${tournaments.state} = 'open' AND ${tournaments.currentParticipants} = 0`;
  if (scope === "words") return sql`${tournaments.state} = 'running'`;
  return sql`${tournaments.state} = 'open' AND ${tournaments.maxParticipants} <= ${maxParticipants}
    AND ${tournaments.prizePool} <= ${prizePool}
      AND ${tournaments.registrationDeadline} <= ${registrationDeadline?.getTime()}`;
}

/**
 * Stores an edit that was validated against `tournament`. An edit without changes adds nothing to the log.
 * @returns as `editTournament`
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
  if (changed === "") return [];
  return editTournament(writing, { set, condition: stillHolds(scope, set), changed }, stamp);
}
