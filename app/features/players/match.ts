import { AGENTS_BY_ROLE, type Agent } from "~/features/game/agents";
import { canQueue } from "~/features/game/queue";
import { type Rank, rankPosition } from "~/features/game/ranks";
import type { Region } from "~/features/game/regions";
import { ROLES, type Role } from "~/features/game/roles";
import type { VoiceComms } from "~/features/game/voice";
import { commonHours, countHours, DAYS, type WeekHours } from "./availability";

/** What matching looks at. What a player has not said is null or empty, and counts neither for nor against. */
export interface MatchProfile {
  rank: Rank | null;
  role: Role | null;
  agents: readonly Agent[];
  region: Region | null;
  voice: VoiceComms | null;
  languages: readonly string[];
  tags: readonly string[];
  /** When they usually play, by the clock of the viewer. */
  hours: WeekHours | null;
}

/** What a post asks for. */
export interface MatchWants {
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
  text: string;
}

export interface Match {
  /** 0 to 100. Says how well two could play together, never how well either plays (Riot's policy). */
  score: number;
  /** What speaks for it, the strongest first. */
  reasons: MatchReason[];
  /** What speaks against it, the strongest first. */
  against: MatchReason[];
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

/** What is unknown gets half its weight: an empty profile stands in the middle, neither praised nor hidden. */
const UNKNOWN = 0.5;
/** Next-door ranks get the whole weight; the farthest that may queue together still get this much of it. */
const FARTHEST_RANK = 0.7;
/** So many ranks apart are the farthest. */
const FARTHEST = 8;
/** So many hours a week together are as good as more. */
const ENOUGH_HOURS = 12;
/** What is left of the score where the rules of the game or of the post keep two apart. */
const RULED_OUT = 0.4;

/** How much of a subject's weight two get (0 to 1), and what is to be said about it. */
interface Part {
  share: number;
  text?: string;
  /** No matter what else fits. */
  rulesOut?: boolean;
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
    region: regionPart(viewer, wants?.region ?? other.region),
    language: languagePart(viewer, other),
    voice: voicePart(viewer, other),
    playstyle: playstylePart(viewer, other),
  };
  const subjects = Object.keys(MATCH_WEIGHTS) as MatchSubject[];
  const sum = subjects.reduce((total, about) => total + MATCH_WEIGHTS[about] * parts[about].share, 0);
  const ruledOut = subjects.some((about) => parts[about].rulesOut);
  const told = subjects.flatMap((about) => {
    const { text, share } = parts[about];
    return text
      ? [{ about, fits: share >= UNKNOWN, text, strength: MATCH_WEIGHTS[about] * Math.abs(share - UNKNOWN) }]
      : [];
  });
  // Sorting keeps the order of equals: the heavier subject stays first.
  const strongest = told.sort((a, b) => b.strength - a.strength).map(({ strength: _, ...reason }) => reason);
  return {
    score: Math.round(sum * (ruledOut ? RULED_OUT : 1)),
    reasons: strongest.filter(({ fits }) => fits),
    against: strongest.filter(({ fits }) => !fits),
  };
}

/** So many reasons as a card holds: the strongest, and in the last one's place the strongest against, if there is one. */
export function strongest({ reasons, against }: Pick<Match, "reasons" | "against">, count: number): MatchReason[] {
  const shown = against.slice(0, 1);
  return [...reasons.slice(0, count - shown.length), ...shown];
}

function queuePart(viewer: MatchProfile, other: MatchProfile, wants?: MatchWants): Part {
  const [mine, theirs] = [viewer.rank, other.rank];
  if (wants?.rank && mine && rankPosition(mine) < rankPosition(wants.rank)) {
    return { share: 0, text: `Asks for ${wants.rank}. You are ${mine}.`, rulesOut: true };
  }
  // A party of four plays something else than Competitive, in which ranks don't matter.
  if (!mine || !theirs || wants?.partySize === 4) return { share: UNKNOWN };
  const isFive = wants?.partySize === 5;
  if (!canQueue([mine, theirs]).allowed && !isFive) {
    return { share: 0, text: `${theirs} and ${mine} cannot queue ranked together.`, rulesOut: true };
  }
  const distance = Math.min(Math.abs(rankPosition(mine) - rankPosition(theirs)), FARTHEST);
  const share = 1 - (1 - FARTHEST_RANK) * (distance / FARTHEST);
  return {
    share,
    text: canQueue([mine, theirs]).allowed
      ? `${mine} can queue with ${theirs}`
      : `In a five, ${mine} can queue with ${theirs}`,
  };
}

