import { ROLES, type Role } from "~/game/roles";

/**
 * Parses a party code as typed or pasted: six letters and digits, as VALORANT generates them, in any case, with or
 * without spaces.
 * @returns the code in capitals; null if it isn't valid
 */
export function readPartyCode(text: string): string | null {
  const code = text.replace(/\s/g, "").toUpperCase();
  return /^[A-Z0-9]{6}$/.test(code) ? code : null;
}

/** Discord addresses that lead to a voice channel: an invitation, or a server's channel. */
const VOICE_ADDRESSES = [
  /^https:\/\/(?:www\.)?(discord\.gg)\/([\w-]{2,64})$/i,
  /^https:\/\/(?:www\.|ptb\.|canary\.)?(discord\.com)\/(invite\/[\w-]{2,64}|channels\/\d{15,21}\/\d{15,21})$/i,
];

/**
 * Parses a Discord link as typed or pasted, with or without `https://`. Rejects other sites' addresses, and those with
 * a user name, a port, a query or a fragment.
 * @returns the address; null if it isn't valid
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

/** The state of a team's room that determines the next step. */
interface RoomState {
  viewerId: string;
  /** All players of the team, the viewer among them. */
  members: readonly { userId: string; name: string; isReady: boolean }[];
  /** Number of spots that players can still ask for. */
  openSpots: number;
  hasCode: boolean;
}

/** Words a team's next step, for one of its members. */
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

/** Splits the four roles into those that a team covers, and the others. */
export function sortRoles(members: readonly { role: Role | null }[]): { covered: Role[]; missing: Role[] } {
  const isCovered = (role: Role) => members.some((member) => member.role === role);
  return { covered: ROLES.filter(isCovered), missing: ROLES.filter((role) => !isCovered(role)) };
}
