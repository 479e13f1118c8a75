import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { hasSecondFactor, isSuspended } from "#db/accounts";
import { trustedDevices, users } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { thisDevice } from "../two-factor/trusted-devices.server";

const device = alias(trustedDevices, "device");

/** The account columns that every way of signing in needs, selected by the statement that finds the account. */
export function signInColumns(context: RequestContext) {
  const isTrusted = sql`EXISTS (SELECT 1 FROM ${trustedDevices} AS ${device}
    WHERE ${device.id} = ${thisDevice(context)} AND ${device.userId} = ${users.id}
    AND ${device.expiresAt} > ${context.now.getTime()})`;
  return {
    id: users.id,
    email: users.email,
    /** 1 if the account is suspended: its sessions then open little more than the moderators' decisions about it. */
    isSuspended: sql<number>`${isSuspended(context.now)}`,
    passwordHash: users.passwordHash,
    /** 1 if the player has a second factor, even if this browser may skip it. */
    hasSecondFactor: sql<number>`${hasSecondFactor(sql`users.id`)}`,
    /** 1 if the player has a second factor and this browser must be asked for it. */
    owesSecondFactor: sql<number>`${hasSecondFactor(sql`users.id`)} AND NOT ${isTrusted}`,
  };
}

export type SignInAccount = Pick<typeof users.$inferSelect, "id" | "email" | "passwordHash"> & {
  isSuspended: number;
  hasSecondFactor: number;
  owesSecondFactor: number;
};
