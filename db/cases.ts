import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { reportCases } from "./schema";

const waiting = alias(reportCases, "waiting");

/** The count stops here, for "99+". */
const MAX_COUNTED = 100;

/**
 * The number of open cases that wait for a moderator, as an SQL expression; NULL for players, and then it reads no row.
 * Cases about themselves don't count, nor do those for admins unless they are one.
 */
export const waitingCasesOf = ({ id, role }: { id: SQLWrapper; role: SQLWrapper }): SQL<number | null> => sql`
  iif(${role} IS NULL, NULL, (
    SELECT count(*) FROM (
      SELECT 1 FROM ${reportCases} AS ${waiting}
      WHERE ${waiting.state} = 'open' AND ${waiting.playerId} IS NOT ${id}
        AND (${role} = 'admin' OR ${waiting.isForAdmin} = 0)
      LIMIT ${MAX_COUNTED}
    )
  ))`;
