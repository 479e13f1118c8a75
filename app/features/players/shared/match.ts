import { AGENTS_BY_ROLE, type Agent } from "~/game/agents";
import { canQueue } from "~/game/queue";
import { type Rank, rankPosition } from "~/game/ranks";
import { canPlayTogether, type Region } from "~/game/regions";
import { ROLES, type Role } from "~/game/roles";
import type { VoiceComms } from "~/game/voice";
import { commonHours, countHours, fromMorning, type WeekHours } from "../availability";
import { sayApart, sayTogether } from "./say-hours";

/*
 * A score of how well two players could play together, from 0 to 100. Each subject has a weight (`MATCH_WEIGHTS`, 100
 * in all), and two players get a share of it from 0 to 1. If either has left the subject open, the share is 0.5.
 *
 * - queue: 1 for the same rank, and 0.0375 less for each rank apart (8 ranks: 0.7). In a post for five, 0.6 for ranks
 *   that may queue only in a five. In a post for four 0.5, because ranks don't matter there. Two ranks that may not
 *   queue together, or a rank below the post's minimum: 0 and ruled out.
 * - role: 1 for different roles. 0.2 for the same role, but 0.5 if either also has main agents of another role. For a
 *   post with a role: 1 if it is the viewer's role, 0.85 if main agents have it, otherwise 0. For a post that welcomes
 *   any role: 0.8.
 * - hours: 0.5 plus 1/24 for each common hour of the week, up to 12 hours. 0 without common hours.
 * - region: 1 for the same, 0.3 for another on the same servers. Other servers, or not the post's region: 0 and ruled
 *   out.
 * - language: 1 with one in common, otherwise 0.
 * - voice: 1 if both want it or both go without, 0.7 if it is optional for either. If one goes without, 0.3 if the
 *   other prefers it, and 0 if the other requires it.
 * - playstyle: 1 with a tag in common. Different tags say nothing: 0.5.
 *
 * If anything rules the two out, the score is a fifth of the sum: 18 at most. All others have at least 23, so they rank
 * higher.
 */

/**
 * The parts of a profile that matching uses. Those that a player has left open are null or empty, and count neither for
 * nor against.
 */
export interface MatchProfile {
  rank: Rank | null;
  role: Role | null;
  agents: readonly Agent[];
  region: Region | null;
  voice: VoiceComms | null;
  /** Display names, such as "English". Reasons name the first that both have. */
  languages: readonly string[];
  tags: readonly string[];
  /** The hours at which they usually play, by the viewer's clock. */
  hours: WeekHours | null;
}

/** The requirements of a post. */
export interface MatchWants {
  /** The lowest rank that may join. */
  rank: Rank | null;
  role: Role | null;
  region: Region | null;
  /** The number of players once the party is full. */
  partySize: number;
}

/** One sentence on why two players fit, or don't. */
export interface MatchReason {
  about: MatchSubject;
  fits: boolean;
  /** Ends in a full stop if it is a reason against. */
  text: string;
}

export interface Match {
  /** 0 to 100. Says how well two could play together, never how well either plays (Riot's policy). */
  score: number;
  /** The reasons in favour, strongest first. */
  reasons: MatchReason[];
  /** The reasons against, strongest first. */
  against: MatchReason[];
  /** Whether the rules of the game or of the post keep the two apart. If so, the first of `against` says why. */
  ruledOut: boolean;
}

/**
 * The points that each subject can add. Being allowed to queue together comes first, since without it the two can't
 * play. Next come roles, which make a team work, and hours, which let it meet; getting along comes last.
 */
export const MATCH_WEIGHTS = {
  queue: 35,
  role: 20,
  hours: 18,
  region: 10,
  language: 8,
  voice: 5,
  playstyle: 4,
} as const;

export type MatchSubject = keyof typeof MATCH_WEIGHTS;

const SUBJECTS = Object.keys(MATCH_WEIGHTS) as MatchSubject[];

/** The share of a subject that either has left open, so that an empty profile ranks in the middle. */
const UNKNOWN = 0.5;
/** The share of the farthest ranks that may queue together; the same rank gets 1. */
const FARTHEST_RANK = 0.7;
/** The distance of the farthest ranks that may queue together: Iron 1 and Silver 3. */
const FARTHEST = 8;
/** The share of ranks that may queue only in a five, for less rating. */
const ONLY_IN_FIVE = 0.6;
/** More common hours a week than this add nothing. */
const ENOUGH_HOURS = 12;
/**
 * The factor by which the score is multiplied if the rules of the game or of the post keep two players apart. The
 * result is lower than the score of any other pair.
 */
const RULED_OUT = 0.2;
/** Makes halves round up despite floating-point errors in the sum. */
const ROUNDING = 1e-9;

/** The share of a subject's weight that two players get (0 to 1), and the sentence about it. */
interface Part {
  share: number;
  text?: string;
  /** Whether this keeps the two apart, no matter what else fits. */
  rulesOut?: boolean;
  /** Whether this is listed before stronger reasons. */
  leads?: boolean;
}

