import { domainToUnicode } from "node:url";
import { splitLinks } from "~/features/messages/rules";
import type { RequestContext } from "~/platform/context";
import { sign, unsign } from "~/platform/crypto/crypto.server";
import { hostOf, judgeLink, type LinkFinding } from "./links.server";

/** The parts of the request context needed to sign links and to read signed ones. */
export type Signing = Pick<RequestContext, "env" | "origin">;

/**
 * Finds the links of a text that must open the leaving page first.
 * @param isNewAuthor whether to suspect every link to another site: see `isNewAccount`
 * @returns the leaving page's path for each suspicious address that `splitLinks` finds; undefined if there are none
 */
export function leavingLinks(
  { env, origin }: Signing,
  text: string,
  isNewAuthor: boolean,
): Record<string, string> | undefined {
  const own = hostOf(new URL(origin));
  const suspected = splitLinks(text).flatMap(({ href }) => {
    if (!href) return [];
    const url = new URL(href);
    const isSuspect = judgeLink(url, own).length > 0 || (isNewAuthor && hostOf(url) !== own);
    return isSuspect ? [href] : [];
  });
  if (suspected.length === 0) return undefined;
  const keys = keysOf(env);
  return Object.fromEntries(
    suspected.map((to) => {
      const sig = sign(to, keys).slice(to.length + 1);
      return [to, `/leaving?${new URLSearchParams({ to, sig })}`];
    }),
  );
}

/** An address that the leaving page shows, in parts. */
export interface Leaving {
  to: string;
  /** `https://` or `http://`, then the user name and password if there are any. */
  before: string;
  /** In its encoded form, which is ASCII only. */
  host: string;
  /** Port, path, query and fragment. */
  after: string;
  /** The host as people read it, if that differs from `host`. */
  written: string | null;
  warnings: LinkFinding[];
}

/** Reads the query string of the leaving page; null unless we have signed its address. */
export function readLeaving({ env, origin }: Signing, params: URLSearchParams): Leaving | null {
  const to = unsign(`${params.get("to")}.${params.get("sig")}`, keysOf(env));
  if (to === null || !/^https?:\/\//.test(to) || !URL.canParse(to)) return null;
  const url = new URL(to);
  const { protocol, username, password, hostname, port, pathname, search, hash } = url;
  const user = password ? `${username}:${password}@` : username && `${username}@`;
  const written = domainToUnicode(hostname);
  return {
    to: url.href,
    before: `${protocol}//${user}`,
    host: hostname,
    after: `${port && `:${port}`}${pathname}${search}${hash}`,
    written: written === hostname || written === "" ? null : written,
    warnings: judgeLink(url, hostOf(new URL(origin))),
  };
}

/** Derives keys for the leaving page alone, so that its signatures are valid for nothing else. */
const keysOf = ({ SESSION_SECRET }: Signing["env"]) => SESSION_SECRET.map((secret) => sign("leaving", [secret]));
