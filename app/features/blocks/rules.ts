/**
 * The rule of blocks: **a block holds everywhere, in both directions for what players do to each other, and for the
 * blocker alone in what is hidden.** It says nothing to the blocked player beyond what they can't do. Every statement
 * that carries it out asks `shared/blocks.server.ts`; `tests/integration/blocks.test.ts` tries each line.
 *
 * "Between" means that either of the two has blocked the other.
 *
 * | surface | rule |
 * | --- | --- |
 * | posts in the list, in searches and among the best matches; the directory, and players in searches; seekers of a tournament | between: neither sees the other's entry |
 * | a post's page, a player's page | public, so both can open it; between: no Contact, no Message, no request to join, and no list of the other's open posts. Only the blocker is told why |
 * | messages to each other, requests to join, answers to requests | between: refused by the statement that would store them |
 * | requests that wait for an answer | between: out of the author's sight and count |
 * | invitations to a tournament's team, the role of an organiser | between: refused and not offered, also across a block with another member of the team |
 * | joining a tournament's team | between, with any member: refused |
 * | accepting a player into a post's team | between the player and another member: the author confirms it, and isn't told who it is |
 * | the list of tournaments, and searches for them | the blocker doesn't see those that the other hosts, unless they take part; their pages are public |
 * | Riot ID and Discord tag in a post's or a tournament's team | between: neither sees the other's, though they are in one team |
 * | chats of a pair | between: closed, without presence, read marks or typing; what was said stays readable for both |
 * | chats of a team or a match | the blocked player can still write, for the others. The blocker sees `HIDDEN_MESSAGE` with a way to see the message, and isn't told of it: no unread count, no news, no preview, no frame with its text. Between: no typing, no presence |
 * | news (bell and tabs) | the blocker gets none that the blocked player caused (`by` in `notify`), and the block removes what they already had |
 * | news that a player must have (removed from a team, a team withdrawn, a tournament cancelled, a disqualification) | stays, without the blocked player's name and words: no title of their post, no name of their team, no reason |
 * | evidence of a dispute, the reason for a disqualification, on their pages | the blocker sees that there are words by a player they blocked, with a way to see them |
 * | pictures in teams, matches and sessions | the blocker sees the letter instead |
 * | presence in the directory | shown to nobody |
 * | reviews | stay, and are possible, because otherwise players could escape a bad review by blocking first; the blocker gets no news of one |
 * | teams, brackets and results of tournaments | public facts, shown to everyone |
 *
 * The blocker's own export holds everything, hidden messages included: it is theirs, and may be evidence.
 */
export const BLOCK_INTENTS = ["block", "unblock"] as const;

/** What a form does: blocks or unblocks. */
export type BlockIntent = (typeof BLOCK_INTENTS)[number];

/** Replaces, in a group chat, a message by a player whom the reader has blocked. */
export const HIDDEN_MESSAGE = "Message from a player you blocked";

/** The error for acting across a block. It doesn't reveal who blocked whom. */
export const CANT_WRITE = "You can't message this player.";

/**
 * Returns the address of the page that blocks or unblocks a player.
 * @param returnTo the path to return to; by default the player's page
 */
export const blockPage = (playerId: string, returnTo?: string): string =>
  `/players/${playerId}/block${returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : ""}`;