/**
 * Rates how well two players could play together, with the reasons in words. Pure: the same input gives the same
 * result.
 * @param viewer the player who is looking; sentences call them "you"
 * @param other the other player, or the author of a post
 * @param wants the post's requirements; left out if there is no post
 */
export function match(viewer: MatchProfile, other: MatchProfile, wants?: MatchWants): Match {
  const parts: Record<MatchSubject, Part> = {
    queue: queuePart(viewer, other, wants),
    role: wants ? wantedRolePart(viewer, wants) : rolePart(viewer, other),
    hours: hoursPart(viewer, other),
    region: wants?.region ? wantedRegionPart(viewer, other, wants.region) : regionPart(viewer, other),
    language: languagePart(viewer, other),
    voice: voicePart(viewer, other),
    playstyle: playstylePart(viewer, other),
  };
  const sum = SUBJECTS.reduce((total, about) => total + MATCH_WEIGHTS[about] * parts[about].share, 0);
  const ruledOut = SUBJECTS.some((about) => parts[about].rulesOut);
  const partsWithText = SUBJECTS.flatMap((about) => {
    const { share, text } = parts[about];
    return text ? [{ strength: strength(about, parts[about]), reason: { about, fits: share >= UNKNOWN, text } }] : [];
  });
  // The sort is stable: of equally strong reasons, the one whose subject has more weight stays first.
  const reasons = partsWithText.sort((one, next) => next.strength - one.strength).map(({ reason }) => reason);
  return {
    score: Math.round(sum * (ruledOut ? RULED_OUT : 1) + ROUNDING),
    reasons: reasons.filter((reason) => reason.fits),
    against: reasons.filter((reason) => !reason.fits),
    ruledOut,
  };
}

/**
 * Rates how early a reason is listed: by the points that it adds or costs, compared with a subject left open. Players
 * expect to be able to queue together, so the `queue` reason counts only for its points above the share of the farthest
 * ranks.
 * @returns whole thousandths of a point, so that rounding errors can't separate equal ones
 */
function strength(about: MatchSubject, { share, ...part }: Part): number {
  if (part.leads || part.rulesOut) return LEADING + MATCH_WEIGHTS[about];
  const ordinary = about === "queue" ? FARTHEST_RANK : UNKNOWN;
  const points = share >= UNKNOWN ? Math.max(0, share - ordinary) : UNKNOWN - share;
  return Math.round(1000 * MATCH_WEIGHTS[about] * points);
}

/** Higher than the points of any reason. */
const LEADING = 100_000;

/**
 * Picks the reasons for a card: the strongest in favour, with the last place for the strongest against, if there is
 * one. If the two can't play together, it picks only the reason against, because nothing that fits matters in that
 * case.
 * @param count the number of reasons
 */
export function strongest({ reasons, against, ruledOut }: Omit<Match, "score">, count: number): MatchReason[] {
  const shown = against.slice(0, 1);
  return ruledOut ? shown : [...reasons.slice(0, count - shown.length), ...shown];
}

function queuePart(viewer: MatchProfile, other: MatchProfile, wants?: MatchWants): Part {
  const [mine, theirs] = [viewer.rank, other.rank];
  if (wants?.rank && mine && rankPosition(mine) < rankPosition(wants.rank)) {
    return { share: 0, text: `Asks for ${wants.rank}. You are ${mine}.`, rulesOut: true };
  }
  // A party of four plays other modes than Competitive, in which ranks don't matter.
  if (!mine || !theirs || wants?.partySize === 4) return { share: UNKNOWN };
  if (mine === theirs) return { share: 1, text: `Both ${mine}` };
  const distance = Math.abs(rankPosition(mine) - rankPosition(theirs));
  const [low, high] = rankPosition(mine) < rankPosition(theirs) ? [mine, theirs] : [theirs, mine];
  if (canQueue([low, high]).allowed) {
    return {
      share: 1 - (1 - FARTHEST_RANK) * (distance / FARTHEST),
      text: `${low} can queue with ${high}`,
    };
  }
  return wants?.partySize === 5
    ? { share: ONLY_IN_FIVE, text: `In a five, ${low} can queue with ${high}` }
    : { share: 0, text: `${low} and ${high} can't queue ranked together.`, rulesOut: true };
}

const ROLE_OF = new Map<Agent, Role>(
  ROLES.flatMap((role) => AGENTS_BY_ROLE[role].map((agent) => [agent, role] as const)),
);

/** The roles a player can fill: the one they prefer, then those of their main agents. */
function rolesOf({ role, agents }: MatchProfile): Role[] {
  const roles: Role[] = role ? [role] : [];
  for (const agent of agents) {
    const ofAgent = ROLE_OF.get(agent);
    if (ofAgent && !roles.includes(ofAgent)) roles.push(ofAgent);
  }
  return roles;
}

const withArticle = (role: Role): string => `${role === "Initiator" ? "an" : "a"} ${role}`;

/**
 * Rates how the viewer's roles fit the role that a post asks for. A reason in favour is listed first, because the role
 * is the post's own requirement.
 */
