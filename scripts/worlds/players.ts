import { DAY_PARTS } from "../../app/features/players/availability";
import { facetsOf } from "../../app/features/players/directory/facets";
import { PLAYSTYLES } from "../../app/features/players/profile/playstyles";
import { nameWords } from "../../app/features/players/shared/names";
import { AGENTS_BY_ROLE, type Agent, MAX_MAIN_AGENTS } from "../../app/game/agents";
import { RANKS, type Rank } from "../../app/game/ranks";
import { REGIONS, type Region, type VerificationRegion } from "../../app/game/regions";
import { ROLES } from "../../app/game/roles";
import { VOICE_COMMS } from "../../app/game/voice";
import { DAY } from "../../app/platform/dates/durations";
import { randomId } from "../../db/ids";
import type { playerFacets, playerNames, profiles, users } from "../../db/schema";
import type { Availability } from "../../db/words/availability";
import type { Language } from "../../db/words/languages";
import { USUAL_RATING } from "../../db/words/ratings";
import { standInPuuid } from "../local/stand-in-puuid";
import { DESCRIPTIONS, GAME_NAMES, PLAY_TIMES } from "./copy";
import { type Free, MONDAY_TO_THURSDAY, PORTRAITS, type Portrait, WEEKEND, WORKDAYS } from "./portraits";
import { Random } from "./random";

/** A player of a world: the rows of the account, the profile, and the directory's filters. */
export interface Player {
  user: typeof users.$inferInsert;
  profile: typeof profiles.$inferInsert;
  facets: (typeof playerFacets.$inferInsert)[];
  names: (typeof playerNames.$inferInsert)[];
}

/** The number of players per 1 000 in each tier, Iron to Radiant: roughly the distribution of a ranked ladder. */
const TIER_WEIGHTS = [80, 170, 220, 210, 150, 100, 50, 18, 2];

/**
 * Creates the players of a world, from `player1@example.com` on: the twelve portraits, then random ones.
 * @param passwordHash the hash of their common password
 */
export function makePlayers(count: number, now: Date, passwordHash: string): Player[] {
  return Array.from({ length: count }, (_, index) => {
    const random = new Random(index + 1);
    const portrait = PORTRAITS[index] ?? imagine(index, random);
    return makePlayer(index, portrait, random, now, passwordHash);
  });
}

/** Lists the Riot IDs of the worlds `demo` and `busy`, because the stand-in must know them. */
export const listRiotIds = () =>
  makePlayers(200, new Date(), "").flatMap(({ profile: { riotGameName: gameName, riotTagLine: tagLine } }) =>
    gameName && tagLine ? [{ gameName, tagLine }] : [],
  );

function makePlayer(index: number, portrait: Portrait, random: Random, now: Date, passwordHash: string): Player {
  const createdAt = new Date(now.getTime() - random.between(2, 200) * DAY - random.between(0, DAY));
  const id = randomId();
  const { gameName = null, tagLine = null, verified = false, region = null } = portrait;
  const cluster = verificationRegion(region ?? "Europe");
  const account =
    verified && gameName && tagLine
      ? { puuid: standInPuuid(gameName, tagLine), gameName, tagLine, region: cluster }
      : null;
  const profile: Player["profile"] = {
    userId: id,
    riotId: portrait.riotId ?? (gameName && tagLine ? `${gameName}#${tagLine}` : null),
    riotGameName: gameName,
    riotTagLine: tagLine,
    riotRegion: account?.region ?? null,
    riotPuuid: account?.puuid ?? null,
    riotVerifiedAt: account && createdAt,
    lastRankSync: account && createdAt,
    currentRank: portrait.rank ?? null,
    mainAgents: portrait.agents ?? null,
    personalityTags: portrait.tags ?? null,
    preferredRole: portrait.role ?? null,
    region,
    discordTag: portrait.discordTag ?? null,
    description: portrait.description ?? null,
    playTimes: portrait.playTimes ?? null,
    voiceCommsPreference: portrait.voice ?? null,
    timeZone: portrait.timeZone ?? null,
    availability: portrait.free ? availabilityOf(portrait.free) : null,
    languages: portrait.languages ?? null,
    joinedAt: createdAt,
    updatedAt: createdAt,
    foundBy: gameName ?? portrait.riotId ?? "",
  };
  return {
    user: {
      id,
      email: `player${index + 1}@example.com`,
      emailConfirmedAt: createdAt,
      passwordHash,
      riotGameName: account?.gameName ?? null,
      riotTagLine: account?.tagLine ?? null,
      riotRegion: account?.region ?? null,
      riotAccountData: account && JSON.stringify(account),
      createdAt,
    },
    profile,
    names: nameWords(profile.foundBy ?? "").map((word) => ({ word, userId: id })),
    facets: facetsOf(profile).map((facet) => ({ facet, userId: id, joinedAt: createdAt, rankingScore: USUAL_RATING })),
  };
}

