import { resolveConfusablesTransformer } from "obscenity";

const confusables = resolveConfusablesTransformer();

/** Reduces a word to how it looks at a glance: look-alike letters, digits and pairs become the same. */
export function skeleton(word: string): string {
  const plain = [...word.normalize("NFKD").replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")]
    .map((letter) => String.fromCodePoint(confusables.transform(letter.codePointAt(0) ?? 0) ?? 0))
    .join("");
  return plain
    .toLowerCase()
    .replace(/rn/g, "m")
    .replace(/vv/g, "w")
    .replace(/[1i]/g, "l")
    .replace(/0/g, "o")
    .replace(/3/g, "e")
    .replace(/5/g, "s");
}
