import { DataSet, englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";

/**
 * Words in the dataset of `obscenity` that are ordinary in another language: "abo" is a subscription in German, and
 * "negro" a colour in Spanish.
 */
const ORDINARY = new Set(["abo", "negro"]);

/** Names, places and ordinary words that the dataset mistakes for obscene ones. */
const INNOCENT = [
  "ass.", // "Ass. coach"
  "assort",
  "artisanal",
  "booby trap",
  "cockpit",
  "cumin",
  "cumming", // Cummings
  "dickinson",
  "dickson",
  "fagan",
  "fager",
  "fagun",
  "fk ", // FK Partizan
  "fu",
  "fuku", // Fukuoka
  "georgies",
  "georgy",
  "kanal", // A channel in German, Turkish and Swedish.
  "peniston",
  "riddick",
  "romanus",
  "silvanus",
  "stephanus",
];

/** This isolate's matcher, built on first use. */
let matcher: RegExpMatcher | undefined;

function buildMatcher(): RegExpMatcher {
  const { blacklistedTerms, whitelistedTerms = [] } = new DataSet<{ originalWord: string }>()
    .addAll(englishDataset)
    .removePhrasesIf(({ metadata }) => ORDINARY.has(metadata?.originalWord ?? ""))
    .build();
  return new RegExpMatcher({
    ...englishRecommendedTransformers,
    blacklistedTerms,
    whitelistedTerms: [...whitelistedTerms, ...INNOCENT],
  });
}

/**
 * Finds obscene English words in a text, including disguises with look-alike letters and digits.
 * @returns them as written
 */
export function findProfanity(text: string): string[] {
  matcher ??= buildMatcher();
  return matcher.getAllMatches(text, true).map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex + 1));
}
