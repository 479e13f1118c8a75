import { Pages } from "~/ui/pagination";
import { ListedMatchBox, type MatchesOnPage } from "./match-line";
import type { MatchList } from "./match-list";

/** A page of a tournament's matches, under headings. */
export function MatchSections({
  list,
  page,
  previous,
  next,
}: {
  list: Pick<MatchList, "sections" | "waiting">;
  page: MatchesOnPage;
  /** The addresses of the neighbouring pages; null where there is none. */
  previous: string | null;
  next: string | null;
}) {
  return (
    <div data-view="list">
      {list.sections.map(({ title, matches }) => (
        <section key={title} aria-label={title} className="mb-8">
          <h2 className="pt-3 pb-3 font-display text-rail">{title}</h2>
          <ul className="bracket-places">
            {matches.map((id) => {
              const match = page.matches.get(id);
              return (
                match && (
                  <li key={id}>
                    <ListedMatchBox match={match} page={page} />
                  </li>
                )
              );
            })}
          </ul>
        </section>
      ))}
      {list.waiting > 0 && (
        <p className="text-muted">
          {list.waiting === 1 ? "1 more match is waiting" : `${list.waiting} more matches are waiting`} for{" "}
          {list.waiting === 1 ? "its" : "their"} teams.
        </p>
      )}
      <Pages previous={previous} next={next} by="order" />
    </div>
  );
}
