import type { Unread } from "./unread-context";

/**
 * Returns the number of unread things for a tab's title, the app's icon and a push. It is the larger of the two counts,
 * because a message is in both: on the Chat tab and in the bell. `public/sw.js` repeats this rule.
 */
export const unreadTotal = ({ messages, notifications }: Unread): number => Math.max(messages, notifications);
