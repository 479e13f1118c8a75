import { DataSet, englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";

/**
 * Words of obscenity's dataset that are ordinary in a language of our players: "abo" is a subscription in German and
 * "negro" a colour in Spanish.
 */
const ORDINARY = new Set(["abo", "negro"]);

/** Names, places and words of the game that the dataset mistakes for obscene words. */
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

/** The matcher of this isolate, built with the first text. */
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

/** Finds obscene words of English in a text, also with look-alike letters and digits. @returns them as written */
export function findProfanity(text: string): string[] {
  matcher ??= buildMatcher();
  return matcher.getAllMatches(text, true).map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex + 1));
}
