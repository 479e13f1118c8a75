import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageHead } from "~/features/dashboard/dashboard-page";
import { NobodyElse } from "~/features/moderation/appeals/nobody-else";
import { presentWaiting } from "~/features/moderation/appeals/present.server";
import { hasOtherModerator, listWaitingAppeals } from "~/features/moderation/appeals/queries.server";
import { requireClaimedModeratorId, requireModerator } from "~/features/moderation/shared/require-moderator.server";
import { pageLinks } from "~/platform/lists/keyset.server";
import { privatePage } from "~/platform/pages/page-meta";
import { readSearch, writeSearch } from "~/platform/search-params/search-params";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { Link } from "~/ui/link";
import { Pages } from "~/ui/pagination";
import { RelativeTime } from "~/ui/relative-time";
import "~/shell";

const HERE = "/moderation/appeals";
const LIST = { cursor: { kind: "cursor", by: "id" } } as const;

export const meta: MetaFunction = () => privatePage("Appeals");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = requireClaimedModeratorId(context, request);
  const { cursor } = readSearch(LIST, new URL(request.url).searchParams);
  const [, page, hasOther, clock] = await Promise.all([
    requireModerator(context, request),
    listWaitingAppeals(context.db, cursor),
    hasOtherModerator(context.db, context.now, userId),
    context.clock(),
  ]);
  const addressOf = (place: typeof cursor) => HERE + writeSearch(LIST, { cursor: place });
  return {
    appeals: page.items.map((appeal) => presentWaiting(appeal, userId, clock)),
    pages: pageLinks(request, { cursor, page, addressOf }),
    hasOther,
  };
}

export default function Appeals() {
  const { appeals, pages, hasOther } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Appeals" action={<ButtonLink to="/moderation">Cases</ButtonLink>} />
      <div className="max-w-[760px]">
        {!hasOther && <NobodyElse />}
        {appeals.length === 0 && <EmptyState title="No open appeals." />}
        {appeals.length > 0 && (
          <ul className="border-t-2 border-text">
            {appeals.map(({ id, title, excerpt, sent, isOwn }) => (
              <li key={id} className="border-b border-line py-3.5">
                <Link
                  to={`${HERE}/${id}`}
                  className="inline-flex min-h-8 items-center font-semibold underline decoration-line underline-offset-3 wrap-anywhere hover:decoration-text touch:min-h-11"
                >
                  {title}
                </Link>
                <p dir="auto" className="line-clamp-2 wrap-anywhere text-muted">
                  {excerpt}
                </p>
                <p className="text-meta text-muted">
                  <RelativeTime moment={sent} />
                  {isOwn && " · Your own decision: someone else has to answer it"}
                </p>
              </li>
            ))}
          </ul>
        )}
        <Pages {...pages} by="order" />
      </div>
    </>
  );
}
