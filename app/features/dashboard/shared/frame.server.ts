import type { UnreadTotals } from "~/features/notifications/shared/unread.server";
import { verifiedMark } from "~/features/riot/rules";
import type { Viewer } from "~/platform/session/viewer";

/** The viewer, as a page's header shows them. */
export const presentViewer = (viewer: Viewer) => ({
  id: viewer.id,
  name: viewer.name,
  letter: viewer.letter,
  avatarId: viewer.avatarId,
  verified: verifiedMark(viewer),
});

/** What a `PublicPage` needs: who looks at it, and how much they have not read. */
export const presentFrame = (viewer: Viewer | null, unread: UnreadTotals | null | undefined) => ({
  viewer: viewer && presentViewer(viewer),
  unread: { messages: unread?.messages ?? 0, notifications: unread?.notifications ?? 0 },
});
