import { eq } from "drizzle-orm";
import { totpFactors, users } from "../../db/schema";
import type { StaffRole } from "../../db/words/staff-roles";
import type { TestApp } from "../support/app";
import { newVisitor, type Player, unique } from "./players";

/** Gives an account a confirmed second factor, with a secret that makes no codes. */
export const addSecondFactor = (app: TestApp, { id: userId }: Player) =>
  app.db.insert(totpFactors).values({ userId, secret: "none", createdAt: new Date(), confirmedAt: new Date() });

/** A moderator or an admin with a second factor, and a browser in which they are signed in. */
export async function newModerator(app: TestApp, role: StaffRole = "moderator") {
  const visitor = await newVisitor(app, { riotGameName: unique("Moderator ") });
  await app.db.update(users).set({ role }).where(eq(users.id, visitor.player.id));
  await addSecondFactor(app, visitor.player);
  return visitor;
}
