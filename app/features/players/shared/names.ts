import { foldForSearch } from "~/platform/lists/search-text";

/** Scripts that write words without spaces between them: a name in them is found from any of its characters on. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** So many of a name's words, and so much of each, are kept: more than a Riot ID can hold. */
const MAX_WORDS = 24;
const MAX_WORD_LENGTH = 40;

/**
 * The words that someone types to find a player, folded: letters and digits of any script, all capitals and accents equal.
 * What follows a `#` is a tag and not looked for, since others see none of a verified player.
 */
export function wordsOf(text: string): string[] {
  const name = text.includes("#") ? text.slice(0, text.indexOf("#")) : text;
  const words = splitWords(name).map(foldWord);
  // A name may be nothing but signs.
  const signs = foldWord(text.replace(/\s/gu, ""));
  return words.length > 0 ? words : signs ? [signs] : [];
}

/**
 * The words by whose beginning a player is found: those of the name, all of them written as one, and in scripts that know no
 * spaces every ending of each.
 * @param name the game name, else the Riot ID
 */
export function nameWords(name: string): string[] {
  const parts = splitWords(name.includes("#") ? name.slice(0, name.indexOf("#")) : name);
  const endings = parts.flatMap((part) => (UNSPACED.test(part) ? endingsOf(part) : [part]));
  const all = [...wordsOf(name), ...endings.map(foldWord), foldWord(parts.join(""))].filter(Boolean);
  return [...new Set(all)].slice(0, MAX_WORDS);
}

const splitWords = (text: string) =>
  text
    .normalize("NFC")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);

const foldWord = (word: string) => foldForSearch(word).slice(0, MAX_WORD_LENGTH);

function endingsOf(word: string): string[] {
  const characters = [...word];
  return characters.map((_, index) => characters.slice(index).join(""));
}