function wantedRolePart(viewer: MatchProfile, { role }: MatchWants): Part {
  if (!role) return { share: 0.8, text: "Any role is welcome", leads: true };
  const [first, ...more] = rolesOf(viewer);
  if (!first) return { share: UNKNOWN };
  if (viewer.role === role) return { share: 1, text: `You play ${role}`, leads: true };
  if (first === role || more.includes(role)) {
    return { share: 0.85, text: `Your main agents include ${withArticle(role)}`, leads: true };
  }
  return { share: 0, text: `Wants ${withArticle(role)}. You play ${first}.` };
}

function rolePart(viewer: MatchProfile, other: MatchProfile): Part {
  const [mine, theirs] = [rolesOf(viewer), rolesOf(other)];
  if (!mine[0] || !theirs[0]) return { share: UNKNOWN };
  // Main agents count only for players without a preferred role.
  const [myFirst, theirFirst] = [viewer.role ? [viewer.role] : mine, other.role ? [other.role] : theirs];
  for (const their of theirFirst) {
    const my = myFirst.find((role) => role !== their);
    if (my) return { share: 1, text: `${their} and ${my}: your roles go together` };
  }
  const hasOtherRole = mine.length > 1 || theirs.length > 1;
  return hasOtherRole ? { share: UNKNOWN } : { share: 0.2, text: `You both play ${mine[0]}.` };
}

function hoursPart({ hours: mine }: MatchProfile, { hours: theirs }: MatchProfile): Part {
  if (!mine?.some(Boolean) || !theirs?.some(Boolean)) return { share: UNKNOWN };
  const common = commonHours(mine, theirs);
  const hours = countHours(common);
  return hours === 0
    ? { share: 0, text: sayApart(fromMorning(mine), fromMorning(theirs)) }
    : { share: UNKNOWN + (1 - UNKNOWN) * Math.min(1, hours / ENOUGH_HOURS), text: sayTogether(fromMorning(common)) };
}

function wantedRegionPart({ region: mine }: MatchProfile, { region: theirs }: MatchProfile, wanted: Region): Part {
  if (!mine) return { share: UNKNOWN };
  if (mine !== wanted) return { share: 0, text: `Asks for ${wanted}. You play in ${mine}.`, rulesOut: true };
  return { share: 1, text: theirs && theirs !== wanted ? `You play in ${wanted}` : `Both in ${wanted}` };
}

function regionPart({ region: mine }: MatchProfile, { region: theirs }: MatchProfile): Part {
  if (!mine || !theirs) return { share: UNKNOWN };
  if (mine === theirs) return { share: 1, text: `Both in ${mine}` };
  const text = `Plays in ${theirs}. You play in ${mine}.`;
  return canPlayTogether(mine, theirs) ? { share: 0.3, text } : { share: 0, text, rulesOut: true };
}

const languagesOfBoth = (viewer: MatchProfile, other: MatchProfile): string[] =>
  viewer.languages.filter((language) => other.languages.includes(language));

function languagePart(viewer: MatchProfile, other: MatchProfile): Part {
  if (viewer.languages.length === 0 || other.languages.length === 0) return { share: UNKNOWN };
  const common = languagesOfBoth(viewer, other);
  if (common.length === 0) return { share: 0, text: "No language in common." };
  if (bothWantVoice(viewer, other)) return { share: 1, text: `Both speak ${common[0]} and want voice` };
  return {
    share: 1,
    text: viewer.languages.length === 1 ? "Speaks your language" : `Both speak ${common.slice(0, 2).join(" and ")}`,
  };
}

const wantsVoice = ({ voice }: MatchProfile): boolean => voice === "required" || voice === "preferred";
const bothWantVoice = (viewer: MatchProfile, other: MatchProfile): boolean => wantsVoice(viewer) && wantsVoice(other);

function voicePart(viewer: MatchProfile, other: MatchProfile): Part {
  const [mine, theirs] = [viewer.voice, other.voice];
  if (!mine || !theirs) return { share: UNKNOWN };
  if (bothWantVoice(viewer, other)) {
    // The language's reason already mentions voice.
    return { share: 1, text: languagesOfBoth(viewer, other).length > 0 ? undefined : "Both want voice" };
  }
  if (mine === "none" && theirs === "none") return { share: 1, text: "Both play without voice" };
  if (mine === "optional" || theirs === "optional") return { share: 0.7 };
  if (mine === "none") {
    return theirs === "required"
      ? { share: 0, text: "Needs voice. You play without." }
      : { share: 0.3, text: "Prefers voice. You play without." };
  }
  return mine === "required"
    ? { share: 0, text: "Plays without voice. You need it." }
    : { share: 0.3, text: "Plays without voice. You prefer it." };
}

function playstylePart(viewer: MatchProfile, other: MatchProfile): Part {
  const fold = (tag: string) => tag.toLowerCase();
  const theirs = other.tags.map(fold);
  const common = viewer.tags.filter((tag) => theirs.includes(fold(tag)));
  return common.length > 0 ? { share: 1, text: `Both say: ${common.slice(0, 2).join(", ")}` } : { share: UNKNOWN };
}
