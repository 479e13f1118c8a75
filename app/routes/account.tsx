import type { LoaderFunctionArgs, SerializeFrom } from "@remix-run/cloudflare";
import { Form, Outlet, useLoaderData, useLocation, useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { DeletionNotice } from "~/features/account/keep-account";
import { restrictedAddress } from "~/features/account/rules";
import { presentViewer } from "~/features/dashboard/shared/frame.server";
import { ViewerError, ViewerHeader } from "~/features/dashboard/viewer-header";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { UnreadProvider } from "~/features/notifications/shared/unread-context";
import { longDate } from "~/platform/dates/dates";
import { requireClaimedUserId, requireRestrictedViewer } from "~/platform/session/guards.server";
import { Button } from "~/ui/button";
import { Link } from "~/ui/link";
import { FrameError } from "~/ui/page/error-pages";
import { SiteFooter } from "~/ui/page/site-footer";
import { SiteHeader } from "~/ui/page/site-header";
import "~/shell";

/** The frame of the account pages, which suspended players can open, too. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const [viewer, { messages, notifications }, clock] = await Promise.all([
    requireRestrictedViewer(context, request),
    countUnread(context.db, userId),
    context.clock(),
  ]);
  const { isSuspended, deletionDueAt } = viewer;
  return {
    viewer: presentViewer(viewer),
    isSuspended,
    unread: { messages, notifications },
    dueOn: deletionDueAt && longDate(deletionDueAt, clock),
  };
}

export default function Account() {
  return (
    <Frame loaded={useLoaderData<typeof loader>()}>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  const loaded = useRouteLoaderData<typeof loader>("routes/account");
  if (!loaded) return <ViewerError />;
  return (
    <Frame loaded={loaded}>
      <FrameError as="h1" />
    </Frame>
  );
}

function Frame({ loaded, children }: { loaded: SerializeFrom<typeof loader>; children: ReactNode }) {
  const { viewer, isSuspended, unread, dueOn } = loaded;
  return (
    <div className="flex min-h-dvh flex-col">
      {isSuspended ? (
        // The viewer's own header opens a socket, which is refused to suspended players, and links to pages closed to
        // them.
        <>
          <SiteHeader />
          <RestrictedNavigation name={viewer.name} />
        </>
      ) : (
        <UnreadProvider loaded={unread}>
          <ViewerHeader {...viewer} />
        </UnreadProvider>
      )}
      {dueOn && <DeletionNotice dueOn={dueOn} to={restrictedAddress("delete-account")} />}
      <main id="content" className="measure w-full flex-1 pt-7 pb-14">
        <div className="max-w-[720px]">{children}</div>
      </main>
      <SiteFooter signedIn={!isSuspended} />
    </div>
  );
}

const PAGES = [
  { page: "decisions", name: "Decisions" },
  { page: "export", name: "Export" },
  { page: "delete-account", name: "Delete Account" },
] as const;

/** Links to the pages that a suspended player can open. */
function RestrictedNavigation({ name }: { name: string }) {
  const { pathname } = useLocation();
  return (
    <aside aria-label="Your account" className="border-b border-line bg-sheet">
      <div className="measure flex flex-wrap items-center gap-x-5 gap-y-1 py-1.5">
        <nav aria-label="Account">
          <ul className="flex flex-wrap gap-x-5">
            {PAGES.map(({ page, name: label }) => (
              <li key={page}>
                <Link
                  to={restrictedAddress(page)}
                  aria-current={pathname.startsWith(restrictedAddress(page)) ? "page" : undefined}
                  className="inline-flex min-h-11 items-center rounded-control font-semibold underline decoration-line underline-offset-3 hover:decoration-text aria-[current=page]:decoration-spot-edge"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex items-center gap-x-5 max-md:basis-full max-md:justify-between md:ml-auto">
          <p className="max-w-[200px] truncate text-meta text-muted" title={name}>
            {name}
          </p>
          <Form method="post" action="/auth/sign-out">
            <Button size="row">Sign Out</Button>
          </Form>
        </div>
      </div>
    </aside>
  );
}
