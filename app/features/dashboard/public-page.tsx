import type { ComponentProps, ReactNode } from "react";
import { type Unread, UnreadProvider } from "~/features/notifications/shared/unread-context";
import { useInertBehindDialog } from "~/ui/dialogs/use-inert-behind-dialog";
import { SiteFooter } from "~/ui/page/site-footer";
import { GuestHeader } from "./guest-header";
import { ViewerHeader } from "./viewer-header";

/** The frame of a public page, with the viewer's header or, for visitors, the site's. */
export function PublicPage({
  viewer,
  unread,
  className = "",
  dialog,
  children,
}: {
  viewer: ComponentProps<typeof ViewerHeader> | null;
  /** The unread counts from the loader. */
  unread: Unread;
  /** Class of the main part. */
  className?: string;
  /** The outlet of the dialogs over the page. */
  dialog?: ReactNode;
  children: ReactNode;
}) {
  const inert = useInertBehindDialog();
  return (
    <UnreadProvider loaded={unread}>
      <div className="flex min-h-dvh flex-col" {...inert}>
        {viewer ? <ViewerHeader {...viewer} /> : <GuestHeader />}
        <main id="content" className={`measure w-full flex-1 pb-14 ${className}`}>
          {children}
        </main>
        <SiteFooter signedIn={viewer !== null} />
      </div>
      {dialog}
    </UnreadProvider>
  );
}
