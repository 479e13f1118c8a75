import { type VerificationPurpose, verifications } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { createToken, hashToken } from "~/platform/crypto/crypto.server";
import { VERIFICATION_LIFETIME } from "../codes/verification.server";

/**
 * Creates a link without sending it, for an operator to pass on. Nobody learns the code that goes with it. Like every
 * link, it lasts ten minutes, works once, and is void if the address changes.
 * @returns the link, when it expires, and the statement that stores it
 */
export function createLink(
  { db, now, origin }: Pick<RequestContext, "db" | "now" | "origin">,
  { purpose, user, path }: { purpose: VerificationPurpose; user: { id: string; email: string }; path: string },
) {
  const linkToken = createToken();
  const row = {
    id: hashToken(createToken()),
    linkHash: hashToken(linkToken),
    codeHash: hashToken(createToken()),
    purpose,
    userId: user.id,
    email: user.email,
    createdAt: now,
    expiresAt: new Date(now.getTime() + VERIFICATION_LIFETIME),
  };
  const link = `${origin}${path}?${new URLSearchParams({ token: linkToken })}`;
  return { statement: db.insert(verifications).values(row), link, expiresAt: row.expiresAt };
}
