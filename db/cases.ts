import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { reportCases } from "./schema";

const waiting = alias(reportCases, "waiting");

/** The count stops here, for "99+". */
const MAX_COUNTED = 100;

/**
 * SQL condition that a moderator sees a case. Moderators don't see cases about themselves, which would name the
 * reporters.
 * @param moderatorId null for operators, who see every case
 */
export const isCaseShownTo = (moderatorId: string | SQLWrapper | null, { playerId }: { playerId: SQLWrapper }): SQL =>
  moderatorId === null ? sql`1` : sql`${playerId} IS NOT ${moderatorId}`;

/**
 * The number of open cases that wait for the given moderator, as an SQL expression. For players it is NULL and reads no
 * row. Cases that the moderator doesn't see don't count, nor do cases for admins unless the moderator is an admin.
 */
export const waitingCasesOf = ({ id, role }: { id: SQLWrapper; role: SQLWrapper }): SQL<number | null> => sql`
  iif(${role} IS NULL, NULL, (
    SELECT count(*) FROM (
      SELECT 1 FROM ${reportCases} AS ${waiting}
      WHERE ${waiting.state} = 'open' AND ${isCaseShownTo(id, waiting)}
        AND (${role} = 'admin' OR ${waiting.isForAdmin} = 0)
      LIMIT ${MAX_COUNTED}
    )
  ))`;
