import { ROLES, type Role } from "~/game/roles";

/**
 * Reads a party code as a player typed or pasted it: six letters and digits, as VALORANT makes them, in any case, with
 * or without spaces.
 * @returns the code in capitals; null if it is none
 */
export function readPartyCode(text: string): string | null {
  const code = text.replace(/\s/g, "").toUpperCase();
  return /^[A-Z0-9]{6}$/.test(code) ? code : null;
}

/** Discord's addresses that lead into a voice channel: an invitation, or a channel of a server. */
const VOICE_ADDRESSES = [
  /^https:\/\/(?:www\.)?(discord\.gg)\/([\w-]{2,64})$/i,
  /^https:\/\/(?:www\.|ptb\.|canary\.)?(discord\.com)\/(invite\/[\w-]{2,64}|channels\/\d{15,21}\/\d{15,21})$/i,
];

/**
 * Reads a Discord link as a player typed or pasted it, with or without `https://`. No other site's address is a voice
 * link, and neither is one with a name, a port, a query or a fragment.
 * @returns the address; null if it is none
 */
export function readVoiceLink(text: string): string | null {
  const typed = text.trim();
  const address = (/^https?:\/\//i.test(typed) ? typed : `https://${typed}`).replace(/^http:/i, "https:");
  for (const pattern of VOICE_ADDRESSES) {
    const [, host, path] = pattern.exec(address.replace(/\/$/, "")) ?? [];
    if (host && path) return `https://${host.toLowerCase()}/${path}`;
  }
  return null;
}

/** The state of a team's room, as far as the next step depends on it. */
interface RoomState {
  viewerId: string;
  /** All players of the team, the viewer among them. */
  members: readonly { userId: string; name: string; isReady: boolean }[];
  /** The spots that players can still ask for. */
  openSpots: number;
  hasCode: boolean;
}

/** Says what a team does next, as one of its members sees it. */
export function sayNextStep({ viewerId, members, openSpots, hasCode }: RoomState): string {
  const missing = members.filter(({ isReady }) => !isReady);
  const others = missing.filter(({ userId }) => userId !== viewerId);
  if (others.length < missing.length) {
    return others.length === 0
      ? "Everyone else is ready. Press Ready when you're set."
      : "Press Ready when you're set.";
  }
  const [first] = others;
  if (first && others.length === 1) return `Waiting for ${first.name} to be ready.`;
  if (others.length > 1) return `Waiting for ${others.length} more to be ready.`;
  if (openSpots > 0) return `All ready. ${openSpots === 1 ? "1 spot is" : `${openSpots} spots are`} still open.`;
  return hasCode ? "All ready. Queue up." : "All ready. Set the party code.";
}

/** Sorts the four roles into those that somebody of a team plays, and the others. */
export function sortRoles(members: readonly { role: Role | null }[]): { covered: Role[]; missing: Role[] } {
  const isCovered = (role: Role) => members.some((member) => member.role === role);
  return { covered: ROLES.filter(isCovered), missing: ROLES.filter((role) => !isCovered(role)) };
}
