import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { notificationSwitches, notifications, users } from "#db/schema";
import { bare, columnsOf, newsKinds } from "#db/sql";
import type { Channel, NewsGroup } from "#db/words/news-groups";
import type { NewsKind } from "#db/words/news-kinds";
import { isOnByDefault, kindsOf, type SetSwitch } from "./switches";

/**
 * SQL condition that a player gets a group's news through a channel.
 * @param userId the player, as an SQL expression; a column needs its table's alias
 */
export const isSwitchedOn = (userId: SQL, group: NewsGroup, channel: Channel): SQL => sql`coalesce((
    SELECT ${notificationSwitches.isOn} FROM ${notificationSwitches}
    WHERE ${notificationSwitches.userId} = ${userId} AND ${notificationSwitches.newsGroup} = ${group}
      AND ${notificationSwitches.channel} = ${channel}
  ), ${isOnByDefault(group, channel) ? 1 : 0})`;

/** The columns by which news waits to be pushed or emailed. News outside the bell is neither pushed nor emailed. */
const WAITING = {
  bell: [notifications.pushDueAt, notifications.emailDueAt],
  push: [notifications.pushDueAt],
  email: [notifications.emailDueAt],
} as const;

/** Builds the statements that drop a player's waiting pushes and emails of some kinds, when they turn off a channel. */
export const dropWaiting = (db: Database, userId: string, channel: Channel, kinds: readonly NewsKind[]) =>
  WAITING[channel].map((due) =>
    db.run(sql`UPDATE ${notifications} SET ${bare(due)} = NULL
      WHERE ${notifications.userId} = ${userId} AND ${due} IS NOT NULL
        AND ${notifications.kind} IN (${newsKinds(...kinds)})`),
  );

/**
 * Builds the statements that set a player's switches. They also drop the waiting pushes and emails of groups that are
 * turned off. They have no effect once the account is erased.
 */
export const saveSwitches = (db: Database, userId: string, switches: readonly SetSwitch[]) =>
  switches.flatMap((one) => saveSwitch(db, userId, one));

function saveSwitch(db: Database, userId: string, { newsGroup, channel, isOn }: SetSwitch) {
  return [
    db.run(sql`
      INSERT INTO ${notificationSwitches} ${columnsOf(notificationSwitches, "userId", "newsGroup", "channel", "isOn")}
      SELECT ${userId}, ${newsGroup}, ${channel}, ${isOn ? 1 : 0}
      WHERE EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${userId})
      ON CONFLICT ${columnsOf(notificationSwitches, "userId", "newsGroup", "channel")} DO UPDATE
        SET ${bare(notificationSwitches.isOn)} = excluded.${bare(notificationSwitches.isOn)}`),
    ...(isOn ? [] : dropWaiting(db, userId, channel, kindsOf(newsGroup))),
  ];
}
