import { verifiedMark } from "~/features/riot/rules";
import type { Viewer } from "~/platform/session.server";
import type { UnreadTotals } from "~/platform/unread.server";

/** What a `PublicPage` needs: who looks at it, and how much they have not read. */
export function presentFrame(viewer: Viewer | null, unread: UnreadTotals | null | undefined) {
  return {
    viewer: viewer && {
      id: viewer.id,
      name: viewer.name,
      letter: viewer.letter,
      avatarId: viewer.avatarId,
      verified: verifiedMark(viewer),
    },
    unread: { messages: unread?.messages ?? 0, notifications: unread?.notifications ?? 0 },
  };
}
