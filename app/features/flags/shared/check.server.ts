import type { Finding } from "#db/words/findings";
import { splitLinks } from "~/features/messages/rules";
import { hostOf, judgeLink, readBareLink } from "./links.server";
import { findProfanity } from "./profanity.server";
import { isReservedName } from "./reserved-names.server";

/** Maximum number of matches kept per finding, and of characters per match. */
const MAX_MATCHES = 5;
const MAX_MATCH_LENGTH = 200;

/** The words or addresses that a check has found in a text, as they were written. */
interface Found {
  finding: Finding;
  matches: string[];
}

/**
 * Checks a player's text. Every address outside this site causes a `new-account-link`, which counts only if the
 * author's account is new.
 * @param origin this site's; null if unknown
 * @param isName whether the text is a name or a title, which may be reserved
 */
export function checkText(text: string, origin: string | null, isName = false): Found[] {
  const own = origin && hostOf(new URL(origin));
  const found = new Map<Finding, Set<string>>();
  const add = (finding: Finding, match: string) => {
    const matches = found.get(finding) ?? new Set();
    if (matches.size < MAX_MATCHES) matches.add(match.slice(0, MAX_MATCH_LENGTH));
    found.set(finding, matches);
  };
  for (const word of findProfanity(text)) add("profanity", word);
  for (const { written, url } of linksIn(text)) {
    for (const finding of judgeLink(url, own)) add(finding, written);
    if (hostOf(url) !== own) add("new-account-link", written);
  }
  if (isName && isReservedName(text.replace(/#[^#]*$/, ""))) add("reserved-name", text);
  return [...found].map(([finding, matches]) => ({ finding, matches: [...matches] }));
}

/** Lists the addresses in a text: links, and addresses without `https://`, which readers would type themselves. */
function* linksIn(text: string): Generator<{ written: string; url: URL }> {
  for (const { text: part, href } of splitLinks(text)) {
    if (href) yield { written: part, url: new URL(href) };
    else {
      for (const word of part.split(/[\s<>()[\]{}"“”'‘’,;|]+/u)) {
        const written = word.replace(/[.:!?*_~]+$/u, "");
        const url = readBareLink(written);
        if (url) yield { written, url };
      }
    }
  }
}
