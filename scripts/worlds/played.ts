import type { Command } from "#party/wire/tournament-commands";
import { displayName } from "../../app/features/players/rules";
import { decide } from "../../app/features/tournaments/play/decide";
import type { Chance, PlayEvent } from "../../app/features/tournaments/play/decision";
import { type PlayMatch, type PlayState, teamOf } from "../../app/features/tournaments/play/state";
import { matchName } from "../../app/features/tournaments/shared/match-names";
import type { MapResult } from "../../app/game/scores";
import { createToken } from "../../app/platform/crypto/crypto.server";
import { DAY, HOUR, MINUTE } from "../../app/platform/dates/durations";
import { foldForSearch } from "../../app/platform/lists/search-text";
import { uuidv7 } from "../../db/ids";
import type {
  conversationMembers,
  conversations,
  tournamentBrackets,
  tournamentEvents,
  tournamentMatches,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "../../db/schema";
import { DEFAULT_TIE_BREAKS } from "../../db/words/tie-breaks";
import type { Player } from "./players";
import { Random } from "./random";

/** The rows of a tournament that has begun. */
export interface PlayedTournament {
  tournament: typeof tournaments.$inferInsert;
  teams: (typeof tournamentTeams.$inferInsert)[];
  players: (typeof tournamentPlayers.$inferInsert)[];
  bracket: typeof tournamentBrackets.$inferInsert;
  matches: (typeof tournamentMatches.$inferInsert)[];
  events: (typeof tournamentEvents.$inferInsert)[];
  conversations: (typeof conversations.$inferInsert)[];
  members: (typeof conversationMembers.$inferInsert)[];
}

export interface PlayedSketch {
  title: string;
  description: string;
  /** The host's number, from 1. */
  host: number;
  /** The players' numbers, in teams of `teamSize`; the first of each is its captain. */
  players: readonly number[];
  teamSize: 1 | 2;
  /** Left out with a team size of 1: teams then have their players' names. */
  teamNames?: readonly string[];
  format: PlayState["format"];
  bestOf: 1 | 3;
  finalBestOf: 1 | 3 | 5;
  /** When it began, in milliseconds before now. */
  age: number;
  /** The number of decided matches; after them, one is reported and one disputed. Infinity plays it to the end. */
  decided: number;
}

/**
 * Plays a tournament by the rules of its room, up to the point that the sketch describes.
 * @throws Error if the rules refuse a step
 */
export async function playTournament(
  players: readonly Player[],
  sketch: PlayedSketch,
  now: Date,
): Promise<PlayedTournament> {
  const random = new Random(sketch.title.length + sketch.players.length);
  const began = now.getTime() - sketch.age;
  const announced = began - 6 * DAY;
  const id = uuidv7(announced);
  const playerOf = (number: number) => players[number - 1] as Player;
  const host = playerOf(sketch.host).user.id;
  const groups = Array.from({ length: sketch.players.length / sketch.teamSize }, (_, index) =>
    sketch.players.slice(index * sketch.teamSize, (index + 1) * sketch.teamSize).map(playerOf),
  );
  let clock = began;
  const chance: Chance = { shuffle: (list) => random.sample(list, list.length), newId: () => uuidv7(clock) };
  let state: PlayState = {
    tournamentId: id,
    version: groups.length,
    title: sketch.title,
    state: "open",
    format: sketch.format,
    teamSize: sketch.teamSize,
    maxParticipants: groups.length,
    bestOf: sketch.bestOf,
    quarterBestOf: null,
    semiBestOf: null,
    lowerFinalBestOf: null,
    finalBestOf: sketch.finalBestOf,
    grandFinal: "reset",
    groupSize: 4,
    thirdPlace: "automatic",
    checkInMinutes: 30,
    seeding: "rank",
    tieBreaks: DEFAULT_TIE_BREAKS,
    lastTieBreak: "match",
    registrationDeadline: began - DAY,
    tournamentDate: began,
    organisers: [host],
    winnerTeamId: null,
    teams: groups.map((members, index) => ({
      id: uuidv7(announced + (index + 1) * HOUR),
      name: sketch.teamNames?.[index] ?? nameOf(members[0] as Player),
      captainId: (members[0] as Player).user.id,
      state: "entered",
      listedAt: announced + (index + 1) * HOUR,
      checkedInAt: began - 10 * MINUTE,
      seed: null,
      place: null,
      lastPlace: null,
      disqualification: null,
      members: members.map(({ user, profile }) => ({
        userId: user.id,
        isSubstitute: false,
        isVerified: true,
        rank: profile.currentRank ?? null,
      })),
    })),
    matches: [],
    snapshot: null,
  };
  const log: { event: PlayEvent; at: number }[] = [];
  const ask = async (actorId: string, command: Command) => {
    clock += MINUTE;
    const decision = await decide({ state, actorId, command, now: clock, chance });
    if (!decision.ok)
      throw new Error(`“${sketch.title}” can't be played: ${command.type} is refused, ${decision.reason}.`);
    state = decision.state;
    log.push(...decision.events.map((event) => ({ event, at: clock })));
  };
  const captain = (match: PlayMatch, side: 1 | 2) =>
    state.teams.find((team) => team.id === teamOf(match, side))?.captainId as string;
  const mapsOf = (match: PlayMatch): MapResult[] => {
    const wins = random.chance(0.6);
    const names = random.sample(["Ascent", "Bind", "Haven", "Lotus", "Sunset"] as const, match.bestOf);
    const won = (side: boolean): MapResult => ({
      map: names.pop() ?? null,
      rounds: side ? [13, random.between(3, 11)] : [random.between(3, 11), 13],
    });
    const needed = (match.bestOf + 1) / 2;
    const lost = match.bestOf > 1 && random.chance(0.4) ? [won(!wins)] : [];
    return [...Array.from({ length: needed - 1 }, () => won(wins)), ...lost, won(wins)];
  };

  await ask(host, { type: "start" });
  const ready = () => state.matches.filter((match) => match.state === "ready");
  for (let decided = 0; decided < sketch.decided && ready().length > 0; decided += 1) {
    const [match] = ready() as [PlayMatch];
    await ask(captain(match, 1), { type: "check-in", match: match.id });
    await ask(captain(match, 2), { type: "check-in", match: match.id });
    clock += 20 * MINUTE;
    if (decided === 1) await ask(captain(match, 2), { type: "forfeit", match: match.id });
    else {
      await ask(captain(match, 1), { type: "report", match: match.id, maps: mapsOf(match) });
      const reported = state.matches.find(({ id }) => id === match.id);
      await ask(captain(match, 2), { type: "confirm", match: match.id, expects: reported?.reportedAt ?? 0 });
    }
  }
  // The open report is recent, so that the room doesn't confirm it immediately.
  clock = Math.max(clock, now.getTime() - 5 * MINUTE);
  const [reported, disputed] = ready();
  if (reported) await ask(captain(reported, 1), { type: "report", match: reported.id, maps: mapsOf(reported) });
  if (disputed) {
    await ask(captain(disputed, 2), { type: "report", match: disputed.id, maps: mapsOf(disputed) });
    const evidence = "They counted the map that we stopped at 11 to 4. The picture is in the chat.";
    await ask(captain(disputed, 1), { type: "dispute", match: disputed.id, evidence });
  }
  const until = clock + 10 * MINUTE;
  const isOver = state.state === "finished";
  const chats = state.matches.filter(({ conversationId }) => conversationId !== null);
  return {
    tournament: {
      id,
      userId: host,
      title: sketch.title,
      isListed: true,
      description: sketch.description,
      entryFee: 0,
      prizePool: 0,
      maxParticipants: groups.length,
      currentParticipants: groups.length,
      region: "Europe",
      format: sketch.format,
      teamSize: sketch.teamSize,
      bestOf: sketch.bestOf,
      finalBestOf: sketch.finalBestOf,
      groupSize: 4,
      thirdPlace: "automatic",
      checkInMinutes: 30,
      seeding: "rank",
      tournamentDate: new Date(began),
      registrationDeadline: new Date(began - DAY),
      timeZone: "UTC",
      state: state.state,
      startedAt: new Date(began),
      endedAt: isOver ? new Date(clock) : null,
      winnerTeamId: state.winnerTeamId,
      version: groups.length + log.length,
      createdAt: new Date(announced),
      updatedAt: new Date(clock),
    },
    teams: state.teams.map((team) => ({
      id: team.id,
      tournamentId: id,
      name: team.name,
      nameKey: foldForSearch(team.name),
      captainId: team.captainId,
      inviteToken: createToken(),
      state: team.state,
      listedAt: new Date(team.listedAt),
      checkedInAt: new Date(began - 10 * MINUTE),
      seed: team.seed,
      place: team.place,
      lastPlace: team.lastPlace,
      createdAt: new Date(team.listedAt),
    })),
    players: state.teams.flatMap((team) =>
      team.members.map(({ userId }) => ({
        tournamentId: id,
        userId,
        teamId: team.id,
        joinedAt: new Date(team.listedAt),
      })),
    ),
    bracket: { tournamentId: id, snapshot: state.snapshot as NonNullable<PlayState["snapshot"]> },
    matches: state.matches.map((match) => rowOf(match, id, until)),
    events: log.map(({ event, at }) => ({
      id: uuidv7(at),
      tournamentId: id,
      matchId: event.match,
      actorId: event.actorId,
      action: event.action,
      details: event.details,
      createdAt: new Date(at),
    })),
    conversations: chats.map((match) => ({
      id: match.conversationId as string,
      title: `${matchName(match)}: ${[1, 2].map((side) => state.teams.find(({ id: team }) => team === teamOf(match, side as 1 | 2))?.name).join(" – ")}`,
      team1: match.team1,
      team2: match.team2,
      createdAt: new Date(match.readyAt as number),
    })),
    members: chats.flatMap((match) =>
      [1, 2].flatMap((side) =>
        (state.teams.find((team) => team.id === teamOf(match, side as 1 | 2))?.members ?? []).map(({ userId }) => ({
          conversationId: match.conversationId as string,
          userId,
          listedAt: new Date(0),
          joinedAt: new Date(match.readyAt as number),
        })),
      ),
    ),
  };
}

const nameOf = ({ user, profile }: Player) =>
  displayName({ userId: user.id, riotId: profile.riotId ?? null, riotGameName: profile.riotGameName ?? null });

/**
 * Builds a match's row. Moves its deadline into the future, so that the room doesn't tell the organisers immediately
 * that it is overdue.
 */
function rowOf(match: PlayMatch, tournamentId: string, until: number): typeof tournamentMatches.$inferInsert {
  const moment = (at: number | null) => (at === null ? null : new Date(at));
  return {
    ...match,
    tournamentId,
    readyAt: moment(match.readyAt),
    deadlineAt: match.deadlineAt === null ? null : new Date(Math.max(match.deadlineAt, until)),
    overdueToldAt: moment(match.overdueToldAt),
    checkedIn1: moment(match.checkedIn1),
    checkedIn2: moment(match.checkedIn2),
    reportedAt: moment(match.reportedAt),
    confirmBy: moment(match.confirmBy),
    finishedAt: moment(match.finishedAt),
  };
}