function availabilityOf(free: readonly Free[]): Availability {
  const week = Array<number>(7).fill(0);
  for (const [days, ...parts] of free) {
    const bits = DAY_PARTS.reduce((sum, { word }, bit) => sum | (parts.includes(word) ? 1 << bit : 0), 0);
    for (const day of days) week[day] = (week[day] as number) | bits;
  }
  return week;
}

/** The time zones and languages of a region's players. */
const HOMES: Record<Region, readonly (readonly [timeZone: string, language: Language])[]> = {
  "North America": [
    ["America/New_York", "en"],
    ["America/Los_Angeles", "en"],
    ["America/Toronto", "fr"],
  ],
  Europe: [
    ["Europe/London", "en"],
    ["Europe/Berlin", "de"],
    ["Europe/Paris", "fr"],
    ["Europe/Warsaw", "pl"],
    ["Europe/Madrid", "es"],
    ["Europe/Istanbul", "tr"],
  ],
  "Asia Pacific": [
    ["Asia/Singapore", "en"],
    ["Asia/Tokyo", "ja"],
    ["Asia/Ho_Chi_Minh", "vi"],
    ["Australia/Sydney", "en"],
  ],
  Korea: [["Asia/Seoul", "ko"]],
  Brazil: [["America/Sao_Paulo", "pt"]],
  "Latin America": [
    ["America/Mexico_City", "es"],
    ["America/Bogota", "es"],
  ],
};

/** The weekly schedules of most players. */
const WEEKS: readonly (readonly Free[])[] = [
  [[WORKDAYS, "evening"]],
  [[MONDAY_TO_THURSDAY, "evening", "night"]],
  [
    [[1, 3], "evening"],
    [WEEKEND, "afternoon", "evening"],
  ],
  [[WEEKEND, "midday", "afternoon", "evening"]],
  [
    [WORKDAYS, "evening"],
    [WEEKEND, "evening", "night"],
  ],
  [[WORKDAYS, "morning", "midday"]],
];

function imagine(index: number, random: Random): Portrait {
  const portrait = imagineGame(index, random);
  // A separate random stream, so that adding these values didn't change the players' other values.
  const life = new Random(index + 500_001);
  const home = portrait.region && life.pick(HOMES[portrait.region]);
  return {
    ...portrait,
    ...(home && { timeZone: home[0] }),
    ...(home && life.chance(0.85) && { free: life.pick(WEEKS) }),
    ...(home && life.chance(0.9) && { languages: languagesAt(home[1], life) }),
  };
}

/** Returns a player's languages; most also speak English. */
const languagesAt = (language: Language, random: Random): Language[] =>
  language === "en" ? ["en"] : random.chance(0.75) ? [language, "en"] : [language];

function imagineGame(index: number, random: Random): Portrait {
  const named = random.chance(0.93);
  const role = random.pick(ROLES);
  return {
    ...(named && { gameName: gameNameOf(index), tagLine: tagOf(index), verified: random.chance(0.6) }),
    ...(random.chance(0.95) && { rank: imagineRank(random) }),
    ...(random.chance(0.9) && {
      role,
      agents: random.sample<Agent>(AGENTS_BY_ROLE[role], random.between(1, MAX_MAIN_AGENTS)),
    }),
    ...(random.chance(0.95) && { region: random.pick(REGIONS) }),
    ...(random.chance(0.85) && { voice: random.pick(VOICE_COMMS) }),
    ...(random.chance(0.6) && { tags: random.sample(PLAYSTYLES, random.between(1, 3)) }),
    ...(random.chance(0.5) && { playTimes: random.pick(PLAY_TIMES) }),
    ...(random.chance(0.4) && { description: random.pick(DESCRIPTIONS) }),
  };
}

/**
 * Returns a game name from the list. Once the list is used up, its names repeat with a number, cut to Riot's limit of
 * 16 characters.
 */
function gameNameOf(index: number): string {
  const name = GAME_NAMES[index % GAME_NAMES.length] as string;
  const round = Math.floor(index / GAME_NAMES.length);
  if (round === 0) return name;
  return `${[...name]
    .slice(0, 15 - String(round).length)
    .join("")
    .trim()} ${round}`;
}

/** Returns five letters and digits, different for every index. */
function tagOf(index: number): string {
  const first = 36 ** 4;
  return (first + ((index * 7919) % (36 ** 5 - first))).toString(36).toUpperCase();
}

function imagineRank(random: Random): Rank {
  let draw = random.between(0, 999);
  const tier = TIER_WEIGHTS.findIndex((weight) => {
    draw -= weight;
    return draw < 0;
  });
  return RANKS[Math.min(tier * 3 + random.between(0, 2), RANKS.length - 1)] as Rank;
}

/** Returns the cluster of Riot's account service nearest to a region. */
function verificationRegion(region: Region): VerificationRegion {
  if (region === "Europe") return "europe";
  return region === "Asia Pacific" || region === "Korea" ? "asia" : "americas";
}
