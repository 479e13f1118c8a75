import type { Rank } from "../../app/game/ranks";
import { createToken } from "../../app/platform/crypto/crypto.server";
import { DAY, HOUR } from "../../app/platform/dates/durations";
import { foldForSearch } from "../../app/platform/lists/search-text";
import { uuidv7 } from "../../db/ids";
import type {
  tournamentEvents,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "../../db/schema";
import type { Format } from "../../db/words/tournament-formats";
import { type PlayedSketch, type PlayedTournament, playTournament } from "./played";
import type { Player } from "./players";
import { Random } from "./random";

/** The tournaments of a world: rows of their tables. */
export interface Tournaments {
  tournaments: (typeof tournaments.$inferInsert)[];
  organisers: (typeof tournamentOrganisers.$inferInsert)[];
  teams: (typeof tournamentTeams.$inferInsert)[];
  players: (typeof tournamentPlayers.$inferInsert)[];
  events: (typeof tournamentEvents.$inferInsert)[];
}

interface Sketch {
  title: string;
  description: string;
  rules?: string;
  /** The host's number, from 1. */
  host: number;
  organiser?: number;
  /** When it was announced, in milliseconds before now. */
  age: number;
  /** When it starts, in milliseconds from now. */
  in: number;
  /** The time between the end of registration and the start, in milliseconds. */
  closes?: number;
  fee?: number;
  prize?: number;
  places: number;
  teamSize: 1 | 2 | 3 | 5;
  format?: Format;
  bestOf?: 1 | 3 | 5;
  finalBestOf?: 1 | 3 | 5;
  ranks?: readonly [Rank | null, Rank | null];
  /** The reason for the cancellation. */
  cancelled?: string;
  /** Names of teams and their players' numbers, the captain first; teams beyond the spots are on the waiting list. */
  teams: readonly (readonly [string, ...number[]])[];
}

/** The demo world's tournaments that have begun: one is running, one is over. */
const DEMO_PLAYED: readonly PlayedSketch[] = [
  {
    title: "Łódź Night Cup, autumn edition",
    description:
      "Eight players, best of three, one evening and a half. Be in the lobby ten minutes early; the organiser pings late players once.",
    host: 9,
    players: [1, 2, 3, 4, 5, 6, 7, 8],
    teamSize: 1,
    format: "single_elimination",
    bestOf: 3,
    finalBestOf: 5,
    age: 2 * HOUR,
    decided: 2,
  },
  {
    title: "Lotus Open",
    description: "Duos, everyone against everyone, one map each.",
    host: 2,
    players: [1, 7, 2, 8, 3, 9, 4, 10],
    teamSize: 2,
    teamNames: ["Five Quiet People", "Second Site", "Eco Round Heroes", "Save Your Credits"],
    format: "round_robin",
    bestOf: 1,
    finalBestOf: 1,
    age: 8 * DAY,
    decided: Number.POSITIVE_INFINITY,
  },
];

export const playedTournaments = (players: readonly Player[], now: Date): Promise<PlayedTournament[]> =>
  Promise.all(DEMO_PLAYED.map((sketch) => playTournament(players, sketch, now)));

/** The demo world's tournaments that have begun, and one with 32 teams halfway through a double elimination. */
export const busyPlayedTournaments = async (players: readonly Player[], now: Date): Promise<PlayedTournament[]> => [
  ...(await playedTournaments(players, now)),
  await playTournament(
    players,
    {
      title: "Second Site Masters",
      description: "Thirty-two players, two lives each. It goes on until somebody has won the grand final.",
      host: 20,
      players: Array.from({ length: 32 }, (_, index) => 30 + index),
      teamSize: 1,
      format: "double_elimination",
      bestOf: 3,
      finalBestOf: 5,
      age: 20 * HOUR,
      decided: 30,
    },
    now,
  ),
];

/**
 * The demo world's tournaments: a cup with open spots, a big one with a fee, a full one with a waiting list, a
 * cancelled one.
 */
const DEMO: readonly Sketch[] = [
  {
    title: "Northern Five Cup",
    description: "Sixteen teams, one evening, and a final that somebody casts. Newcomers are welcome.",
    rules: "Be in the lobby ten minutes early.\n\nThe higher seed chooses the side; maps by veto.",
    host: 1,
    organiser: 2,
    age: 3 * DAY,
    in: 13 * DAY,
    places: 16,
    teamSize: 5,
    bestOf: 3,
    finalBestOf: 5,
    ranks: ["Silver 1", "Diamond 3"],
    teams: [
      ["Five Quiet People", 7, 2],
      ["Save Your Credits", 9, 8],
    ],
  },
  {
    title: "Radiant or Bust Invitational",
    description: "Alone against everyone, best of three all the way.",
    host: 4,
    age: 2 * DAY,
    in: 19 * DAY,
    fee: 1_000,
    prize: 125_000,
    places: 32,
    teamSize: 1,
    format: "double_elimination",
    bestOf: 3,
    finalBestOf: 3,
    ranks: ["Immortal 1", null],
    teams: [["ren.aska", 4]],
  },
  {
    title: "Duo Night",
    description: "Two duos, short matches, no prize. The waiting list moves up by itself.",
    host: 8,
    age: 30 * HOUR,
    in: 4 * DAY,
    places: 2,
    teamSize: 2,
    teams: [
      ["Lotus Eaters", 5, 7],
      ["Mid or Feed", 8, 9],
      ["Кофе и хедшоты", 1, 2],
    ],
  },
  {
    title: "Monday Scrims",
    description: "Every Monday at eight, as long as enough of us come.",
    host: 5,
    age: 9 * DAY,
    in: 2 * DAY,
    places: 8,
    teamSize: 3,
    fee: 0,
    cancelled: "Too few teams this time. We try again in December.",
    teams: [],
  },
];

export const demoTournaments = (players: readonly Player[], now: Date): Tournaments =>
  join(DEMO.map((sketch) => makeTournament(players, sketch, now)));

const TITLES = ["Lotus Open", "Night Cup", "Coffee Cup", "Second Site Series", "Half Buy Classic", "Sunset League"];
const TEAM_NAMES = ["Second Site", "Eco Round Heroes", "Ouroboros", "Smoke and Mirrors", "Thrifty", "Late Rotate"];

/** The demo world's tournaments, and more than a page of tournaments by the other players, some of them full. */
export function busyTournaments(players: readonly Player[], now: Date): Tournaments {
  const random = new Random(7);
  const verified = players.flatMap(({ profile }, index) => (index >= 12 && profile.riotVerifiedAt ? [index + 1] : []));
  const sketches: Sketch[] = [];
  for (let number = 1; number <= 26; number += 1) {
    const teamSize = random.pick([1, 2, 3, 5] as const);
    const places = random.pick([4, 8, 16]);
    const count = Math.min(random.between(0, places + 2), Math.floor(verified.length / teamSize));
    const members = random.sample(verified, count * teamSize);
    const fee = teamSize * places >= 20 && random.chance(0.3) ? 500 : 0;
    sketches.push({
      title: `${random.pick(TITLES)} ${number}`,
      description: "Bring a headset and a good mood. Questions go to the host.",
      host: random.pick(verified),
      age: number * 7 * HOUR,
      in: random.between(2, 40) * DAY,
      places,
      teamSize,
      fee,
      prize: fee * teamSize * places,
      format: random.pick(["single_elimination", "double_elimination", "round_robin"]),
      bestOf: random.pick([1, 3]),
      teams: Array.from({ length: count }, (_, team) => [
        `${random.pick(TEAM_NAMES)} ${team + 1}`,
        ...members.slice(team * teamSize, (team + 1) * teamSize),
      ]),
    });
  }
  return join([demoTournaments(players, now), ...sketches.map((sketch) => makeTournament(players, sketch, now))]);
}

function makeTournament(players: readonly Player[], sketch: Sketch, now: Date): Tournaments {
  const createdAt = new Date(now.getTime() - sketch.age);
  const id = uuidv7(createdAt.getTime());
  const playerOf = (number: number) => players[number - 1] as Player;
  const host = playerOf(sketch.host);
  // On the hour: tournaments don't start at 18:07.
  const date = new Date(Math.ceil((now.getTime() + sketch.in) / HOUR) * HOUR);
  const endedAt = sketch.cancelled ? new Date(now.getTime() - HOUR) : null;
  const teams = sketch.teams.map(([name, captain, ...others], index) => {
    const listedAt = new Date(createdAt.getTime() + ((index + 1) * sketch.age) / (sketch.teams.length + 1));
    return {
      members: [captain as number, ...others],
      row: {
        id: uuidv7(listedAt.getTime()),
        tournamentId: id,
        name,
        nameKey: foldForSearch(name),
        captainId: playerOf(captain as number).user.id,
        inviteToken: createToken(),
        state: index < sketch.places ? ("entered" as const) : ("waiting" as const),
        listedAt,
        createdAt: listedAt,
      },
    };
  });
  const actorId = host.user.id;
  const reason = sketch.cancelled;
  return {
    tournaments: [
      {
        id,
        userId: actorId,
        title: sketch.title,
        isListed: true,
        description: sketch.description,
        rules: sketch.rules ?? null,
        entryFee: sketch.fee ?? 0,
        prizePool: sketch.prize ?? 0,
        maxParticipants: sketch.places,
        currentParticipants: Math.min(sketch.places, teams.length),
        minRank: sketch.ranks?.[0] ?? null,
        maxRank: sketch.ranks?.[1] ?? null,
        region: host.profile.region ?? null,
        format: sketch.format ?? "single_elimination",
        teamSize: sketch.teamSize,
        bestOf: sketch.bestOf ?? 1,
        finalBestOf: sketch.finalBestOf ?? sketch.bestOf ?? 1,
        groupSize: 4,
        checkInMinutes: 30,
        seeding: "random",
        tournamentDate: date,
        registrationDeadline: new Date(date.getTime() - (sketch.closes ?? DAY)),
        timeZone: host.profile.timeZone ?? "UTC",
        state: reason ? "cancelled" : "open",
        cancelReason: reason ?? null,
        endedAt,
        version: teams.length,
        createdAt,
        updatedAt: endedAt ?? createdAt,
      },
    ],
    organisers: sketch.organiser
      ? [{ tournamentId: id, userId: playerOf(sketch.organiser).user.id, addedAt: createdAt }]
      : [],
    teams: teams.map(({ row }) => row),
    players: teams.flatMap(({ members, row }) =>
      members.map((number) => ({
        tournamentId: id,
        userId: playerOf(number).user.id,
        teamId: row.id,
        joinedAt: row.listedAt,
      })),
    ),
    events: [
      { id: uuidv7(createdAt.getTime()), tournamentId: id, actorId, action: "hosted", createdAt },
      ...(reason && endedAt
        ? [
            {
              id: uuidv7(endedAt.getTime()),
              tournamentId: id,
              actorId,
              action: "cancelled" as const,
              details: { reason },
              createdAt: endedAt,
            },
          ]
        : []),
    ],
  };
}

const join = (worlds: readonly Tournaments[]): Tournaments => ({
  tournaments: worlds.flatMap((world) => world.tournaments),
  organisers: worlds.flatMap((world) => world.organisers),
  teams: worlds.flatMap((world) => world.teams),
  players: worlds.flatMap((world) => world.players),
  events: worlds.flatMap((world) => world.events),
});
