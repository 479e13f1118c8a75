import type { IdentityProvider } from "#db/schema";
import type { AuditAction } from "#db/words/audit-actions";
import { PROVIDER_NAMES } from "~/features/identities/rules";

type Details = Record<string, string | number | boolean | null>;

const ENDED: Record<string, string> = {
  one: "Signed out on one device",
  others: "Signed out on all other devices",
  global: "Signed out everywhere",
};

/** The wording of each entry of the audit log, for the account's own player. */
const EVENT_WORDS: Record<AuditAction, string | ((details: Details) => string)> = {
  "password-changed": "Password changed",
  "password-reset": "Password reset by email",
  "password-removed": "Password removed",
  "email-confirmed": "Email address confirmed",
  "email-changed": "Email address changed",
  "two-factor-enabled": "Two-factor turned on",
  "two-factor-disabled": "Two-factor turned off",
  "recovery-code-used": "Recovery code used",
  "recovery-codes-renewed": "New recovery codes created",
  "sessions-ended": ({ scope }) => ENDED[String(scope)] ?? "Signed out on other devices",
  "identity-linked": ({ provider }) => `${providerName(provider)} linked`,
  "identity-unlinked": ({ provider }) => `${providerName(provider)} unlinked`,
  "riot-claim-taken-over": "Riot account claimed by its owner",
  "data-exported": "Data downloaded",
  "deletion-scheduled": "Account deletion requested",
  "deletion-cancelled": "Account deletion cancelled",
  erased: "Account erased",
  suspended: "Account suspended",
  unsuspended: "Suspension lifted",
  "reset-link-made": "Password reset link created",
  "role-granted": ({ role }) => `You became ${role === "admin" ? "an admin" : "a moderator"}`,
  "role-revoked": ({ role }) => `You're no longer ${role === "admin" ? "an admin" : "a moderator"}`,
};

const providerName = (provider: unknown) => PROVIDER_NAMES[provider as IdentityProvider] ?? "An account";

/**
 * Returns the wording of an entry of the audit log. An entry from another release gets a wording that is true of any
 * entry.
 */
export function describeEvent(action: string, details: Details = {}): string {
  if (!Object.hasOwn(EVENT_WORDS, action)) return "Account changed";
  const words = EVENT_WORDS[action as AuditAction];
  return typeof words === "string" ? words : words(details);
}
