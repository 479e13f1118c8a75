const PLAIN: Record<string, string> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ς: "σ",
};

/**
 * Folds a text for search: removes differences of compatibility form, accent and case in every script, so that "sorina"
 * finds "Sørina" and "КОВАЛЕВ" finds "Ковалёв". Unicode's decomposition (NFKD) separates most accents; the table above
 * has the letters that it doesn't decompose, and the final form of the Greek sigma.
 */
export function foldForSearch(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[øłđðħŧıßæœþς]/gu, (letter) => PLAIN[letter] ?? letter)
    .replace(/\s+/gu, " ")
    .trim();
}
