import { foldForSearch } from "~/platform/lists/search-text";

/** Scripts whose words often aren't separated by spaces. A search may begin at any character of a name in them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** The most words stored for a name, and the most characters of each: more than a game name of 16 characters needs. */
const MAX_WORDS = 24;
const MAX_WORD_LENGTH = 40;

/**
 * Splits the text that someone types to find a player into folded words: letters and digits of any script, ignoring
 * case and accents. The part after a `#` is a tag, which is ignored: others don't see a verified player's tag.
 */
export function wordsOf(text: string): string[] {
  const name = text.includes("#") ? text.slice(0, text.indexOf("#")) : text;
  // Folding leaves nothing of a combining accent that stands alone.
  const words = splitWords(name).map(foldWord).filter(Boolean);
  // A name may consist of symbols alone.
  const symbols = foldWord((name || text).replace(/\s/gu, ""));
  return words.length > 0 ? words : symbols ? [symbols] : [];
}

/**
 * Returns the words whose beginnings find a player: those of the name, all of them written as one, and, in scripts
 * without spaces, every ending of each.
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
