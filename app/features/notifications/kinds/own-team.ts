/**
 * Names the recipient's team in a sentence.
 * @param team null if the recipient has blocked the player who caused the notification, because that player may have
 *   named the team
 */
export const ownTeam = (team: string | null): string => (team === null ? "your team" : `“${team}”`);
