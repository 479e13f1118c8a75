import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  MATCH_WEIGHTS,
  type MatchProfile,
  type MatchWants,
  match,
  strongest,
} from "../../app/features/players/shared/match";
import { AGENTS_BY_ROLE, type Agent } from "../../app/game/agents";
import { canQueue } from "../../app/game/queue";
import { RANKS } from "../../app/game/ranks";
import { canPlayTogether, REGIONS } from "../../app/game/regions";
import { ROLES } from "../../app/game/roles";
import { VOICE_COMMS } from "../../app/game/voice";

const nobody: MatchProfile = {
  rank: null,
  role: null,
  agents: [],
  region: null,
  voice: null,
  languages: [],
  tags: [],
  hours: null,
};

/** The facts that a player has given. */
type Facts = Partial<MatchProfile>;

/** The hours of a week: `week("Mo We", 18, 22)`. Hours past midnight fall on the next day; `more` weeks are added. */
function week(days: string, from: number, to: number, ...more: number[][]): number[] {
  const hours = Array<number>(7).fill(0);
  for (const day of days.split(" ")) {
    for (let hour = from; hour < to; hour += 1) {
      const at = (["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].indexOf(day) + Math.floor(hour / 24)) % 7;
      hours[at] = (hours[at] as number) | (1 << (hour % 24));
    }
  }
  return hours.map((bits, day) => more.reduce((all, other) => all | (other[day] as number), bits));
}

/** A pair of players, with a score worked out by hand from the table of shares in `match.ts`. */
interface Pair {
  what: string;
  viewer: Facts;
  other: Facts;
  /** The post's requirements, if there is a post. Omitted ones take the defaults: a duo without requirements. */
  wants?: Partial<MatchWants>;
  /** Points for queue, role, hours, region, language, voice and playstyle. */
  points: [number, number, number, number, number, number, number];
  /** The rounded sum of the points; for a pair that is ruled out, a fifth of the sum. */
  score: number;
  ruledOut?: true;
  reasons?: string[];
  against?: string[];
}

/*
 * The points of each subject, by hand:
 * - unknown: queue 17.5, role 10, hours 9, region 5, language 4, voice 2.5, playstyle 2, which makes 50
 * - queue: 35, minus 35 × 0.0375 = 1.3125 for each rank apart:
 *   1: 33.6875  2: 32.375  3: 31.0625  4: 29.75  5: 28.4375  6: 27.125  7: 25.8125  8: 24.5; allowed only in a five: 21
 * - role: different 20, the same 4, the same but with main agents of another role 10;
 *   for a post: the role it asks for 20, that role by main agents 17, any role welcome 16
 * - hours: 9, plus 0.75 for each common hour, up to 18 (from 12 hours on)
 * - region: the same 10, on the same servers 3
 * - language: in common 8
 * - voice: agreed 5, left open by one 3.5, preferred and none 1.5
 * - playstyle: in common 4
 *
 * Reasons are sorted by the distance of their points from those for unknown (for queue: from 24.5).
 */
const queuePairs: Pair[] = [
  {
    what: "the same rank",
    viewer: { rank: "Platinum 2" },
    other: { rank: "Platinum 2" },
    points: [35, 10, 9, 5, 4, 2.5, 2],
    score: 68, // 67.5
    reasons: ["Both Platinum 2"],
  },
  {
    what: "one rank above",
    viewer: { rank: "Platinum 2" },
    other: { rank: "Platinum 3" },
    points: [33.6875, 10, 9, 5, 4, 2.5, 2],
    score: 66, // 66.1875
    reasons: ["Platinum 2 can queue with Platinum 3"],
  },
  {
    what: "two ranks below: the lower one is named first",
    viewer: { rank: "Diamond 1" },
    other: { rank: "Platinum 2" },
    points: [32.375, 10, 9, 5, 4, 2.5, 2],
    score: 65, // 64.875
    reasons: ["Platinum 2 can queue with Diamond 1"],
  },
  {
    what: "three above, the farthest that Platinum or higher may queue",
    viewer: { rank: "Platinum 2" },
    other: { rank: "Diamond 2" },
    points: [31.0625, 10, 9, 5, 4, 2.5, 2],
    score: 64, // 63.5625
    reasons: ["Platinum 2 can queue with Diamond 2"],
  },
  {
    what: "four below, where Gold sets the limit",
    viewer: { rank: "Platinum 2" },
    other: { rank: "Gold 1" },
    points: [29.75, 10, 9, 5, 4, 2.5, 2],
    score: 62, // 62.25
    reasons: ["Gold 1 can queue with Platinum 2"],
  },
  {
    what: "five apart",
    viewer: { rank: "Gold 1" },
    other: { rank: "Platinum 3" },
    points: [28.4375, 10, 9, 5, 4, 2.5, 2],
    score: 61, // 60.9375
    reasons: ["Gold 1 can queue with Platinum 3"],
  },
  {
    what: "six apart",
    viewer: { rank: "Silver 3" },
    other: { rank: "Iron 3" },
    points: [27.125, 10, 9, 5, 4, 2.5, 2],
    score: 60, // 59.625
    reasons: ["Iron 3 can queue with Silver 3"],
  },
  {
    what: "seven apart",
    viewer: { rank: "Iron 2" },
    other: { rank: "Silver 3" },
    points: [25.8125, 10, 9, 5, 4, 2.5, 2],
    score: 58, // 58.3125
    reasons: ["Iron 2 can queue with Silver 3"],
  },
  {
    what: "the farthest that may queue",
    viewer: { rank: "Iron 1" },
    other: { rank: "Silver 3" },
    points: [24.5, 10, 9, 5, 4, 2.5, 2],
    score: 57,
    reasons: ["Iron 1 can queue with Silver 3"],
  },
  {
    what: "the highest two",
    viewer: { rank: "Radiant" },
    other: { rank: "Immortal 3" },
    points: [33.6875, 10, 9, 5, 4, 2.5, 2],
    score: 66,
    reasons: ["Immortal 3 can queue with Radiant"],
  },
  {
    what: "one rank too far for Iron",
    viewer: { rank: "Iron 1" },
    other: { rank: "Gold 1" },
    points: [0, 10, 9, 5, 4, 2.5, 2],
    ruledOut: true,
    score: 7, // 32.5: 6.5
    against: ["Iron 1 and Gold 1 can't queue ranked together."],
  },
  {
    what: "one rank too far for Platinum",
    viewer: { rank: "Diamond 3" },
    other: { rank: "Platinum 2" },
    points: [0, 10, 9, 5, 4, 2.5, 2],
    ruledOut: true,
    score: 7,
    against: ["Platinum 2 and Diamond 3 can't queue ranked together."],
  },
  {
    what: "four apart is too far for Silver",
    viewer: { rank: "Silver 3" },
    other: { rank: "Platinum 1" },
    points: [0, 10, 9, 5, 4, 2.5, 2],
    ruledOut: true,
    score: 7,
    against: ["Silver 3 and Platinum 1 can't queue ranked together."],
  },
  {
    what: "Radiant is too far for Ascendant",
    viewer: { rank: "Ascendant 3" },
    other: { rank: "Radiant" },
    points: [0, 10, 9, 5, 4, 2.5, 2],
    ruledOut: true,
    score: 7,
    against: ["Ascendant 3 and Radiant can't queue ranked together."],
  },
  {
    what: "one of them has given no rank",
    viewer: { rank: "Platinum 2" },
    other: {},
    points: [17.5, 10, 9, 5, 4, 2.5, 2],
    score: 50,
  },
];

const rolePairs: Pair[] = [
  {
    what: "different roles",
    viewer: { role: "Controller" },
    other: { role: "Initiator" },
    points: [17.5, 20, 9, 5, 4, 2.5, 2],
    score: 60,
    reasons: ["Initiator and Controller: your roles go together"],
  },
  {
    what: "the same role, and no agents named",
    viewer: { role: "Controller" },
    other: { role: "Controller" },
    points: [17.5, 4, 9, 5, 4, 2.5, 2],
    score: 44,
    against: ["You both play Controller."],
  },
  {
    what: "the same role, and only agents of it",
    viewer: { role: "Controller", agents: ["Omen"] },
    other: { role: "Controller", agents: ["Viper", "Clove"] },
    points: [17.5, 4, 9, 5, 4, 2.5, 2],
    score: 44,
    against: ["You both play Controller."],
  },
  {
    what: "the same role, but the viewer has another agent",
    viewer: { role: "Controller", agents: ["Omen", "Sova"] },
    other: { role: "Controller" },
    points: [17.5, 10, 9, 5, 4, 2.5, 2],
    score: 50,
  },
  {
    what: "the same role, but the other has another agent",
    viewer: { role: "Sentinel", agents: ["Sage"] },
    other: { role: "Sentinel", agents: ["Raze"] },
    points: [17.5, 10, 9, 5, 4, 2.5, 2],
    score: 50,
  },
  {
    what: "no preferred role: the main agents show it",
    viewer: { agents: ["Jett", "Sage"] },
    other: { role: "Duelist" },
    points: [17.5, 20, 9, 5, 4, 2.5, 2],
    score: 60,
    reasons: ["Duelist and Sentinel: your roles go together"],
  },
  {
    what: "no preferred roles, and agents of one role only",
    viewer: { agents: ["Jett"] },
    other: { agents: ["Raze", "Neon"] },
    points: [17.5, 4, 9, 5, 4, 2.5, 2],
    score: 44,
    against: ["You both play Duelist."],
  },
  {
    what: "no preferred roles, and the same agent of each of two roles",
    viewer: { agents: ["KAY/O", "Omen"] },
    other: { agents: ["KAY/O", "Omen"] },
    points: [17.5, 20, 9, 5, 4, 2.5, 2],
    score: 60,
    reasons: ["Initiator and Controller: your roles go together"],
  },
  {
    what: "one of them has given neither a role nor agents",
    viewer: { role: "Controller", agents: ["Omen"] },
    other: {},
    points: [17.5, 10, 9, 5, 4, 2.5, 2],
    score: 50,
  },
];

const hoursPairs: Pair[] = [
  {
    what: "16 hours from Monday to Thursday",
    viewer: { hours: week("Mo Tu We Th Sa", 18, 22) },
    other: { hours: week("Mo Tu We Th Fr", 18, 22) },
    points: [17.5, 10, 18, 5, 4, 2.5, 2],
    score: 59,
    reasons: ["Free together Monday to Thursday"],
  },
  {
    what: "8 hours from Monday to Thursday",
    viewer: { hours: week("Mo Tu We Th", 18, 22) },
    other: { hours: week("Mo Tu We Th Fr", 20, 24) },
    points: [17.5, 10, 15, 5, 4, 2.5, 2],
    score: 56,
    reasons: ["Free together Monday to Thursday"],
  },
  {
    what: "12 hours are enough",
    viewer: { hours: week("Mo Tu We", 18, 22) },
    other: { hours: week("Mo Tu We", 18, 22) },
    points: [17.5, 10, 18, 5, 4, 2.5, 2],
    score: 59,
    reasons: ["Free together Monday to Wednesday"],
  },
  {
    what: "11 hours are not quite enough",
    viewer: { hours: week("Mo Tu We", 18, 22) },
    other: { hours: week("Mo Tu", 18, 22, week("We", 18, 21)) },
    points: [17.5, 10, 17.25, 5, 4, 2.5, 2],
    score: 58, // 58.25
    reasons: ["Free together Monday to Wednesday"],
  },
  {
    what: "10 hours at weekends",
    viewer: { hours: week("Sa Su", 14, 20) },
    other: { hours: week("Fr Sa Su", 15, 20) },
    points: [17.5, 10, 16.5, 5, 4, 2.5, 2],
    score: 58, // 57.5
    reasons: ["Both free at weekends"],
  },
  {
    what: "14 hours on four days that aren't all consecutive",
    viewer: { hours: week("Mo Tu We Th", 18, 22, week("Sa Su", 14, 20)) },
    other: { hours: week("Mo We", 20, 24, week("Sa Su", 15, 20)) },
    points: [17.5, 10, 18, 5, 4, 2.5, 2],
    score: 59,
    reasons: ["Free together four days a week"],
  },
  {
    what: "three evenings of 3 common hours: the other starts an hour later",
    viewer: { hours: week("Mo We Fr", 18, 22) },
    other: { hours: week("Mo We Fr", 19, 23) },
    points: [17.5, 10, 15.75, 5, 4, 2.5, 2],
    score: 57, // 56.75
    reasons: ["Both play evenings (3 h overlap)"],
  },
  {
    what: "two evenings of different length: the shorter one counts",
    viewer: { hours: week("Mo", 18, 22, week("Th", 18, 21)) },
    other: { hours: week("Mo Th", 19, 24) },
    points: [17.5, 10, 12.75, 5, 4, 2.5, 2],
    score: 54, // 3 h and 2 h: 53.75
    reasons: ["Both play evenings (2 h overlap)"],
  },
  {
    what: "every evening",
    viewer: { hours: week("Mo Tu We Th Fr Sa Su", 18, 22) },
    other: { hours: week("Mo Tu We Th Fr Sa Su", 20, 24) },
    points: [17.5, 10, 18, 5, 4, 2.5, 2],
    score: 59,
    reasons: ["Both play evenings (2 h overlap)"],
  },
  {
    what: "every day",
    viewer: { hours: week("Mo Tu We Th Fr Sa Su", 14, 22) },
    other: { hours: week("Mo Tu We Th Fr Sa Su", 14, 22) },
    points: [17.5, 10, 18, 5, 4, 2.5, 2],
    score: 59,
    reasons: ["Free together every day"],
  },
  {
    what: "one evening",
    viewer: { hours: week("Mo Tu", 18, 22) },
    other: { hours: week("Tu We", 19, 23) },
    points: [17.5, 10, 11.25, 5, 4, 2.5, 2],
    score: 52, // 52.25
    reasons: ["Free together on Tuesday evenings"],
  },
  {
    what: "a single hour is a little better than nothing known",
    viewer: { hours: week("Th", 18, 22) },
    other: { hours: week("Th", 21, 23) },
    points: [17.5, 10, 9.75, 5, 4, 2.5, 2],
    score: 51, // 50.75
    reasons: ["Free together on Thursday evenings"],
  },
  {
    what: "one day, not in the evening",
    viewer: { hours: week("Sa", 10, 14) },
    other: { hours: week("Sa Su", 6, 14) },
    points: [17.5, 10, 12, 5, 4, 2.5, 2],
    score: 53,
    reasons: ["Free together on Saturdays"],
  },
  {
    what: "Friday until two in the morning is one day",
    viewer: { hours: week("Fr", 18, 26) },
    other: { hours: week("Fr", 18, 26) },
    points: [17.5, 10, 15, 5, 4, 2.5, 2],
    score: 56,
    reasons: ["Free together on Fridays"],
  },
  {
    what: "Sunday night goes on into Monday, and is still Sunday",
    viewer: { hours: week("Su", 22, 26) },
    other: { hours: week("Su", 22, 26) },
    points: [17.5, 10, 12, 5, 4, 2.5, 2],
    score: 53,
    reasons: ["Free together on Sundays"],
  },
  {
    what: "afternoons and evenings",
    viewer: { hours: week("Mo Tu We Th Sa", 18, 22) },
    other: { hours: week("Mo Tu We Th Fr", 14, 18) },
    points: [17.5, 10, 0, 5, 4, 2.5, 2],
    score: 41,
    against: ["Plays afternoons. You play evenings."],
  },
  {
    what: "mornings and nights",
    viewer: { hours: week("Mo Tu", 22, 26) },
    other: { hours: week("Mo Tu", 6, 10) },
    points: [17.5, 10, 0, 5, 4, 2.5, 2],
    score: 41,
    against: ["Plays mornings. You play nights."],
  },
  {
    what: "noon and mostly evenings",
    viewer: { hours: week("Mo Tu Sa", 17, 22) },
    other: { hours: week("Tu We Su", 10, 14) },
    points: [17.5, 10, 0, 5, 4, 2.5, 2],
    score: 41,
    against: ["Plays around noon. You play evenings."],
  },
  {
    what: "weekends and weekdays",
    viewer: { hours: week("Mo Tu We", 18, 22) },
    other: { hours: week("Sa Su", 14, 18) },
    points: [17.5, 10, 0, 5, 4, 2.5, 2],
    score: 41,
    against: ["Plays weekends. You play weekdays."],
  },
  {
    what: "evenings, but never the same",
    viewer: { hours: week("Mo We", 18, 22) },
    other: { hours: week("Tu Th", 18, 22) },
    points: [17.5, 10, 0, 5, 4, 2.5, 2],
    score: 41,
    against: ["No hours together."],
  },
  {
    what: "no part of the day has most of one player's hours",
    viewer: { hours: week("Mo We", 18, 22) },
    other: { hours: week("Mo We", 6, 10, week("Mo We", 14, 18)) },
    points: [17.5, 10, 0, 5, 4, 2.5, 2],
    score: 41,
    against: ["No hours together."],
  },
  {
    what: "a week without hours counts as unknown",
    viewer: { hours: week("Mo", 18, 22) },
    other: { hours: [0, 0, 0, 0, 0, 0, 0] },
    points: [17.5, 10, 9, 5, 4, 2.5, 2],
    score: 50,
  },
];

const mannersPairs: Pair[] = [
  {
    what: "the same region",
    viewer: { region: "Europe" },
    other: { region: "Europe" },
    points: [17.5, 10, 9, 10, 4, 2.5, 2],
    score: 55,
    reasons: ["Both in Europe"],
  },
  {
    what: "another region of the same servers",
    viewer: { region: "North America" },
    other: { region: "Brazil" },
    points: [17.5, 10, 9, 3, 4, 2.5, 2],
    score: 48,
    against: ["Plays in Brazil. You play in North America."],
  },
  {
    what: "other servers: the two can't be in a party",
    viewer: { region: "Europe" },
    other: { region: "Korea" },
    points: [17.5, 10, 9, 0, 4, 2.5, 2],
    ruledOut: true,
    score: 9, // 45: 9
    against: ["Plays in Korea. You play in Europe."],
  },
  {
    what: "the viewer's only language",
    viewer: { languages: ["Korean"] },
    other: { languages: ["English", "Korean"] },
    points: [17.5, 10, 9, 5, 8, 2.5, 2],
    score: 54,
    reasons: ["Speaks your language"],
  },
  {
    what: "one language of several",
    viewer: { languages: ["English", "German"] },
    other: { languages: ["French", "German"] },
    points: [17.5, 10, 9, 5, 8, 2.5, 2],
    score: 54,
    reasons: ["Both speak German"],
  },
  {
    what: "three languages in common, of which two are named",
    viewer: { languages: ["English", "Polish", "German"] },
    other: { languages: ["German", "Polish", "English"] },
    points: [17.5, 10, 9, 5, 8, 2.5, 2],
    score: 54,
    reasons: ["Both speak English and Polish"],
  },
  {
    what: "no language in common",
    viewer: { languages: ["English"] },
    other: { languages: ["Korean"] },
    points: [17.5, 10, 9, 5, 0, 2.5, 2],
    score: 46,
    against: ["No language in common."],
  },
  {
    what: "a language, and voice to speak it",
    viewer: { languages: ["English", "Polish"], voice: "preferred" },
    other: { languages: ["Polish", "English"], voice: "required" },
    points: [17.5, 10, 9, 5, 8, 5, 2],
    score: 57, // 56.5
    reasons: ["Both speak English and want voice"],
  },
  {
    what: "voice, but no language for it",
    viewer: { languages: ["English"], voice: "preferred" },
    other: { languages: ["Korean"], voice: "preferred" },
    points: [17.5, 10, 9, 5, 0, 5, 2],
    score: 49, // 48.5
    reasons: ["Both want voice"],
    against: ["No language in common."],
  },
  {
    what: "both want voice",
    viewer: { voice: "required" },
    other: { voice: "preferred" },
    points: [17.5, 10, 9, 5, 4, 5, 2],
    score: 53, // 52.5
    reasons: ["Both want voice"],
  },
  {
    what: "both go without voice",
    viewer: { voice: "none" },
    other: { voice: "none" },
    points: [17.5, 10, 9, 5, 4, 5, 2],
    score: 53,
    reasons: ["Both play without voice"],
  },
  {
    what: "voice required and left open",
    viewer: { voice: "optional" },
    other: { voice: "required" },
    points: [17.5, 10, 9, 5, 4, 3.5, 2],
    score: 51,
  },
  {
    what: "no voice and left open",
    viewer: { voice: "none" },
    other: { voice: "optional" },
    points: [17.5, 10, 9, 5, 4, 3.5, 2],
    score: 51,
  },
  {
    what: "needs voice, and the viewer goes without",
    viewer: { voice: "none" },
    other: { voice: "required" },
    points: [17.5, 10, 9, 5, 4, 0, 2],
    score: 48, // 47.5
    against: ["Needs voice. You play without."],
  },
  {
    what: "goes without, and the viewer needs it",
    viewer: { voice: "required" },
    other: { voice: "none" },
    points: [17.5, 10, 9, 5, 4, 0, 2],
    score: 48,
    against: ["Plays without voice. You need it."],
  },
  {
    what: "prefers voice, and the viewer goes without",
    viewer: { voice: "none" },
    other: { voice: "preferred" },
    points: [17.5, 10, 9, 5, 4, 1.5, 2],
    score: 49,
    against: ["Prefers voice. You play without."],
  },
  {
    what: "goes without, and the viewer prefers it",
    viewer: { voice: "preferred" },
    other: { voice: "none" },
    points: [17.5, 10, 9, 5, 4, 1.5, 2],
    score: 49,
    against: ["Plays without voice. You prefer it."],
  },
  {
    what: "a tag in common, with different capitalisation",
    viewer: { tags: ["Calm"] },
    other: { tags: ["early caller", "calm"] },
    points: [17.5, 10, 9, 5, 4, 2.5, 4],
    score: 52,
    reasons: ["Both say: Calm"],
  },
  {
    what: "three tags in common, of which two are named",
    viewer: { tags: ["calm", "jokes", "no tilt"] },
    other: { tags: ["no tilt", "jokes", "calm"] },
    points: [17.5, 10, 9, 5, 4, 2.5, 4],
    score: 52,
    reasons: ["Both say: calm, jokes"],
  },
  {
    what: "other tags say nothing",
    viewer: { tags: ["calm"] },
    other: { tags: ["jokes"] },
    points: [17.5, 10, 9, 5, 4, 2.5, 2],
    score: 50,
  },
  {
    what: "two empty profiles",
    viewer: {},
    other: {},
    points: [17.5, 10, 9, 5, 4, 2.5, 2],
    score: 50,
  },
];

const postPairs: Pair[] = [
  {
    what: "a post that asks for nothing",
    viewer: {},
    other: {},
    wants: {},
    points: [17.5, 16, 9, 5, 4, 2.5, 2],
    score: 56,
    reasons: ["Any role is welcome"],
  },
  {
    what: "a rank that the viewer doesn't reach",
    viewer: { rank: "Platinum 2" },
    other: { rank: "Radiant" },
    wants: { rank: "Immortal 3" },
    points: [0, 16, 9, 5, 4, 2.5, 2],
    ruledOut: true,
    score: 8, // 38.5: 7.7
    reasons: ["Any role is welcome"],
    against: ["Asks for Immortal 3. You are Platinum 2."],
  },
  {
    what: "a rank just out of reach, though the author may queue with the viewer",
    viewer: { rank: "Gold 3" },
    other: { rank: "Platinum 1" },
    wants: { rank: "Platinum 1" },
    points: [0, 16, 9, 5, 4, 2.5, 2],
    ruledOut: true,
    score: 8,
    reasons: ["Any role is welcome"],
    against: ["Asks for Platinum 1. You are Gold 3."],
  },
  {
    what: "a rank that the viewer has exactly, by an author without one",
    viewer: { rank: "Platinum 2" },
    other: {},
    wants: { rank: "Platinum 2" },
    points: [17.5, 16, 9, 5, 4, 2.5, 2],
    score: 56,
    reasons: ["Any role is welcome"],
  },
  {
    what: "a rank, and a viewer who has given none",
    viewer: {},
    other: { rank: "Platinum 2" },
    wants: { rank: "Platinum 2" },
    points: [17.5, 16, 9, 5, 4, 2.5, 2],
    score: 56,
    reasons: ["Any role is welcome"],
  },
  {
    what: "a rank that the viewer has passed, by an author too far below",
    viewer: { rank: "Radiant" },
    other: { rank: "Gold 3" },
    wants: { rank: "Gold 1" },
    points: [0, 16, 9, 5, 4, 2.5, 2],
    ruledOut: true,
    score: 8,
    reasons: ["Any role is welcome"],
    against: ["Gold 3 and Radiant can't queue ranked together."],
  },
  {
    what: "a trio has the same limits as a duo",
    viewer: { rank: "Iron 2" },
    other: { rank: "Platinum 2" },
    wants: { partySize: 3 },
    points: [0, 16, 9, 5, 4, 2.5, 2],
    ruledOut: true,
    score: 8,
    reasons: ["Any role is welcome"],
    against: ["Iron 2 and Platinum 2 can't queue ranked together."],
  },
  {
    what: "in a four ranks don't matter",
    viewer: { rank: "Iron 2" },
    other: { rank: "Platinum 2" },
    wants: { partySize: 4 },
    points: [17.5, 16, 9, 5, 4, 2.5, 2],
    score: 56,
    reasons: ["Any role is welcome"],
  },
  {
    what: "in a four that asks for a rank, the viewer must have reached it",
    viewer: { rank: "Platinum 2" },
    other: { rank: "Platinum 2" },
    wants: { partySize: 4, rank: "Diamond 1" },
    points: [0, 16, 9, 5, 4, 2.5, 2],
    ruledOut: true,
    score: 8,
    reasons: ["Any role is welcome"],
    against: ["Asks for Diamond 1. You are Platinum 2."],
  },
  {
    what: "a party of five may have any ranks",
    viewer: { rank: "Platinum 2" },
    other: { rank: "Iron 2" },
    wants: { partySize: 5 },
    points: [21, 16, 9, 5, 4, 2.5, 2],
    score: 60, // 59.5
    reasons: ["Any role is welcome", "In a five, Iron 2 can queue with Platinum 2"],
  },
  {
    what: "a five of near ranks is as good as a duo",
    viewer: { rank: "Platinum 2" },
    other: { rank: "Diamond 1" },
    wants: { partySize: 5 },
    points: [32.375, 16, 9, 5, 4, 2.5, 2],
    score: 71, // 70.875
    reasons: ["Any role is welcome", "Platinum 2 can queue with Diamond 1"],
  },
  {
    what: "the role that the viewer prefers",
    viewer: { role: "Controller" },
    other: { role: "Controller" },
    wants: { role: "Controller" },
    points: [17.5, 20, 9, 5, 4, 2.5, 2],
    score: 60,
    reasons: ["You play Controller"],
  },
  {
    what: "a role that the viewer also plays",
    viewer: { role: "Controller", agents: ["Omen", "Sova"], voice: "none" },
    other: { voice: "none" },
    wants: { role: "Initiator" },
    points: [17.5, 17, 9, 5, 4, 5, 2],
    score: 60, // 59.5
    reasons: ["Your main agents include an Initiator", "Both play without voice"],
  },
  {
    what: "a role that only the viewer's agents show",
    viewer: { agents: ["Sage"] },
    other: {},
    wants: { role: "Sentinel" },
    points: [17.5, 17, 9, 5, 4, 2.5, 2],
    score: 57,
    reasons: ["Your main agents include a Sentinel"],
  },
  {
    what: "a role that the viewer doesn't play",
    viewer: { role: "Duelist", agents: ["Jett"] },
    other: {},
    wants: { role: "Initiator" },
    points: [17.5, 0, 9, 5, 4, 2.5, 2],
    score: 40,
    against: ["Wants an Initiator. You play Duelist."],
  },
  {
    what: "a role that no agent of the viewer has: the first agent shows what they play",
    viewer: { agents: ["Sage", "Omen"] },
    other: {},
    wants: { role: "Duelist" },
    points: [17.5, 0, 9, 5, 4, 2.5, 2],
    score: 40,
    against: ["Wants a Duelist. You play Sentinel."],
  },
  {
    what: "a role, and a viewer who has given none",
    viewer: {},
    other: {},
    wants: { role: "Duelist" },
    points: [17.5, 10, 9, 5, 4, 2.5, 2],
    score: 50,
  },
  {
    what: "the viewer's region, by an author without one",
    viewer: { region: "Europe" },
    other: {},
    wants: { region: "Europe" },
    points: [17.5, 16, 9, 10, 4, 2.5, 2],
    score: 61,
    reasons: ["Any role is welcome", "Both in Europe"],
  },
  {
    what: "the viewer's region, by an author from elsewhere",
    viewer: { region: "Europe" },
    other: { region: "Korea" },
    wants: { region: "Europe" },
    points: [17.5, 16, 9, 10, 4, 2.5, 2],
    score: 61,
    reasons: ["Any role is welcome", "You play in Europe"],
  },
  {
    what: "no region, and an author from the viewer's",
    viewer: { region: "Korea" },
    other: { region: "Korea" },
    wants: {},
    points: [17.5, 16, 9, 10, 4, 2.5, 2],
    score: 61,
    reasons: ["Any role is welcome", "Both in Korea"],
  },
  {
    what: "another region, even of the same servers",
    viewer: { region: "Latin America" },
    other: { region: "Brazil" },
    wants: { region: "Brazil" },
    points: [17.5, 16, 9, 0, 4, 2.5, 2],
    ruledOut: true,
    score: 10, // 51: 10.2
    reasons: ["Any role is welcome"],
    against: ["Asks for Brazil. You play in Latin America."],
  },
  {
    what: "a region, and a viewer who has given none",
    viewer: {},
    other: { region: "Brazil" },
    wants: { region: "Brazil" },
    points: [17.5, 16, 9, 5, 4, 2.5, 2],
    score: 56,
    reasons: ["Any role is welcome"],
  },
];

/** The viewer of the example pages. */
const miravel: Facts = {
  rank: "Platinum 2",
  role: "Controller",
  agents: ["Omen"],
  region: "Europe",
  voice: "preferred",
  languages: ["English"],
  hours: week("Mo Tu We Th", 18, 22, week("Sa Su", 14, 20)),
};

/** The same viewer on the example LFG page, which knows neither hours nor languages. */
const miravelOnLfg: Facts = { ...miravel, hours: null, languages: [] };

const examplePairs: Pair[] = [
  {
    what: "Sørina Wójcik in the directory",
    viewer: miravel,
    other: {
      rank: "Diamond 1",
      role: "Initiator",
      agents: ["Sova", "Fade"],
      region: "Europe",
      voice: "required",
      languages: ["English", "Polish"],
      tags: ["calm", "early caller"],
      hours: week("Mo Tu We Th Fr", 18, 22), // 16 h together
    },
    points: [32.375, 20, 18, 10, 8, 5, 2],
    score: 95, // 95.375
    reasons: [
      "Initiator and Controller: your roles go together", // 10
      "Free together Monday to Thursday", // 9
      "Platinum 2 can queue with Diamond 1", // 7.875
      "Both in Europe", // 5
      "Both speak English and want voice", // 4
    ],
  },
  {
    what: "Дмитрий Ковалёв in the directory",
    viewer: miravel,
    other: {
      rank: "Platinum 3",
      role: "Duelist",
      agents: ["Raze", "Neon", "Jett"],
      region: "Europe",
      voice: "preferred",
      languages: ["Russian", "English"],
      tags: ["no tilt"],
      hours: week("Mo We", 20, 24, week("Sa Su", 15, 22, week("Fr", 18, 24))), // 2 + 2 + 5 + 5 h together
    },
    points: [33.6875, 20, 18, 10, 8, 5, 2],
    score: 97, // 96.6875
    reasons: [
      "Duelist and Controller: your roles go together", // 10
      "Platinum 2 can queue with Platinum 3", // 9.1875
      "Free together four days a week", // 9
      "Both in Europe",
      "Both speak English and want voice",
    ],
  },
  {
    what: "Ngọc Huyền in the directory",
    viewer: miravel,
    other: {
      rank: "Diamond 2",
      role: "Sentinel",
      agents: ["Killjoy", "Vyse"],
      region: "Europe",
      voice: "preferred",
      languages: ["English", "Vietnamese"],
      tags: ["patient", "reviews rounds"],
      hours: week("Tu Th", 20, 24, week("Sa Su", 12, 19)), // 2 + 2 + 5 + 5 h together
    },
    points: [31.0625, 20, 18, 10, 8, 5, 2],
    score: 94, // 94.0625
    reasons: [
      "Sentinel and Controller: your roles go together", // 10
      "Free together four days a week", // 9
      "Platinum 2 can queue with Diamond 2", // 6.5625
      "Both in Europe",
      "Both speak English and want voice",
    ],
  },
  {
    what: "Żaneta Gąsior in the directory",
    viewer: miravel,
    other: {
      rank: "Platinum 1",
      role: "Sentinel",
      agents: ["Cypher", "Deadlock"],
      region: "Europe",
      voice: "optional",
      languages: ["Polish", "English"],
      tags: ["organiser", "jokes"],
      hours: week("Mo Tu We Th Fr", 20, 24), // 8 h together
    },
    points: [33.6875, 20, 15, 10, 8, 3.5, 2],
    score: 92, // 92.1875
    reasons: [
      "Sentinel and Controller: your roles go together", // 10
      "Platinum 1 can queue with Platinum 2", // 9.1875
      "Free together Monday to Thursday", // 6
      "Both in Europe", // 5
      "Speaks your language", // 4
    ],
  },
  {
    what: "ouroboros_kaisa_the_second in the directory",
    viewer: miravel,
    other: {
      rank: "Gold 3",
      role: "Duelist",
      agents: ["Reyna"],
      region: "Europe",
      voice: "preferred",
      languages: ["English", "German"],
      tags: ["learning", "calm"],
      hours: week("Fr Sa Su", 15, 22), // 10 h together
    },
    points: [32.375, 20, 16.5, 10, 8, 5, 2],
    score: 94, // 93.875
    reasons: [
      "Duelist and Controller: your roles go together", // 10
      "Gold 3 can queue with Platinum 2", // 7.875
      "Both free at weekends", // 7.5
      "Both in Europe",
      "Both speak English and want voice",
    ],
  },
  {
    what: "marta.mid in the directory",
    viewer: miravel,
    other: {
      rank: "Gold 1",
      role: "Controller",
      agents: ["Omen", "Brimstone", "Clove"],
      region: "Europe",
      voice: "required",
      languages: ["English", "Spanish"],
      tags: ["warm-up first"],
      hours: week("Mo Tu We Th Fr", 14, 18),
    },
    points: [29.75, 4, 0, 10, 8, 5, 2],
    score: 59, // 58.75
    reasons: [
      "Gold 1 can queue with Platinum 2", // 5.25
      "Both in Europe", // 5
      "Both speak English and want voice", // 4
    ],
    against: [
      "Plays afternoons. You play evenings.", // 9
      "You both play Controller.", // 6
    ],
  },
  {
    what: "“Calm Controller wanted for the evening climb”",
    viewer: miravelOnLfg,
    other: { rank: "Diamond 1", role: "Initiator", region: "Europe", voice: "required" },
    wants: { rank: "Platinum 1", role: "Controller", region: "Europe" },
    points: [32.375, 20, 9, 10, 4, 5, 2],
    score: 82, // 82.375
    reasons: ["You play Controller", "Platinum 2 can queue with Diamond 1", "Both in Europe", "Both want voice"],
  },
  {
    what: "“Trio for ranked, no pressure on aim”",
    viewer: miravelOnLfg,
    other: { rank: "Platinum 3", role: "Duelist", region: "Europe" },
    wants: { rank: "Gold 1", region: "Europe", partySize: 3 },
    points: [33.6875, 16, 9, 10, 4, 2.5, 2],
    score: 77, // 77.1875
    reasons: ["Any role is welcome", "Platinum 2 can queue with Platinum 3", "Both in Europe"],
  },
  {
    what: "“Full five every Thursday”",
    viewer: miravelOnLfg,
    other: { rank: "Gold 3", role: "Controller" },
    wants: { region: "Europe", partySize: 5 },
    points: [32.375, 16, 9, 10, 4, 2.5, 2],
    score: 76, // 75.875
    reasons: ["Any role is welcome", "Gold 3 can queue with Platinum 2", "Both in Europe"],
  },
  {
    what: "“One for scrims, Immortal 3 and up”",
    viewer: miravelOnLfg,
    other: { rank: "Radiant", role: "Duelist" },
    wants: { rank: "Immortal 3", role: "Sentinel", region: "Korea" },
    points: [0, 0, 9, 0, 4, 2.5, 2],
    ruledOut: true,
    score: 4, // 17.5: 3.5
    against: [
      "Asks for Immortal 3. You are Platinum 2.",
      "Asks for Korea. You play in Europe.",
      "Wants a Sentinel. You play Controller.",
    ],
  },
  {
    what: "“Swiftplay four, then we see”",
    viewer: miravelOnLfg,
    other: { rank: "Silver 2", role: "Sentinel" },
    wants: { region: "Europe", partySize: 4 },
    points: [17.5, 16, 9, 10, 4, 2.5, 2],
    score: 61,
    reasons: ["Any role is welcome", "Both in Europe"],
  },
  {
    what: "“First week of ranked, who wants to learn together?”",
    viewer: miravelOnLfg,
    other: { rank: "Iron 2" },
    wants: { region: "Brazil", partySize: 3 },
    points: [0, 16, 9, 0, 4, 2.5, 2],
    ruledOut: true,
    score: 7, // 33.5: 6.7
    reasons: ["Any role is welcome"],
    against: ["Iron 2 and Platinum 2 can't queue ranked together.", "Asks for Brazil. You play in Europe."],
  },
];

/** A player who fits an identical player in every subject but the role. */
const fitting: Facts = {
  rank: "Gold 2",
  role: "Sentinel",
  region: "Europe",
  voice: "preferred",
  languages: ["English"],
  tags: ["calm"],
  hours: week("Mo Tu We", 18, 22),
};

const extremePairs: Pair[] = [
  {
    what: "the best match in every subject",
    viewer: fitting,
    other: { ...fitting, role: "Duelist" },
    points: [35, 20, 18, 10, 8, 5, 4],
    score: 100,
    reasons: [
      "Both Gold 2", // 10.5
      "Duelist and Sentinel: your roles go together", // 10
      "Free together Monday to Wednesday", // 9
      "Both in Europe", // 5
      "Both speak English and want voice", // 4
      "Both say: calm", // 2
    ],
  },
  {
    what: "the best pair that is ruled out: only the servers differ",
    viewer: fitting,
    other: { ...fitting, role: "Duelist", region: "Korea" },
    points: [35, 20, 18, 0, 8, 5, 4],
    ruledOut: true,
    score: 18, // 90: 18
    reasons: [
      "Both Gold 2",
      "Duelist and Sentinel: your roles go together",
      "Free together Monday to Wednesday",
      "Both speak English and want voice",
      "Both say: calm",
    ],
    against: ["Plays in Korea. You play in Europe."],
  },
  {
    what: "the worst pair that isn't ruled out",
    viewer: {
      role: "Controller",
      region: "North America",
      voice: "none",
      languages: ["English"],
      hours: week("Mo", 18, 22),
    },
    other: {
      rank: "Gold 2",
      region: "Brazil",
      voice: "required",
      languages: ["Portuguese"],
      hours: week("Tu", 18, 22),
    },
    wants: { role: "Sentinel" },
    points: [17.5, 0, 0, 3, 0, 0, 2],
    score: 23, // 22.5
    against: [
      "Wants a Sentinel. You play Controller.", // 10
      "No hours together.", // 9
      "No language in common.", // 4
      "Needs voice. You play without.", // 2.5
      "Plays in Brazil. You play in North America.", // 2
    ],
  },
  {
    what: "the reason that rules the pair out comes first, before weightier ones",
    viewer: { region: "Europe", role: "Controller", hours: week("Mo", 18, 22) },
    other: { region: "Asia Pacific", role: "Controller", hours: week("Tu", 18, 22) },
    points: [17.5, 4, 0, 0, 4, 2.5, 2],
    ruledOut: true,
    score: 6, // 30: 6
    against: [
      "Plays in Asia Pacific. You play in Europe.",
      "No hours together.", // 9
      "You both play Controller.", // 6
    ],
  },
];

const profile = (facts: Facts): MatchProfile => ({ ...nobody, ...facts });
const noWants: MatchWants = { rank: null, role: null, region: null, partySize: 2 };

const groups: [string, Pair[]][] = [
  ["who may queue", queuePairs],
  ["roles", rolePairs],
  ["hours", hoursPairs],
  ["region, language, voice and playstyle", mannersPairs],
  ["what a post asks for", postPairs],
  ["the pairs of the example pages", examplePairs],
  ["the ends of the scale", extremePairs],
];

describe("a match, worked out by hand", () => {
  describe.each(groups)("%s", (_, pairs) => {
    test.each(pairs)("$what: $score", ({ viewer, other, wants, points, ruledOut, score, reasons, against }) => {
      const sum = points.reduce((total, one) => total + one, 0);
      expect(Math.round(ruledOut ? sum / 5 : sum), "the table's own sum").toBe(score);
      const result = match(profile(viewer), profile(other), wants && { ...noWants, ...wants });
      expect({
        score: result.score,
        reasons: result.reasons.map(({ text }) => text),
        against: result.against.map(({ text }) => text),
      }).toEqual({ score, reasons: reasons ?? [], against: against ?? [] });
    });
  });

  it("covers at least sixty pairs", () => {
    expect(groups.flatMap(([, pairs]) => pairs).length).toBeGreaterThanOrEqual(60);
  });

  it("distributes a hundred points, and gives queueing together the largest share", () => {
    expect(MATCH_WEIGHTS).toEqual({ queue: 35, role: 20, hours: 18, region: 10, language: 8, voice: 5, playstyle: 4 });
    expect(Object.values(MATCH_WEIGHTS).reduce<number>((total, weight) => total + weight, 0)).toBe(100);
  });
});

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const maybe = <T>(values: readonly T[]) => fc.option(oneOf(values), { nil: null });
const agents = ROLES.flatMap((role): readonly Agent[] => AGENTS_BY_ROLE[role]);
/** A week with empty days and days of arbitrary hours. */
const anyHours = fc.tuple(
  ...Array.from({ length: 7 }, () => fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 ** 24 - 1 }))),
);
const anyProfile: fc.Arbitrary<MatchProfile> = fc.record({
  rank: maybe(RANKS),
  role: maybe(ROLES),
  agents: fc.uniqueArray(oneOf(agents), { maxLength: 3 }),
  region: maybe(REGIONS),
  voice: maybe(VOICE_COMMS),
  languages: fc.uniqueArray(oneOf(["English", "Korean", "Norwegian", "Vietnamese"]), { maxLength: 4 }),
  tags: fc.uniqueArray(oneOf(["calm", "Calm", "no tilt", "jokes"]), { maxLength: 3 }),
  hours: fc.option(anyHours, { nil: null }),
});
const anyWants: fc.Arbitrary<MatchWants> = fc.record({
  rank: maybe(RANKS),
  role: maybe(ROLES),
  region: maybe(REGIONS),
  partySize: fc.integer({ min: 2, max: 5 }),
});
const maybeWants = fc.option(anyWants, { nil: undefined });

