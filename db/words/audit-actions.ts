/** The entries of the audit log: an account's history, shown to its player and to operators. */
export const AUDIT_ACTIONS = [
  "password-changed",
  "password-reset",
  "password-removed",
  "email-confirmed",
  "email-changed",
  "two-factor-enabled",
  "two-factor-disabled",
  "recovery-code-used",
  "recovery-codes-renewed",
  "sessions-ended",
  "identity-linked",
  "identity-unlinked",
  "riot-claim-taken-over",
  "data-exported",
  "deletion-scheduled",
  "deletion-cancelled",
  "erased",
  "suspended",
  "unsuspended",
  "reset-link-made",
  "role-granted",
  "role-revoked",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
