import { unstable_readConfig as readWranglerConfig } from "wrangler";
import type { Env } from "../../app/platform/env";

/** wrangler's arguments that give the Worker a route or a domain. */
const ROUTE_ARGUMENT = /^--(?:routes?|domains?)\b/;

/** The settings that a public site needs, each with its purpose. */
const OPERATOR_SETTINGS = {
  OPERATOR_NAME: "who runs the site, for /imprint, /terms and /privacy",
  OPERATOR_ADDRESS: "the operator's postal address, for /imprint and /privacy",
  CONTACT_EMAIL: "where players and authorities write to, for /contact and emails",
} as const satisfies Partial<Record<keyof Env, string>>;

/**
 * Lists the settings about the operator that a deployment lacks, each with its purpose.
 * @param config the path of `wrangler.toml`
 * @param args wrangler's arguments, in which `--var NAME:value` also sets a variable
 */
export function missingOperatorSettings(config: string, args: readonly string[]): string[] {
  return Object.entries(OPERATOR_SETTINGS)
    .filter(([name]) => !readSetting(config, args, name))
    .map(([name, purpose]) => `${name}: ${purpose}`);
}

/**
 * Lists the reasons not to deploy: settings without which the site would have no origin of its own, or more than one.
 * @param config the path of `wrangler.toml`
 * @param args wrangler's arguments
 */
export function findOriginProblems(config: string, args: readonly string[]): string[] {
  const { workers_dev, preview_urls, routes, route } = readWranglerConfig({ config });
  const origin = readSetting(config, args, "APP_ORIGIN");
  const hasRoute = Boolean(route || routes?.length || args.some((arg) => ROUTE_ARGUMENT.test(arg)));
  const problems: string[] = [];
  if (!origin) problems.push('Set APP_ORIGIN = "https://your.domain" under [vars]: the one address of the site.');
  else if (!origin.startsWith("https://")) problems.push("APP_ORIGIN must begin with https://.");
  if (hasRoute && workers_dev !== false) {
    problems.push("Set workers_dev = false: the site has a route, and *.workers.dev would be a second door.");
  }
  if (hasRoute && preview_urls !== false) {
    problems.push("Set preview_urls = false: each version would get an address of its own.");
  }
  return problems;
}

/** Reads a variable of the Worker from `wrangler.toml` or wrangler's arguments; empty if neither sets it. */
function readSetting(config: string, args: readonly string[], name: string): string {
  const argument = args.map((arg) => arg.replace(/^--var=/, "")).find((arg) => arg.startsWith(`${name}:`));
  return (argument?.slice(name.length + 1) ?? String(readWranglerConfig({ config }).vars[name] ?? "")).trim();
}
