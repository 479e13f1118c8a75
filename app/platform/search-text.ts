/**
 * Folds a text for search: compatibility forms, accents and capitals are made equal in every script, so that "sorina"
 * finds "Sørina" and "КОВАЛЕВ" finds "Ковалёв".
 */
export function foldForSearch(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("đ", "d")
    .replaceAll("ß", "ss")
    .replace(/\s+/gu, " ")
    .trim();
}