/** The roles a player can fill: the one they prefer, then those of their main agents. */
function rolesOf({ role, agents }: MatchProfile): Role[] {
  const ofAgents = ROLES.filter((one) =>
    agents.some((agent) => (AGENTS_BY_ROLE[one] as readonly string[]).includes(agent)),
  );
  return [...new Set([...(role ? [role] : []), ...ofAgents])];
}

function wantedRolePart(viewer: MatchProfile, { role }: MatchWants): Part {
  if (!role) return { share: 0.8, text: "Any role is welcome" };
  const roles = rolesOf(viewer);
  if (roles.length === 0) return { share: UNKNOWN };
  if (viewer.role === role) return { share: 1, text: `You play ${role}` };
  if (roles.includes(role)) return { share: 0.85, text: `Your main agents include a ${role}` };
  return { share: 0, text: `Wants a ${role}. You play ${viewer.role ?? roles[0]}.` };
}

function rolePart(viewer: MatchProfile, other: MatchProfile): Part {
  const [mine, theirs] = [viewer.role ?? rolesOf(viewer)[0], other.role ?? rolesOf(other)[0]];
  if (!mine || !theirs) return { share: UNKNOWN };
  if (mine !== theirs) return { share: 1, text: `${theirs} and ${mine}: your roles go together` };
  const canGiveWay = rolesOf(viewer).length > 1 || rolesOf(other).length > 1;
  return canGiveWay ? { share: UNKNOWN } : { share: 0.2, text: `You both play ${mine}.` };
}

function hoursPart(viewer: MatchProfile, other: MatchProfile): Part {
  if (!viewer.hours || !other.hours) return { share: UNKNOWN };
  const common = commonHours(viewer.hours, other.hours);
  const hours = countHours(common);
  if (hours === 0) return { share: 0, text: "No hours of the week together." };
  return { share: Math.min(1, UNKNOWN + hours / ENOUGH_HOURS / 2), text: sayHours(common, hours) };
}

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven"];
const WEEKEND = [5, 6];
/** The hours by the viewer's clock that are the evening. */
const EVENING = hoursBetween(18, 24);

/** "Free together four days a week", "Both free at weekends", "Both evenings, 3 h overlap" */
function sayHours(common: WeekHours, hours: number): string {
  const days = DAYS.flatMap((_, day) => (common[day] ? [day] : []));
  if (days.every((day) => WEEKEND.includes(day))) return "Both free at weekends";
  if (common.every((day) => (day & ~EVENING) === 0)) return `Both evenings, ${hours} h overlap`;
  return days.length === 1
    ? `Free together on ${DAYS[days[0] as number]}s`
    : `Free together ${WORDS[days.length]} days a week`;
}

function hoursBetween(from: number, to: number): number {
  let bits = 0;
  for (let hour = from; hour < to; hour += 1) bits |= 1 << hour;
  return bits;
}

function regionPart(viewer: MatchProfile, region: Region | null): Part {
  if (!viewer.region || !region) return { share: UNKNOWN };
  return viewer.region === region
    ? { share: 1, text: `Both in ${region}` }
    : { share: 0, text: `Plays in ${region}. You play in ${viewer.region}.` };
}

function languagePart(viewer: MatchProfile, other: MatchProfile): Part {
  if (viewer.languages.length === 0 || other.languages.length === 0) return { share: UNKNOWN };
  const common = viewer.languages.filter((language) => other.languages.includes(language));
  return common.length > 0
    ? { share: 1, text: `Both speak ${common.slice(0, 2).join(" and ")}` }
    : { share: 0, text: "No language in common." };
}

function voicePart(viewer: MatchProfile, other: MatchProfile): Part {
  const [mine, theirs] = [viewer.voice, other.voice];
  if (!mine || !theirs) return { share: UNKNOWN };
  const wants = (voice: VoiceComms) => voice === "required" || voice === "preferred";
  if (wants(mine) && wants(theirs)) return { share: 1, text: "Both want voice" };
  if (mine === "none" && theirs === "none") return { share: 1, text: "Both play without voice" };
  if (mine === "none" && theirs === "required") return { share: 0, text: "Needs voice. You play without." };
  if (mine === "required" && theirs === "none") return { share: 0, text: "Plays without voice. You need it." };
  return { share: 0.7 };
}

function playstylePart(viewer: MatchProfile, other: MatchProfile): Part {
  if (viewer.tags.length === 0 || other.tags.length === 0) return { share: UNKNOWN };
  const fold = (tag: string) => tag.toLowerCase();
  const theirs = other.tags.map(fold);
  const common = viewer.tags.filter((tag) => theirs.includes(fold(tag)));
  return common.length > 0 ? { share: 1, text: `Both say: ${common.slice(0, 2).join(", ")}` } : { share: 0.4 };
}
