import type { Env } from "./env";

/** The operator of this site, as named on its public pages; null for unset settings. */
export interface Operator {
  name: string | null;
  /** The postal address, with its line breaks. */
  address: string | null;
  contactEmail: string | null;
  /** The contact address if no separate one is set. */
  securityEmail: string | null;
}

type OperatorEnv = Pick<Env, "OPERATOR_NAME" | "OPERATOR_ADDRESS" | "CONTACT_EMAIL" | "SECURITY_EMAIL">;

/** Reads the operator from the settings. */
export const operatorOf = (env: OperatorEnv): Operator => ({
  name: env.OPERATOR_NAME ?? null,
  address: env.OPERATOR_ADDRESS ?? null,
  contactEmail: env.CONTACT_EMAIL ?? null,
  securityEmail: env.SECURITY_EMAIL ?? env.CONTACT_EMAIL ?? null,
});

/**
 * Returns the contact address for the sentence "write to us at …": the operator's email address, or else the URL of
 * the page with their contact details.
 */
export const contactPoint = ({ env, origin }: { env: Pick<Env, "CONTACT_EMAIL">; origin: string }): string =>
  env.CONTACT_EMAIL ?? `${origin}/contact`;
