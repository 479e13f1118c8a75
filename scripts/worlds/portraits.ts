import type { DayPart } from "../../app/features/players/availability";
import type { Agent } from "../../app/game/agents";
import type { Rank } from "../../app/game/ranks";
import type { Region } from "../../app/game/regions";
import type { Role } from "../../app/game/roles";
import type { VoiceComms } from "../../app/game/voice";
import type { Language } from "../../db/words/languages";

/** A description of a player, from which `makePlayers` makes rows. An absent property leaves its column empty. */
export interface Portrait {
  gameName?: string;
  tagLine?: string;
  /** Typed by the player, but not found at Riot. */
  riotId?: string;
  verified?: boolean;
  rank?: Rank;
  role?: Role;
  agents?: Agent[];
  region?: Region;
  voice?: VoiceComms;
  tags?: string[];
  playTimes?: string;
  description?: string;
  discordTag?: string;
  timeZone?: string;
  /** When they usually play. */
  free?: readonly Free[];
  languages?: Language[];
}

/** Days of the week (0 is Monday) and the parts of them in which a player plays. */
export type Free = readonly [days: readonly number[], ...parts: DayPart[]];

export const WORKDAYS = [0, 1, 2, 3, 4];
export const MONDAY_TO_THURSDAY = [0, 1, 2, 3];
export const WEEKEND = [5, 6];

/** The first twelve players of every world, from `player1@example.com` on. */
export const PORTRAITS: readonly Portrait[] = [
  {
    gameName: "Sørina Wójcik",
    tagLine: "CALM",
    verified: true,
    rank: "Diamond 1",
    role: "Initiator",
    agents: ["Sova", "Fade"],
    region: "Europe",
    voice: "required",
    tags: ["calm", "early caller"],
    playTimes: "Weekdays 19:00 to 23:00 CET",
    description: "I call early and nobody shouts.",
    discordTag: "sorina.w",
    timeZone: "Europe/Warsaw",
    free: [[WORKDAYS, "evening"]],
    languages: ["en", "pl"],
  },
  {
    gameName: "Дмитрий Ковалёв",
    tagLine: "ENTRY",
    verified: true,
    rank: "Platinum 3",
    role: "Duelist",
    agents: ["Raze", "Neon", "Jett"],
    region: "Europe",
    voice: "preferred",
    tags: ["no tilt"],
    playTimes: "Weekends and two evenings",
    timeZone: "Europe/Berlin",
    free: [
      [[0, 2, 4], "evening"],
      [WEEKEND, "afternoon", "evening"],
    ],
    languages: ["ru", "en"],
  },
  {
    gameName: "Thunder Kitten 9",
    tagLine: "MEOW",
    rank: "Gold 3",
    role: "Controller",
    agents: ["Clove", "Brimstone"],
    region: "Europe",
    voice: "optional",
    tags: ["jokes"],
    timeZone: "Europe/London",
    free: [
      [[1, 3], "evening", "night"],
      [WEEKEND, "midday", "afternoon"],
    ],
    languages: ["en"],
  },
  {
    gameName: "ren.aska",
    tagLine: "KR1",
    verified: true,
    rank: "Radiant",
    role: "Duelist",
    agents: ["Jett", "Yoru"],
    region: "Korea",
    voice: "required",
    tags: ["reviews rounds"],
    description: "Scrims first. Two evenings a week for practice.",
    timeZone: "Asia/Seoul",
    free: [[[1, 3], "evening", "night"]],
    languages: ["ko", "en"],
  },
  {
    gameName: "Łukasz Żółtowski",
    tagLine: "PL42",
    verified: true,
    rank: "Silver 2",
    role: "Sentinel",
    agents: ["Cypher", "Deadlock"],
    region: "Europe",
    voice: "none",
    tags: ["patient"],
    timeZone: "Europe/Warsaw",
    free: [[[0, 1, 2, 3, 6], "evening"]],
    languages: ["pl"],
  },
  // Has no name, and shows as `Player …`.
  { rank: "Iron 2", region: "Brazil" },
  {
    gameName: "Ngọc Huyền",
    tagLine: "2611",
    verified: true,
    rank: "Diamond 2",
    role: "Sentinel",
    agents: ["Killjoy", "Vyse"],
    region: "Asia Pacific",
    voice: "preferred",
    tags: ["patient", "reviews rounds"],
    timeZone: "Asia/Ho_Chi_Minh",
    free: [
      [[1, 3], "evening"],
      [WEEKEND, "afternoon", "evening"],
    ],
    languages: ["en", "vi"],
  },
  {
    gameName: "Żaneta Gąsior",
    tagLine: "EUNE",
    verified: true,
    rank: "Platinum 1",
    role: "Sentinel",
    agents: ["Cypher", "Deadlock"],
    region: "Europe",
    voice: "optional",
    tags: ["organiser", "jokes"],
    timeZone: "Europe/Warsaw",
    free: [
      [MONDAY_TO_THURSDAY, "evening"],
      [[4], "afternoon", "evening"],
    ],
    languages: ["pl", "en"],
  },
  {
    gameName: "ouroboros_kaisa",
    tagLine: "OUR0",
    verified: true,
    rank: "Gold 3",
    role: "Duelist",
    agents: ["Reyna"],
    region: "North America",
    voice: "preferred",
    tags: ["learning", "calm"],
    timeZone: "America/New_York",
    free: [
      [[4], "evening"],
      [WEEKEND, "midday", "afternoon"],
    ],
    languages: ["en", "de"],
  },
  // A Riot ID that was never looked up.
  {
    riotId: "marta.mid#MID",
    rank: "Gold 1",
    role: "Controller",
    agents: ["Omen", "Brimstone", "Clove"],
    region: "Latin America",
    voice: "required",
    tags: ["warm-up first"],
    timeZone: "America/Mexico_City",
    free: [[WORKDAYS, "afternoon"]],
    languages: ["en", "es"],
  },
  // A new account with an empty profile.
  {},
  {
    gameName: "별하늘",
    tagLine: "1004",
    verified: true,
    rank: "Ascendant 2",
    role: "Initiator",
    agents: ["KAY/O", "Skye"],
    region: "Korea",
    voice: "preferred",
    timeZone: "Asia/Seoul",
    free: [[WORKDAYS, "night"]],
    languages: ["ko"],
  },
];
