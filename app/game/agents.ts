import type { Role } from "./roles";

/**
 * All agents by role, as of July 2026: the specification's 24 and the five that the game has added since. To add an
 * agent, add its name here.
 */
export const AGENTS_BY_ROLE = {
  Duelist: ["Iso", "Jett", "Neon", "Phoenix", "Raze", "Reyna", "Waylay", "Yoru"],
  Initiator: ["Breach", "Fade", "Gekko", "KAY/O", "Skye", "Sova", "Tejo"],
  Controller: ["Astra", "Brimstone", "Clove", "Harbor", "Miks", "Omen", "Viper"],
  Sentinel: ["Chamber", "Cypher", "Deadlock", "Killjoy", "Sage", "Veto", "Vyse"],
} as const satisfies Record<Role, readonly string[]>;

export type Agent = (typeof AGENTS_BY_ROLE)[Role][number];

/** The most main agents that a player may choose (specification, section 9). */
export const MAX_MAIN_AGENTS = 3;
