import * as z from "zod";
import { LOCK_SCREENS } from "#db/words/lock-screens";
import { CHANNELS, NEWS_GROUPS } from "#db/words/news-groups";
import { MOST_RECENT } from "./rules";
import type { FoundNews } from "./shared/notify.server";

/** Returns the value that stands for a notification, as the page found it, in the forms of the list's buttons. */
export const newsField = ({ id, createdAt }: FoundNews): string => `${createdAt}_${id}`;

const news = z
  .string()
  .regex(/^\d{1,15}_[0-9a-f-]{32,36}$/)
  .transform((field): FoundNews => {
    const [createdAt = "", id = ""] = field.split("_");
    return { id, createdAt: Number(createdAt) };
  });

/** The buttons of the list. They mark as read the news that its page had found: see `markAllNotificationsRead`. */
export const readSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("read"), news: z.tuple([news]) }),
  z.object({
    intent: z.literal("read-all"),
    until: z.coerce.number().int().positive(),
    news: z.array(news).max(MOST_RECENT),
  }),
]);

/** An hour of the day; undefined if the field is empty. */
const hour = z.coerce.number().int().min(0).max(23).optional();

/** The groups turned on in one column of the switch table, which has a row per group and a column per channel. */
const groups = z.array(z.enum(NEWS_GROUPS)).max(NEWS_GROUPS.length).default([]);

const kinds = z.array(z.string().max(50)).max(50).default([]);

/**
 * The settings form: the kinds that are turned on, the switch table and the push settings. `listed` has all kinds that
 * the form shows, and `channels` the table's columns; `bell`, `push` and `email` are their contents. A page from an
 * older release has neither `listed` nor a table. A site without push has neither the push column nor the lock-screen
 * field.
 */
export const notificationSettingsSchema = z
  .object({
    kinds,
    listed: kinds,
    channels: z.array(z.enum(CHANNELS)).max(CHANNELS.length).default([]),
    bell: groups,
    push: groups,
    email: groups,
    lockScreen: z.enum(LOCK_SCREENS).optional(),
    quietFrom: hour,
    quietUntil: hour,
  })
  .superRefine(({ quietFrom, quietUntil }, { addIssue }) => {
    const refuse = (field: "quietFrom" | "quietUntil", message: string) =>
      addIssue({ code: "custom", path: [field], message });
    if (quietFrom === undefined && quietUntil !== undefined) {
      refuse("quietFrom", "Choose when quiet hours begin, or set both to None.");
    } else if (quietUntil === undefined && quietFrom !== undefined) {
      refuse("quietUntil", "Choose when quiet hours end, or set both to None.");
    } else if (quietFrom !== undefined && quietFrom === quietUntil) {
      refuse("quietUntil", "Choose two different hours.");
    }
  });
