import { useRouteLoaderData } from "@remix-run/react";
import type { ComponentProps } from "react";
import { UnreadProvider, useUnread } from "~/features/notifications/shared/unread-context";
import { useInbox } from "~/features/notifications/shared/use-inbox";
import { verifiedMark } from "~/features/riot/rules";
import { WholeError } from "~/ui/page/error-pages";
import { DashboardHeader } from "./dashboard-header";

/** The header with the viewer's live unread counts. Use it in an `UnreadProvider`. */
export function ViewerHeader(
  viewer: Pick<
    ComponentProps<typeof DashboardHeader>,
    "name" | "publicName" | "letter" | "avatarId" | "verified" | "cases"
  >,
) {
  const unread = useUnread();
  useInbox();
  return <DashboardHeader {...viewer} {...unread} />;
}

/** The part of the root's data about a viewer (`app/root-data.server.ts`) that a header needs. */
type RootUser = Pick<ComponentProps<typeof DashboardHeader>, "name" | "publicName" | "letter" | "avatarId"> &
  Parameters<typeof verifiedMark>[0];

/** The page for an error outside any frame. If the root route has loaded a viewer, the page has their header. */
export function ViewerError() {
  const { user } = (useRouteLoaderData("root") ?? {}) as { user?: RootUser | null };
  const header = user && (
    <UnreadProvider>
      <ViewerHeader {...user} verified={verifiedMark(user)} />
    </UnreadProvider>
  );
  return <WholeError header={header} />;
}
