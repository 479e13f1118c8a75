import { AGENTS_BY_ROLE, type Agent } from "~/game/agents";
import { canQueue } from "~/game/queue";
import { type Rank, rankPosition } from "~/game/ranks";
import { canMeet, type Region } from "~/game/regions";
import { ROLES, type Role } from "~/game/roles";
import type { VoiceComms } from "~/game/voice";
import { commonHours, countHours, fromMorning, type WeekHours } from "../availability";
import { sayApart, sayTogether } from "./say-hours";

/*
 * How well two players could play together, from 0 to 100. Each subject has a weight (`MATCH_WEIGHTS`, 100 together), of
 * which a pair gets a share; what either has not said gets half.
 *
 * - queue: the same rank 1, each rank apart 0.0375 less (8 ranks: 0.7); in a post for five, ranks that
 *   may queue in a five only 0.6; in a post for four half, as ranks don't matter; ranks that may not queue, or below what
 *   the post asks for: 0 and ruled out
 * - role: different roles 1; the same 0.2, but half where main agents give one of them another.
 *   For a post with a role: played 1, by main agents 0.85, not played 0; for a post that welcomes any: 0.8
 * - hours: half, and a 24th more for each hour of the week together, up to 12 hours; none 0
 * - region: the same 1; another on the same servers 0.3; other servers, or not what the post asks for: 0 and ruled out
 * - language: one in common 1, none 0
 * - voice: both want it, or both go without 1; one leaves it open 0.7; preferred and none 0.3; required and none 0
 * - playstyle: a tag in common 1; other words say nothing: half
 *
 * What rules two out leaves a fifth of the sum: 18 at most. Everyone else has at least 23, and so stands before.
 */

/** What matching looks at. What a player has not said is null or empty, and counts neither for nor against. */
export interface MatchProfile {
  rank: Rank | null;
  role: Role | null;
  agents: readonly Agent[];
  region: Region | null;
  voice: VoiceComms | null;
  /** Names, as they are shown: "English". The first is the one that is named. */
  languages: readonly string[];
  tags: readonly string[];
  /** When they usually play, by the clock of the viewer. */
  hours: WeekHours | null;
}

/** What a post asks for. */
export interface MatchWants {
  /** The lowest rank that is welcome. */
  rank: Rank | null;
  role: Role | null;
  region: Region | null;
  /** How many play together in the end. */
  partySize: number;
}

/** One sentence about why two fit, or don't. */
export interface MatchReason {
  about: MatchSubject;
  fits: boolean;
  /** Ends in a full stop where it speaks against. */
  text: string;
}

export interface Match {
  /** 0 to 100. Says how well two could play together, never how well either plays (Riot's policy). */
  score: number;
  /** What speaks for it, the strongest first. */
  reasons: MatchReason[];
  /** What speaks against it, the strongest first. */
  against: MatchReason[];
  /** The rules of the game or of the post keep the two apart; `against` begins with why. */
  ruledOut: boolean;
}

/**
 * What each subject can add. Being allowed to queue together comes first: without it there is no evening. Then what makes
 * a team work (roles) and makes it happen (hours), then how one gets along.
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

/** What is unknown gets half its weight: an empty profile stands in the middle, neither praised nor hidden. */
const UNKNOWN = 0.5;
/** The same rank gets the whole weight; the farthest that may queue together still get this much of it. */
const FARTHEST_RANK = 0.7;
/** So many ranks apart are the farthest: Iron 1 and Silver 3. */
const FARTHEST = 8;
/** Ranks that may queue in a five only, for less rating. */
const ONLY_IN_FIVE = 0.6;
/** So many hours a week together are as good as more. */
const ENOUGH_HOURS = 12;
/** What is left of the score where the rules of the game or of the post keep two apart: less than anyone else has. */
const RULED_OUT = 0.2;
/** Halves go up, whatever floating-point sums make of them. */
const ROUNDING = 1e-9;

