/** The roles that operators grant. An admin may do everything that a moderator may. */
export const STAFF_ROLES = ["moderator", "admin"] as const;

export type StaffRole = (typeof STAFF_ROLES)[number];
