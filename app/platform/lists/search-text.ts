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
 * Folds a text for search: compatibility forms, accents and capitals are made equal in every script, so that "sorina"
 * finds "Sørina" and "КОВАЛЕВ" finds "Ковалёв". Accents go where Unicode takes a letter apart (NFKD); for letters that
 * stay whole, and for the second form of the Greek sigma, the plain one is written down here.
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
