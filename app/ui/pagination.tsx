import { ButtonLink } from "./button";

/** The labels of the links to a list's other pages, for a list sorted by time or in any other order. */
const WORDS = {
  time: { label: "Newer and older", previous: "Newer", next: "Older" },
  order: { label: "Pages", previous: "Previous", next: "Next" },
  players: { label: "Pages of players", previous: "Previous page", next: "Next page" },
} as const;

/**
 * Links to the previous and next page. Keyset pages have no numbers. Each page has links of its own, so that the focus
 * doesn't stay below the new page: `PageAnnouncer` takes it to the beginning.
 */
export function Pages({
  previous,
  next,
  cutShort,
  by,
  className = "py-7",
}: {
  previous: string | null;
  next: string | null;
  /** The side on which the neighbour continues a search that reached its limit of rows. */
  cutShort?: "previous" | "next" | null;
  by: keyof typeof WORDS;
  className?: string;
}) {
  if (!previous && !next) return null;
  const words = WORDS[by];
  return (
    <nav aria-label={words.label} className={`flex flex-wrap justify-center gap-3 ${className}`}>
      {previous && (
        <ButtonLink key={previous} to={previous} prefetch="intent" rel="prev">
          {words.previous}
        </ButtonLink>
      )}
      {next && (
        <ButtonLink key={next} to={next} prefetch="intent" rel="next">
          {cutShort === "next" ? "Keep searching" : words.next}
        </ButtonLink>
      )}
    </nav>
  );
}
