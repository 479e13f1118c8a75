import { Fragment } from "react";
import { VerifiedMark } from "~/features/riot/shared/verified-mark";
import { Avatar } from "~/ui/avatar";
import { EmptyState } from "~/ui/empty-state";
import { RankBadge } from "~/ui/game/rank-badge";
import { RoleChip } from "~/ui/game/role-chip";
import { Link } from "~/ui/link";
import type { SearchResults as Results, SearchGroup, SearchResult } from "./results";

/** The results of a search, a section for each kind. */
export function SearchResults({ q, groups, as: Heading = "h2" }: Results & { as?: "h2" | "h3" }) {
  const count = groups.reduce((sum, { results }) => sum + results.length, 0);
  return (
    <div className="grid gap-y-7 pt-5">
      <p role="status" className="text-meta wrap-anywhere text-muted">
        {q
          ? `${count === 0 ? "No results" : count === 1 ? "1 result" : `${count} results`} for “${q}”`
          : "Find players by name, open posts by words or author, tournaments by title, and your chats by name."}
      </p>
      {groups.map((group) => (
        <Group key={group.title} {...group} Heading={Heading} />
      ))}
      {q && groups.length === 0 && <EmptyState title="Try the start of a name, or fewer words." />}
    </div>
  );
}

function Group({ title, results, more, limit, Heading }: SearchGroup & { Heading: "h2" | "h3" }) {
  const id = `found-${title.toLowerCase()}`;
  return (
    <section aria-labelledby={id}>
      <Heading id={id} className="pb-3 font-display text-section">
        {title}
      </Heading>
      <div className="border-t-2 border-text">
        <ul>
          {results.map((result) => (
            <Row key={result.to} {...result} />
          ))}
        </ul>
        {(more || limit) && (
          <p className="flex flex-wrap gap-x-3.5 border-t border-line pt-3 text-meta wrap-anywhere text-muted first:border-t-0">
            {limit && <span>{limit}</span>}
            {more && (
              <Link to={more.to} className="link touch:-my-3 touch:py-3">
                {more.label}
              </Link>
            )}
          </p>
        )}
      </div>
    </section>
  );
}

/** A result: its name is a link that covers the row. A player's banner hangs from the rule above. */
function Row({ to, name, banner, verified, rank, role, facts }: SearchResult) {
  return (
    <li className="group relative isolate border-t border-line py-3 first:border-t-0 hover:bg-raised">
      {banner && (
        <span className="absolute -top-px left-0 group-first:top-0">
          <Avatar {...banner} />
        </span>
      )}
      <div className={`min-w-0 ${banner ? "min-h-8 pl-[52px]" : ""}`}>
        <p className="flex flex-wrap items-center gap-x-3.5 gap-y-1">
          <Link
            to={to}
            dir="auto"
            prefetch="intent"
            className="min-w-0 font-semibold wrap-anywhere after:absolute after:inset-0 after:-z-1 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-spot-edge"
          >
            {name}
          </Link>
          {verified && <VerifiedMark {...verified} />}
          {rank && <RankBadge rank={rank} />}
          {role && <RoleChip role={role} />}
        </p>
        {facts.length > 0 && (
          <p className="line-clamp-2 text-meta wrap-anywhere text-muted">
            {facts.map((fact, index) => (
              <Fragment key={fact}>
                {index > 0 && " · "}
                <bdi>{fact}</bdi>
              </Fragment>
            ))}
          </p>
        )}
      </div>
    </li>
  );
}
