/**
 * The rule of blocks: **a block applies everywhere. In both directions, it stops contact and hides offers to play,
 * contact details and presence. Everything else it hides only from the blocker.** The blocked player learns nothing
 * beyond what they can't do. Every statement that enforces it uses `shared/blocks.server.ts`;
 * `tests/integration/blocks.test.ts` tests each line.
 *
 * "Between" means that either of the two has blocked the other.
 *
 * - Posts in the list, in searches and among the best matches; the directory, and players in searches; seekers of a
 *   tournament. Between: neither sees the other's entry.
 * - A post's page, a player's page. Public, so both can open it. Between: no Contact, no Message, no request to join,
 *   and no list of the other's open posts. Only the blocker is told why.
 * - Messages to each other, requests to join, answers to requests. Between: refused by the statement that would store
 *   them.
 * - Unanswered requests. Between: not shown to the author, and not counted; the author's unread news of them is
 *   removed, as if they had been withdrawn.
 * - Invitations to a tournament's team, the role of an organiser. Between: refused and not offered, even if the block
 *   is with another member of the team.
 * - Joining a tournament's team. Between, with any member: refused.
 * - Accepting a player into a post's team. Between the player and another member: the author confirms it, and isn't
 *   told who the member is.
 * - The list of tournaments, searches for them, and the tournaments suggested below a tournament's page. The blocker
 *   doesn't see those that the other hosts, unless the blocker takes part; their pages are public.
 * - Riot ID and Discord tag in a post's or a tournament's team. Between: neither sees the other's, even as teammates.
 * - Chats of two players. Between: closed, without presence, read marks or typing; earlier messages stay readable for
 *   both.
 * - Chats of a team or a match. The blocked player can still write, for the others. The blocker sees `HIDDEN_MESSAGE`
 *   with a way to see the message, and isn't notified of it: no unread count, no news, no preview, no frame with its
 *   text. The dialog that reports a message also lists it as `HIDDEN_MESSAGE`. Between: no typing.
 * - News (bell and tabs). The blocker gets none that the blocked player caused (`by` in `notify`), and the block
 *   removes what they already had. News of several requests to join then names one that still waits, and news of
 *   several messages in a chat of a team or a match quotes the latest one by another member.
 * - News that a player must get (removed from a team, a team withdrawn, a tournament cancelled, a disqualification, the
 *   captain's role, a request for feedback). Stays, without the blocked player's name and words: no title of their
 *   post, no reason, and no name of the blocker's team if the blocked player changed it or took it out of a tournament.
 * - Evidence of a dispute, on its page. The reason for a disqualification, on the team's page, in the dialog that
 *   undoes it, and in the organisers' history. The blocker sees that a player they blocked wrote something here, with a
 *   way to read it.
 * - Pictures in teams, matches and sessions. The blocker sees the player's initial instead.
 * - Presence in the directory. Shown to nobody.
 * - Reviews. They stay, and are possible, because otherwise players could escape a bad review by blocking first; the
 *   blocker gets no news of one.
 * - Tournaments, their teams, brackets and results. Public facts, shown to everyone. All other news contains their
 *   names, too, whoever chose them.
 *
 * The blocker's own export contains everything, hidden messages included: it is theirs, and may be evidence.
 */
export const BLOCK_INTENTS = ["block", "unblock"] as const;

/** The action that a form requests. */
export type BlockIntent = (typeof BLOCK_INTENTS)[number];

/** Shown in a group chat in place of a message by a player whom the reader has blocked. */
export const HIDDEN_MESSAGE = "Message from a player you blocked";

/** The error for acting across a block. It doesn't reveal who blocked whom. */
export const CANT_WRITE = "You can't message this player.";

/**
 * Returns the address of the page that blocks or unblocks a player.
 * @param returnTo the path to return to; by default the player's page
 */
export const blockPage = (playerId: string, returnTo?: string): string =>
  `/players/${playerId}/block${returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : ""}`;
