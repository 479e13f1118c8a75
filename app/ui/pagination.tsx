import { ButtonLink } from "./button";

/** What the links to a list's other pages are called: by time, or in any other order. */
const WORDS = {
  time: { label: "Newer and older", previous: "Newer", next: "Older" },
  order: { label: "Pages", previous: "Previous", next: "Next" },
  players: { label: "Pages of players", previous: "Previous page", next: "Next page" },
} as const;

/** The ways to the pages before and after this one. Keyset pages have no numbers: there is only back and further. */
export function Pages({
  previous,
  next,
  cutShort,
  by,
  className = "py-7",
}: {
  previous: string | null;
  next: string | null;
  /** On this side a search goes on that had read enough. */
  cutShort?: "previous" | "next" | null;
  by: keyof typeof WORDS;
  className?: string;
}) {
  if (!previous && !next) return null;
  const words = WORDS[by];
  return (
    <nav aria-label={words.label} className={`flex flex-wrap justify-center gap-3 ${className}`}>
      {previous && (
        <ButtonLink to={previous} prefetch="intent" rel="prev">
          {words.previous}
        </ButtonLink>
      )}
      {next && (
        <ButtonLink to={next} prefetch="intent" rel="next">
          {cutShort === "next" ? "Search further" : words.next}
        </ButtonLink>
      )}
    </nav>
  );
}
