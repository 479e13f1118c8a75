import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { tournaments, tournamentTeams } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import { loadPlay } from "../play/load.server";
import type { PlayState } from "../play/state";
import { organisedBy } from "../shared/access.server";
import { newVersion } from "../shared/changes.server";
import { presentSeeding } from "./present.server";
import { moveItem } from "./rules";

/** Holds for a tournament that hasn't started, if the player is one of its organisers. */
const isSeedable = (tournamentId: string, userId: string): SQL =>
  sql`${tournaments.id} = ${tournamentId} AND ${tournaments.state} = 'open' AND ${organisedBy(userId)}`;

/** @param seedable an SQL condition on `tournaments` */
const canSeed = (seedable: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${tournaments} WHERE ${seedable})`;

/** Returns the statement that sets a tournament's seeding method and makes its room reload. */
const setSeeding = (db: Database, seedable: SQL, seeding: PlayState["seeding"], now: Date) =>
  db.run(sql`
    UPDATE ${tournaments} SET ${bare(tournaments.seeding)} = ${seeding}, ${newVersion(now.getTime())}
    WHERE ${seedable}`);

/**
 * Sets the seeding method. Any method but `manual` discards manual seeds.
 * @returns false if the tournament has started, or the player isn't one of its organisers
 */
export async function chooseSeeding(
  db: Database,
  tournamentId: string,
  userId: string,
  seeding: PlayState["seeding"],
  now: Date,
): Promise<boolean> {
  const seedable = isSeedable(tournamentId, userId);
  const { chosen } = await transact(db, {
    clear: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.seed)} = NULL
      WHERE ${tournamentTeams.tournamentId} = ${tournamentId} AND ${seeding} <> 'manual' AND ${canSeed(seedable)}`),
    chosen: setSeeding(db, seedable, seeding, now),
  });
  return chosen.rowsAffected > 0;
}

/**
 * Saves a new order of the teams in a tournament that is seeded by hand. Ids that are not (or no longer) teams of the
 * tournament are skipped; teams missing from the order, because they registered later, come last.
 * @param version the version of the tournament that the order was made from, if it must not have changed since
 * @returns `changed` if another organiser has chosen another method, or the tournament has another version; else as
 *   `chooseSeeding`
 */
export async function saveOrder(
  db: Database,
  tournamentId: string,
  userId: string,
  order: readonly string[],
  now: Date,
  version?: number,
): Promise<boolean | "changed"> {
  const seedable = isSeedable(tournamentId, userId);
  const orderable = sql`${seedable} AND ${tournaments.seeding} = 'manual'
    ${version === undefined ? sql`` : sql`AND ${tournaments.version} = ${version}`}`;
  const may = canSeed(orderable);
  const { chosen, found } = await transact(db, {
    clear: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.seed)} = NULL
      WHERE ${tournamentTeams.tournamentId} = ${tournamentId} AND ${may}`),
    number: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.seed)} = json_each.key + 1
        FROM json_each(${JSON.stringify(order)})
      WHERE ${tournamentTeams.id} = json_each.value AND ${tournamentTeams.tournamentId} = ${tournamentId} AND ${may}`),
    chosen: setSeeding(db, orderable, "manual", now),
    found: db.all(sql`SELECT 1 FROM ${tournaments} WHERE ${seedable}`),
  });
  if (chosen.rowsAffected > 0) return true;
  return found.length > 0 ? "changed" : false;
}

/** Number of times to move a team before giving up, if others keep changing the tournament. */
const TRIES = 4;

/**
 * Moves a team up or down by one in the order that the seeding page shows for seeding by hand.
 * @param known the tournament as it was read; it is read again if it has changed since
 * @returns `withdrawn` if the team has no spot any more, `changed` if someone else has chosen another method, or keeps
 *   changing the tournament; else as `chooseSeeding`
 */
export async function moveTeam(
  db: Database,
  known: PlayState,
  userId: string,
  { team, way }: { team: string; way: "up" | "down" },
  now: Date,
): Promise<boolean | "withdrawn" | "changed"> {
  const id = known.tournamentId;
  let state: PlayState | null = known;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (state.seeding !== "manual") return state.state === "open" ? "changed" : false;
    const order = presentSeeding(state).teams.map((seeded) => seeded.id);
    const from = order.indexOf(team);
    if (from < 0) return "withdrawn";
    const moved = moveItem(order, from, way === "up" ? from - 1 : from + 1);
    const saved = await saveOrder(db, id, userId, moved, now, state.version);
    if (saved !== "changed") return saved;
    state = await loadPlay(db, id);
    if (!state?.organisers.includes(userId)) return false;
  }
  return "changed";
}
