import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, tournamentPlayers, tournamentTeams } from "#db/schema";
import { pictureFor } from "~/features/blocks/shared/blocks.server";
import { nameOf } from "~/features/players/shared/name.server";
import { actingCaptain } from "../shared/lone-teams.server";

const f = alias(profiles, "f");
const p = alias(tournamentPlayers, "p");

/** A team in the list of a tournament's teams. */
export interface ListedTeam
  extends Pick<typeof tournamentTeams.$inferSelect, "id" | "name" | "state" | "seed" | "place" | "lastPlace"> {
  isDisqualified: boolean;
  isCheckedIn: boolean;
  hasCaptain: boolean;
  /** Names: the captain first, then starters, then substitutes. */
  members: string[];
  /** The number of starters. */
  starters: number;
  /** The starters' pictures, in the same order. */
  pictures: (string | null)[];
}

/**
 * Lists all teams of a tournament: seeded teams first, by seed, then the others by when they registered or joined the
 * waiting list.
 * @param viewerId undefined for a guest
 */
export async function listTeams(
  db: Database,
  tournamentId: string,
  viewerId: string | undefined,
): Promise<ListedTeam[]> {
  const [teams, players] = await Promise.all([
    db.all<
      Pick<
        typeof tournamentTeams.$inferSelect,
        "id" | "name" | "state" | "seed" | "place" | "lastPlace" | "captainId"
      > & {
        isDisqualified: number;
        checkedInAt: number | null;
        listedAt: number;
      }
    >(sql`
      SELECT ${tournamentTeams.id}, ${tournamentTeams.name}, ${tournamentTeams.state},
        ${tournamentTeams.seed}, ${tournamentTeams.place}, ${tournamentTeams.lastPlace} AS lastPlace,
        ${tournamentTeams.disqualification} IS NOT NULL AS isDisqualified,
        ${tournamentTeams.checkedInAt} AS checkedInAt,
        ${actingCaptain(tournamentTeams)} AS captainId, ${tournamentTeams.listedAt} AS listedAt
      FROM ${tournamentTeams} WHERE ${tournamentTeams.tournamentId} = ${tournamentId}`),
    db.all<
      Pick<typeof tournamentPlayers.$inferSelect, "teamId" | "userId"> & {
        isSubstitute: number;
        joinedAt: number;
        name: string;
        picture: string | null;
      }
    >(sql`
      SELECT ${p.teamId} AS teamId, ${p.userId} AS userId, ${p.isSubstitute} AS isSubstitute, ${p.joinedAt} AS joinedAt,
        ${nameOf(sql`${p.userId}`)} AS name, ${pictureFor(viewerId, p.userId, f.avatarId)} AS picture
      FROM ${tournamentPlayers} AS ${p} LEFT JOIN ${profiles} AS ${f} ON ${f.userId} = ${p.userId}
      WHERE ${p.tournamentId} = ${tournamentId}`),
  ]);
  const byTeam = new Map<string, typeof players>();
  for (const player of players) {
    const team = byTeam.get(player.teamId);
    if (team) team.push(player);
    else byTeam.set(player.teamId, [player]);
  }
  return teams
    .sort((a, b) => (a.seed ?? Infinity) - (b.seed ?? Infinity) || a.listedAt - b.listedAt)
    .map(({ captainId, checkedInAt, listedAt: _, ...team }) => {
      const members = byTeam.get(team.id) ?? [];
      members.sort(
        (a, b) =>
          Number(b.userId === captainId) - Number(a.userId === captainId) ||
          a.isSubstitute - b.isSubstitute ||
          a.joinedAt - b.joinedAt,
      );
      const starters = members.filter(({ isSubstitute }) => !isSubstitute);
      return {
        ...team,
        isDisqualified: Boolean(team.isDisqualified),
        isCheckedIn: checkedInAt !== null,
        hasCaptain: captainId !== null,
        members: members.map(({ name }) => name),
        starters: starters.length,
        pictures: starters.map(({ picture }) => picture),
      };
    });
}
