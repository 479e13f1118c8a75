/** The columns that decide a player's name. */
export interface NamedPlayer {
  userId: string;
  riotGameName: string | null;
  riotId: string | null;
}

/** The name shown for a player whose account is gone, and for one without a name in a conversation of two. */
export const UNKNOWN_PLAYER = "Unknown User";

/** Returns the name others see: game name, else Riot ID, else `Player ` and the first 8 characters of the user id. */
export function displayName({ userId, riotGameName, riotId }: NamedPlayer): string {
  return riotGameName || riotId || `Player ${userId.slice(0, 8)}`;
}

/** Created on first use, because creating it takes longer than splitting all the names on a page. */
let segmenter: Intl.Segmenter | undefined;

/** Returns the letter for a player's banner: the first of the name, in the player's own spelling. */
export function initial(name: string): string {
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(name)) return segment;
  return "?";
}
