/** What is needed to name a player. */
export interface NamedPlayer {
  userId: string;
  riotGameName: string | null;
  riotId: string | null;
}

/** What a player is called whose account is gone. */
export const UNKNOWN_PLAYER = "Unknown User";

/** The name others see: game name, else Riot ID, else `Player ` and the first 8 characters of the user id. */
export function displayName({ userId, riotGameName, riotId }: NamedPlayer): string {
  return riotGameName || riotId || `Player ${userId.slice(0, 8)}`;
}

/** The letter on a player's banner: the first of the name, as the player writes it. */
export function initial(name: string): string {
  return [...new Intl.Segmenter().segment(name)][0]?.segment ?? "?";
}
