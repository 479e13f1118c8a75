import { unstable_readConfig as readWranglerConfig } from "wrangler";
import type { Env } from "../../app/platform/env";

/** The settings that a site for the public needs, and what for. */
const OPERATOR_SETTINGS = {
  OPERATOR_NAME: "who runs the site, for /imprint, /terms and /privacy",
  OPERATOR_ADDRESS: "the operator's postal address, for /imprint and /privacy",
  CONTACT_EMAIL: "where players and authorities write to, for /contact and e-mails",
} as const satisfies Partial<Record<keyof Env, string>>;

/**
 * Lists the settings about the operator that a deployment lacks, each with its purpose.
 * @param config the path of `wrangler.toml`
 * @param args wrangler's arguments, in which `--var NAME:value` sets a variable, too
 */
export function missingOperatorSettings(config: string, args: readonly string[]): string[] {
  const { vars } = readWranglerConfig({ config });
  const isSet = (name: string) =>
    String(vars[name] ?? "").trim() !== "" ||
    args.some((arg) => arg.replace(/^--var=/, "").startsWith(`${name}:`) && !arg.endsWith(":"));
  return Object.entries(OPERATOR_SETTINGS)
    .filter(([name]) => !isSet(name))
    .map(([name, purpose]) => `${name}: ${purpose}`);
}
