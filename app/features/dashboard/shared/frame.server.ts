import type { UnreadTotals } from "~/features/notifications/shared/unread.server";
import { verifiedMark } from "~/features/riot/rules";
import type { Viewer } from "~/platform/session/viewer";

/** Presents the viewer for a page's header. */
export const presentViewer = (viewer: Viewer) => ({
  id: viewer.id,
  name: viewer.name,
  publicName: viewer.publicName,
  letter: viewer.letter,
  avatarId: viewer.avatarId,
  verified: verifiedMark(viewer),
  cases: viewer.waitingCases,
});

/** Collects the data of a `PublicPage`: the viewer, and their unread counts. */
export const presentFrame = (viewer: Viewer | null, unread: UnreadTotals | null | undefined) => ({
  viewer: viewer && presentViewer(viewer),
  unread: { messages: unread?.messages ?? 0, notifications: unread?.notifications ?? 0 },
});
