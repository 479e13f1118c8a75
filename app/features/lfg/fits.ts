import type { PostFacts, PostListVisitor } from "#party/wire/calls";
import { wordsOf } from "~/features/players/shared/names";
import { rankPosition } from "~/game/ranks";
import { foldForSearch } from "~/platform/lists/search-text";

/** Whether the list, with these filters, would show a post: the rule of `planFilters`, for a single post. */
export function fitsFilters(
  post: PostFacts,
  { rank, role, region, voice, players, q, online }: PostListVisitor["filters"],
): boolean {
  return (
    post.isOpen &&
    (!rank || post.requiredRank === null || rankPosition(post.requiredRank) <= rankPosition(rank)) &&
    fitsChoice(post.requiredRole, role) &&
    fitsChoice(post.region, region) &&
    (!voice || post.voiceComms === voice) &&
    (!players || post.openSpots === players) &&
    (!online || post.isAuthorOnline) &&
    foldForSearch(q).split(" ").filter(Boolean).every(isAbout(post))
  );
}

const fitsChoice = <Value>(required: Value | null, chosen: Value | null) =>
  chosen === null || required === null || required === chosen;

/** Whether a word occurs in a post, or begins a word of its author's name. */
const isAbout =
  ({ searchText, names }: PostFacts) =>
  (word: string): boolean => {
    const starts = wordsOf(word);
    return (
      searchText.includes(word) ||
      (starts.length > 0 && starts.every((start) => names.some((name) => name.startsWith(start))))
    );
  };
