import type { SerializeFrom } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { DeletionNotice } from "~/features/account/keep-account";
import { ViewerError, ViewerHeader } from "~/features/dashboard/viewer-header";
import { UnreadProvider } from "~/features/notifications/shared/unread-context";
import { keepUnderDialog } from "~/ui/dialogs/dialogs";
import { useInertBehindDialog } from "~/ui/dialogs/use-inert-behind-dialog";
import { FrameError } from "~/ui/page/error-pages";
import { SiteFooter } from "~/ui/page/site-footer";
import type { loader } from "./load-dashboard.server";
import "~/shell";

export const shouldRevalidate = keepUnderDialog;

export { loader } from "./load-dashboard.server";

export default function Dashboard() {
  return (
    <Frame loaded={useLoaderData<typeof loader>()} inert={useInertBehindDialog()}>
      <Outlet />
    </Frame>
  );
}

/** For all dashboard pages without an error boundary of their own. */
export function ErrorBoundary() {
  const loaded = useRouteLoaderData<typeof loader>("routes/dashboard");
  if (!loaded) return <ViewerError />;
  return (
    <Frame loaded={loaded}>
      <main id="content" className="measure w-full flex-1 pt-7 pb-14">
        <FrameError as="h1" />
      </main>
    </Frame>
  );
}

/** The header, notices and footer around a page. */
function Frame({
  loaded: { viewer, notice, unread, dueOn },
  inert,
  children,
}: {
  loaded: SerializeFrom<typeof loader>;
  inert?: ReturnType<typeof useInertBehindDialog>;
  children: ReactNode;
}) {
  return (
    <UnreadProvider loaded={unread}>
      <div className="flex min-h-dvh flex-col">
        <div className="contents" {...inert}>
          <ViewerHeader {...viewer} />
          {notice && (
            // A `Notice` written out: the component would add weight to every dashboard page.
            <aside className="measure pt-5" aria-label={notice.label}>
              <p className="rounded-b-panel border-t-4 border-danger bg-raised px-4 py-3">
                <b>{notice.text}</b>{" "}
                <a href={notice.to} className="link">
                  {notice.link}
                </a>
              </p>
            </aside>
          )}
          {dueOn && <DeletionNotice dueOn={dueOn} />}
        </div>
        {children}
        <div className="contents" {...inert}>
          <SiteFooter signedIn />
        </div>
      </div>
    </UnreadProvider>
  );
}
