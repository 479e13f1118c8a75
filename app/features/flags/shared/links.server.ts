import { domainToUnicode } from "node:url";
import type { Finding } from "#db/words/findings";
import { skeleton } from "./skeleton.server";

/** The findings that an address alone can cause. */
export type LinkFinding = Exclude<Finding, "profanity" | "new-account-link" | "reserved-name">;

/** Services that hide where a link leads, or note who opens it. */
const SHORTENERS = new Set(
  `2no.co adf.ly bc.vc bit.do bit.ly bl.ink buff.ly clck.ru cutt.ly dub.sh goo.gl goo.su grabify.link iplogger.com
  iplogger.org is.gd j.mp lnkd.in ouo.io ow.ly qr.ae rb.gy rebrand.ly s.id short.gy short.io shorte.st shorturl.asia
  shorturl.at shrtco.de soo.gd surl.li t.co t.ly tiny.cc tiny.one tinyurl.com u.to urlz.fr v.gd vk.cc x.gd yip.su`.split(
    /\s+/,
  ),
);

/**
 * Endings that make a word without `https://` likely to be a host. Countries' endings that are also common English
 * words, such as `is`, `it`, `me` and `to`, are left out.
 */
const BARE_ENDINGS = new Set(
  "app biz cc club com de dev fr gg gift gifts info io link live net online org pro ru shop site store su top tv uk xyz".split(
    " ",
  ),
);

interface Brand {
  name: string;
  /** Its genuine domains; their subdomains are genuine, too. */
  domains: readonly string[];
  /**
   * Whether other domains may contain the name as a word: "youtube.de", "valorant-stats.example". Then only imitations
   * of its spelling or of its genuine domains count.
   */
  isWord?: true;
}

/** Brands that scammers are likely to imitate here. */
const BRANDS: readonly Brand[] = [
  { name: "riotgames", domains: ["riotgames.com"] },
  { name: "playvalorant", domains: ["playvalorant.com"] },
  { name: "valorant", domains: [], isWord: true },
  {
    name: "discord",
    domains: `discord.com discord.gg discord.co discord.dev discord.gift discord.gifts discord.media discord.new
      discordapp.com discordapp.net discordstatus.com`.split(/\s+/),
  },
  { name: "steamcommunity", domains: ["steamcommunity.com"] },
  { name: "steampowered", domains: ["steampowered.com"] },
  { name: "twitch", domains: ["twitch.tv", "twitch.com"] },
  { name: "youtube", domains: ["youtube.com", "youtu.be"], isWord: true },
];

/** Minimum length of names checked for typos. Shorter ones are too close to other words. */
const MIN_TYPO_LENGTH = 7;

/** Scripts that are commonly written together with Latin letters. */
const WITH_LATIN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

/**
 * Cyrillic letters that look like Latin ones, as Chromium lists them. A label of only these letters is a disguise if
 * the host's ending is Latin.
 */
const LIKE_LATIN = /^[аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡ-]+$/u;

/**
 * Judges an address by itself.
 * @param own the host of this site, which is never suspicious but may be imitated; null if unknown
 */
export function judgeLink(url: URL, own: string | null): LinkFinding[] {
  const host = hostOf(url);
  const hasUser = url.username !== "" || url.password !== "";
  if (host === own) return hasUser ? ["userinfo-link"] : [];
  return [
    ...(hasUser ? (["userinfo-link"] as const) : []),
    ...(isLookAlike(host, own) ? (["lookalike-link"] as const) : []),
    ...(SHORTENERS.has(host.replace(/^www\./, "")) ? (["shortener"] as const) : []),
  ];
}

/** Returns an address's host for comparison: without port and trailing dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, "");

/** Parses a word as an address without `https://`; null if it isn't one. */
export function readBareLink(word: string): URL | null {
  if (!/^[^\s:/?#@]+\.\p{L}{2,}(?:[:/?#]|$)/u.test(word) || !URL.canParse(`http://${word}`)) return null;
  const url = new URL(`http://${word}`);
  const host = hostOf(url);
  return SHORTENERS.has(host) || BARE_ENDINGS.has(host.slice(host.lastIndexOf(".") + 1)) ? url : null;
}

/** Whether a host mixes alphabets, has a disguised label (`LIKE_LATIN`), or imitates a known name or this site. */
function isLookAlike(host: string, own: string | null): boolean {
  const shown = domainToUnicode(host) || host;
  const labels = shown.split(".");
  const isDisguised = /\.[a-z]+$/.test(shown) && labels.some((label) => LIKE_LATIN.test(label));
  if (isDisguised || labels.some(mixesScripts)) return true;
  const brands = [...BRANDS, ...ownBrand(own)];
  const isGenuine = brands.some(({ domains }) =>
    domains.some((domain) => host === domain || host.endsWith(`.${domain}`)),
  );
  return !isGenuine && brands.some((brand) => imitates(shown, labels, brand));
}

function ownBrand(own: string | null): Brand[] {
  const name = own?.split(".").at(-2);
  return own && name && name.length > 3 && /\p{L}/u.test(name) ? [{ name, domains: [own], isWord: true }] : [];
}

function mixesScripts(label: string): boolean {
  if (!/\p{Script=Latin}/u.test(label)) return false;
  return [...label].some((letter) => /(?!\p{Script=Latin})\p{L}/u.test(letter) && !WITH_LATIN.test(letter));
}

function imitates(shown: string, labels: readonly string[], { name, domains, isWord }: Brand): boolean {
  // "discord.com.example", "discord.com-login.example"
  if (domains.some((domain) => [".", "-"].some((after) => `.${shown}`.includes(`.${domain}${after}`)))) return true;
  const main = labels.at(-2) ?? "";
  const nameSkeleton = skeleton(name);
  return labels.slice(0, -1).some((label) => {
    const parts = label.split("-");
    // Others may use the name below their own domain: "discord.js.org".
    if (parts.includes(name)) return label === main && !isWord;
    const labelSkeleton = skeleton(label);
    return (
      labelSkeleton.split("-").includes(nameSkeleton) ||
      (label === main && name.length >= MIN_TYPO_LENGTH && isTypo(labelSkeleton, nameSkeleton))
    );
  });
}

/** Whether two words differ by one extra letter, one missing letter, or two swapped neighbours. */
function isTypo(word: string, meant: string): boolean {
  if (word === meant) return false;
  if (word.length === meant.length) {
    const at = [...word].findIndex((letter, index) => letter !== meant[index]);
    return word[at] === meant[at + 1] && word[at + 1] === meant[at] && word.slice(at + 2) === meant.slice(at + 2);
  }
  const [short, long] = word.length < meant.length ? [word, meant] : [meant, word];
  if (long.length - short.length !== 1) return false;
  const at = [...long].findIndex((letter, index) => letter !== short[index]);
  return short.slice(at) === long.slice(at + 1);
}
