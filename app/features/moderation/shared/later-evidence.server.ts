import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { caseFindings, reports } from "#db/schema";
import { bare } from "#db/sql";
import type { LaterEvidence } from "./statement";

const found = alias(caseFindings, "found");
const sent = alias(reports, "sent");

/** Maximum number of a case's reports with a later version, and of its findings. */
const MAX_FOUND = 100;
/**
 * Maximum number of a case's reports that are searched for later versions, so that the cost doesn't grow with the
 * reports.
 */
const MAX_SEARCHED = 2_000;

/**
 * Selects the later versions of a case's thing: as later reporters saw it, and as our checks found it. The same version
 * may appear several times.
 * @param caseId as an SQL expression
 * @param until excludes versions after this moment; in milliseconds since 1970, as an SQL expression
 * @returns an SQL expression
 */
export const laterEvidence = (caseId: SQL, until?: SQL): SQL<LaterEvidence[]> =>
  sql`(
    SELECT json_group_array(json_object('snapshot', json(one.version), 'picture', one.portrait)) FROM (
      SELECT version, portrait FROM (
        SELECT * FROM (
          SELECT ${sent.snapshot} AS version, ${sent.picture} AS portrait, ${sent.createdAt} AS seen
          FROM (SELECT * FROM ${reports} WHERE ${bare(reports.caseId)} = ${caseId} LIMIT ${MAX_SEARCHED}) AS ${sent}
          WHERE ${sent.snapshot} IS NOT NULL OR ${sent.picture} IS NOT NULL
          LIMIT ${MAX_FOUND}
        )
        UNION ALL
        SELECT * FROM (
          SELECT ${found.snapshot} AS version, NULL AS portrait, ${found.foundAt} AS seen
          FROM ${caseFindings} AS ${found} WHERE ${found.caseId} = ${caseId} LIMIT ${MAX_FOUND}
        )
      )
      WHERE (version IS NOT NULL OR portrait IS NOT NULL) AND ${until === undefined ? sql`1` : sql`seen <= ${until}`}
    ) AS one
  )`.mapWith((versions: string) => JSON.parse(versions) as LaterEvidence[]);