/** How much of a subject's weight two get (0 to 1), and what is to be said about it. */
interface Part {
  share: number;
  text?: string;
  /** No matter what else fits. */
  rulesOut?: boolean;
  /** Said before what is stronger. */
  leads?: boolean;
}

/**
 * How well two players could play together, with the reasons in words. Pure: the same two give the same answer.
 * @param viewer who is looking; sentences say "you" for them
 * @param other the other player, or the author of a post
 * @param wants what the post asks for; left out where there is none
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
  const told = SUBJECTS.flatMap((about) => {
    const { share, text } = parts[about];
    return text ? [{ strength: strength(about, parts[about]), reason: { about, fits: share >= UNKNOWN, text } }] : [];
  });
  // Sorting keeps the order of equals: the heavier subject stays first.
  const reasons = told.sort((one, next) => next.strength - one.strength).map(({ reason }) => reason);
  return {
    score: Math.round(sum * (ruledOut ? RULED_OUT : 1) + ROUNDING),
    reasons: reasons.filter((reason) => reason.fits),
    against: reasons.filter((reason) => !reason.fits),
    ruledOut,
  };
}

/**
 * How early a reason is said: by the points it makes, or costs, beside knowing nothing. That two may queue is what a
 * player expects, so there only the points for being near count.
 * @returns thousandths of a point, whole ones, so that equals are equal
 */
function strength(about: MatchSubject, { share, ...part }: Part): number {
  if (part.leads || part.rulesOut) return LEADING + MATCH_WEIGHTS[about];
  const ordinary = about === "queue" ? FARTHEST_RANK : UNKNOWN;
  const points = share >= UNKNOWN ? Math.max(0, share - ordinary) : UNKNOWN - share;
  return Math.round(1000 * MATCH_WEIGHTS[about] * points);
}

/** More than any strength. */
const LEADING = 100_000;

/**
 * So many reasons as a card holds: the strongest, and in the last one's place the strongest against, if there is one.
 * That alone where two are kept apart: what would have fitted helps nobody then.
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
  // A party of four plays something else than Competitive, in which ranks don't matter.
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
    : { share: 0, text: `${low} and ${high} cannot queue ranked together.`, rulesOut: true };
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

const a = (role: Role): string => `${role === "Initiator" ? "an" : "a"} ${role}`;

/** What a post asks for is the first that one wants to know of it. */
function wantedRolePart(viewer: MatchProfile, { role }: MatchWants): Part {
  if (!role) return { share: 0.8, text: "Any role is welcome", leads: true };
  const [first, ...more] = rolesOf(viewer);
  if (!first) return { share: UNKNOWN };
  if (viewer.role === role) return { share: 1, text: `You play ${role}`, leads: true };
  if (first === role || more.includes(role)) {
    return { share: 0.85, text: `Your main agents include ${a(role)}`, leads: true };
  }
  return { share: 0, text: `Wants ${a(role)}. You play ${first}.` };
}

function rolePart(viewer: MatchProfile, other: MatchProfile): Part {
  const [mine, theirs] = [rolesOf(viewer), rolesOf(other)];
  if (!mine[0] || !theirs[0]) return { share: UNKNOWN };
  // Main agents speak only for those who prefer no role.
  const [myFirst, theirFirst] = [viewer.role ? [viewer.role] : mine, other.role ? [other.role] : theirs];
  for (const their of theirFirst) {
    const my = myFirst.find((role) => role !== their);
    if (my) return { share: 1, text: `${their} and ${my}: your roles go together` };
  }
  const canGiveWay = mine.length > 1 || theirs.length > 1;
  return canGiveWay ? { share: UNKNOWN } : { share: 0.2, text: `You both play ${mine[0]}.` };
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
  return canMeet(mine, theirs) ? { share: 0.3, text } : { share: 0, text, rulesOut: true };
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
    // Said together with the language they speak.
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
