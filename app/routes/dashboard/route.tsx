import { Outlet, useLoaderData } from "@remix-run/react";
import { DeletionNotice } from "~/features/account/keep-account";
import { ViewerHeader } from "~/features/dashboard/viewer-header";
import { UnreadProvider } from "~/features/notifications/shared/unread-context";
import { keepUnderDialog } from "~/ui/dialogs/dialogs";
import { useInertBehindDialog } from "~/ui/dialogs/use-inert-behind-dialog";
import { SiteFooter } from "~/ui/page/site-footer";
import type { loader } from "./load-dashboard.server";

export const shouldRevalidate = keepUnderDialog;

export { loader } from "./load-dashboard.server";

export default function Dashboard() {
  const { viewer, emailFailed, unread, dueOn } = useLoaderData<typeof loader>();
  const inert = useInertBehindDialog();
  return (
    <UnreadProvider loaded={unread}>
      <div className="flex min-h-dvh flex-col">
        <div className="contents" {...inert}>
          <ViewerHeader {...viewer} />
          {emailFailed && (
            // A `Notice` in so many words: that component would weigh on every page of the dashboard.
            <aside className="measure pt-5" aria-label="Your e-mail">
              <p className="rounded-b-panel border-t-4 border-danger bg-raised px-4 py-3">
                <b>E-mail to you does not arrive.</b>{" "}
                <a href="/dashboard/settings/email" className="link">
                  Check your address
                </a>
              </p>
            </aside>
          )}
          {dueOn && <DeletionNotice dueOn={dueOn} />}
        </div>
        <Outlet />
        <div className="contents" {...inert}>
          <SiteFooter signedIn />
        </div>
      </div>
    </UnreadProvider>
  );
}
