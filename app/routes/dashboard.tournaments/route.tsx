import type { MetaFunction, SerializeFrom } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import type { ComponentProps } from "react";
import { PageHead } from "~/features/dashboard/dashboard-page";
import { LIST } from "~/features/tournaments/list/filters";
import { TournamentCard } from "~/features/tournaments/list/tournament-card";
import { TournamentFilters } from "~/features/tournaments/list/tournament-filters";
import type { ListingGap } from "~/features/tournaments/listing";
import { UnlistedNotice } from "~/features/tournaments/unlisted-notice";
import { privatePage } from "~/platform/pages/page-meta";
import { ButtonLink } from "~/ui/button";
import { keepUnderDialog } from "~/ui/dialogs/dialogs";
import { useInertBehindDialog } from "~/ui/dialogs/use-inert-behind-dialog";
import { EmptyState } from "~/ui/empty-state";
import { ChevronIcon, PlusIcon } from "~/ui/icons";
import { Prerendered, useMissingParts } from "~/ui/page/prerendered";
import { Pages } from "~/ui/pagination";
import type { loader } from "./load-tournaments.server";
import "~/shell";

const ORDERS = { newest: "Newest", deadline: "Registration closes soonest", date: "By date" } as const;

export const meta: MetaFunction = () => privatePage("Tournaments");

export const shouldRevalidate = keepUnderDialog;

export { loader } from "./load-tournaments.server";

export default function TournamentsTab() {
  const { timeZone, filters, filterCount, order, rank, gaps, unlisted, empty, cards, pages } =
    useLoaderData<typeof loader>();
  const inert = useInertBehindDialog();
  const { search } = useLocation();
  useMissingParts();
  return (
    <>
      <main id="content" className="measure w-full flex-1 pb-14" {...inert}>
        <PageHead
          title="Tournaments"
          action={
            <ButtonLink to={`${LIST}/new${search}`} variant="primary" preventScrollReset>
              <PlusIcon className="size-4" />
              Host Tournament
            </ButtonLink>
          }
        />
        <TournamentFilters filters={filters} filterCount={filterCount} rank={rank} timeZone={timeZone} />
        <Unlisted {...unlisted} gaps={gaps} />
        <section aria-labelledby="list" className="mt-6 md:mt-7">
          <h2 id="list" className="mb-4 font-display text-section">
            {ORDERS[order]}
          </h2>
          {empty ? (
            <EmptyState title={empty.title}>
              {empty.link && <ButtonLink to={empty.link.to}>{empty.link.text}</ButtonLink>}
            </EmptyState>
          ) : (
            <Prerendered as="div" data={cards}>
              {(shown) => <Cards cards={shown} />}
            </Prerendered>
          )}
          <Pages {...pages} by="order" />
        </section>
      </main>
      <Outlet />
    </>
  );
}

/** The viewer's own tournaments that other players' lists leave out. Those that are over are folded away. */
function Unlisted({ current, over, gaps }: SerializeFrom<typeof loader>["unlisted"] & { gaps: readonly ListingGap[] }) {
  if (current.length + over.length === 0) return null;
  return (
    <section aria-labelledby="unlisted" className="mt-6 md:mt-7">
      <h2 id="unlisted" className="mb-4 font-display text-section">
        Yours, by link
      </h2>
      {current.length > 0 && <UnlistedNotice gaps={gaps} className="mb-6" />}
      <Cards cards={current} />
      {over.length > 0 && (
        <details className="group mt-3">
          <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 font-semibold">
            <ChevronIcon className="size-4 group-open:rotate-180" />
            Over ({over.length})
          </summary>
          <div className="mt-3">
            <Cards cards={over} />
          </div>
        </details>
      )}
    </section>
  );
}

function Cards({ cards }: { cards: readonly ComponentProps<typeof TournamentCard>[] }) {
  return (
    <div className="grid items-start gap-6 md:grid-cols-2">
      {cards.map((card) => (
        <TournamentCard key={card.to} {...card} />
      ))}
    </div>
  );
}