const RUNS = { numRuns: 1_000 };

describe("any match", () => {
  it("is a whole number from 0 to 100", () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, maybeWants, (viewer, other, wants) => {
        const { score } = match(viewer, other, wants);
        expect(Number.isInteger(score)).toBe(true);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
      }),
      RUNS,
    );
  });

  it("is the same each time, and leaves the profiles unchanged", () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, maybeWants, (viewer, other, wants) => {
        const before = structuredClone([viewer, other, wants]);
        const first = match(viewer, other, wants);
        expect(match(viewer, other, wants)).toEqual(first);
        expect([viewer, other, wants]).toEqual(before);
      }),
    );
  });

  it("gives each reason once and briefly, with a full stop only for reasons against it", () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, maybeWants, (viewer, other, wants) => {
        const { reasons, against } = match(viewer, other, wants);
        const subjects = [...reasons, ...against].map(({ about }) => about);
        expect(new Set(subjects).size).toBe(subjects.length);
        for (const { fits, text } of reasons) expect([fits, text]).toEqual([true, expect.stringMatching(/[^.]$/)]);
        for (const { fits, text } of against) expect([fits, text]).toEqual([false, expect.stringMatching(/\.$/)]);
        for (const { text } of [...reasons, ...against]) {
          expect(text.length, text).toBeLessThanOrEqual(60);
          expect(text).not.toMatch(/undefined|null|NaN/);
        }
      }),
      RUNS,
    );
  });

  it("is mutual: both get the same score", () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, (one, other) => {
        expect(match(one, other).score).toBe(match(other, one).score);
      }),
      RUNS,
    );
  });

  it("has a score in the middle when nothing is known about one player", () => {
    fc.assert(
      fc.property(anyProfile, (someone) => {
        expect(match(someone, nobody)).toEqual({ score: 50, reasons: [], against: [], ruledOut: false });
        expect(match(nobody, someone)).toEqual({ score: 50, reasons: [], against: [], ruledOut: false });
      }),
    );
  });

  it("never gets worse with one more common hour", () => {
    fc.assert(
      fc.property(
        anyProfile,
        anyProfile,
        anyHours,
        anyHours,
        fc.nat(6),
        fc.nat(23),
        maybeWants,
        (viewer, other, mine, theirs, day, hour, wants) => {
          // Both players have at least one hour.
          const [my, their] = [mine, theirs].map((hours) => hours.map((bits, at) => (at === 0 ? bits | 1 : bits)));
          const add = (hours: number[]) => hours.map((bits, at) => (at === day ? bits | (1 << hour) : bits));
          const before = match({ ...viewer, hours: my as number[] }, { ...other, hours: their as number[] }, wants);
          const after = match(
            { ...viewer, hours: add(my as number[]) },
            { ...other, hours: add(their as number[]) },
            wants,
          );
          expect(after.score).toBeGreaterThanOrEqual(before.score);
        },
      ),
      RUNS,
    );
  });

  it("never gets worse with a closer rank", () => {
    const positions = fc.tuple(...Array.from({ length: 3 }, () => fc.nat(24)));
    const sizes = oneOf([undefined, { ...noWants, partySize: 3 }, { ...noWants, partySize: 5 }]);
    fc.assert(
      fc.property(anyProfile, anyProfile, positions, fc.boolean(), sizes, (viewer, other, three, isUp, wants) => {
        const [mine, near, far] = [...three].sort((a, b) => (isUp ? a - b : b - a)).map((at) => RANKS[at] ?? null);
        const score = (rank = mine) =>
          match({ ...viewer, rank: mine ?? null }, { ...other, rank: rank ?? null }, wants).score;
        expect(score(near)).toBeGreaterThanOrEqual(score(far));
        expect(score(mine)).toBeGreaterThanOrEqual(score(near));
      }),
      RUNS,
    );
  });

  it("never gets worse when both share a region, a language or a tag", () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, (viewer, other) => {
        const { score } = match(viewer, other);
        if (viewer.region)
          expect(match(viewer, { ...other, region: viewer.region }).score).toBeGreaterThanOrEqual(score);
        const bilingual = { ...other, languages: [...other.languages, ...viewer.languages] };
        if (viewer.languages.length > 0) expect(match(viewer, bilingual).score).toBeGreaterThanOrEqual(score);
        const alike = { ...other, tags: [...other.tags, ...viewer.tags] };
        expect(match(viewer, alike).score).toBeGreaterThanOrEqual(score);
      }),
      RUNS,
    );
  });

  it("scores higher than every pair that the game or the post rules out", () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, maybeWants, (viewer, other, wants) => {
        const tooLow = wants?.rank && viewer.rank && RANKS.indexOf(viewer.rank) < RANKS.indexOf(wants.rank);
        const tooFar =
          (wants?.partySize ?? 2) < 4 && viewer.rank && other.rank && !canQueue([viewer.rank, other.rank]).allowed;
        const elsewhere = wants?.region
          ? viewer.region && viewer.region !== wants.region
          : viewer.region && other.region && !canPlayTogether(viewer.region, other.region);
        const { score, against } = match(viewer, other, wants);
        if (tooLow || tooFar || elsewhere) {
          expect(score).toBeLessThanOrEqual(18);
          expect(["queue", "region"]).toContain(against[0]?.about);
        } else {
          expect(score).toBeGreaterThanOrEqual(23);
        }
      }),
      RUNS,
    );
  });

  it("is better for ranks that may queue together, all else being equal", () => {
    for (const mine of RANKS) {
      const scores = RANKS.map((rank) => ({
        isAllowed: canQueue([mine, rank]).allowed,
        score: match(profile({ ...fitting, rank: mine }), profile({ ...fitting, rank })).score,
      }));
      const allowed = scores.filter(({ isAllowed }) => isAllowed).map(({ score }) => score);
      const apart = scores.filter(({ isAllowed }) => !isAllowed).map(({ score }) => score);
      expect(Math.min(...allowed), mine).toBeGreaterThan(Math.max(...apart));
    }
  });
});

describe("a card", () => {
  const textsOf = ({ reasons, against }: ReturnType<typeof match>) => [...reasons, ...against].map(({ text }) => text);
  const shown = (found: ReturnType<typeof match>, count: number) => strongest(found, count).map(({ text }) => text);
  const me: MatchProfile = { ...nobody, rank: "Gold 1", role: "Duelist", region: "Europe", languages: ["English"] };

  it("shows the strongest reasons for a match, and last the strongest against it", () => {
    const found = match(me, { ...me, role: "Sentinel", languages: ["Polish"], voice: "none" });
    expect(textsOf(found).length).toBeGreaterThan(2);
    expect(shown(found, 2)).toEqual([found.reasons[0]?.text, "No language in common."]);
  });

  it("shows only reasons for a match when none is against it", () => {
    const found = match(me, { ...me, role: "Sentinel" });
    expect(shown(found, 2)).toEqual(found.reasons.slice(0, 2).map(({ text }) => text));
  });

  it("shows only the reason against a match that the rules forbid", () => {
    const found = match(me, { ...me, rank: "Radiant", role: "Sentinel" });
    expect(found.ruledOut).toBe(true);
    expect(shown(found, 4)).toEqual(["Gold 1 and Radiant can't queue ranked together."]);
  });
});
