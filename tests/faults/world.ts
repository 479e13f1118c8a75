import { HOUR } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import { conversationMembers, conversations } from "../../db/schema";
import { newModerator } from "../integration/moderators";
import { addConversation, newVisitor, unique } from "../integration/players";
import type { Visitor } from "../integration/talk";
import { startTournament } from "../support/matches";
import { addSession } from "../support/played";
import { Talker } from "../support/talker";
import { addTournament } from "../support/tournaments";
import { Model } from "./model";
import type { Site } from "./site";

const PLAYERS = 12;
const CAPTAINS = 8;
/** The number of players, counted from the first, who have push turned on. */
const DEVICES = 6;

/** A conversation, with a talker for each of its members. */
export interface Talk {
  id: string;
  talkers: { senderId: string; talker: Talker }[];
}

export interface World {
  site: Site;
  model: Model;
  players: Visitor[];
  moderator: Visitor;
  talks: Talk[];
  /** Tournaments with fewer places than there are players. */
  openTournaments: string[];
  /** Running tournaments, whose captains are the first players. */
  runningTournaments: string[];
  /** Matches whose result someone has begun to report, by tournament and match. */
  matchesInPlay: Set<string>;
}

/**
 * Fills a site: players who have played with each other, a conversation for each pair of neighbours and one for all,
 * and tournaments. Each member of a conversation has it open.
 * @param running the number of running tournaments
 */
export async function fillSite(site: Site, running: number): Promise<World> {
  const players: Visitor[] = [];
  for (let number = 0; number < PLAYERS; number += 1) {
    players.push(
      await newVisitor(site, {
        riotGameName: unique("Player "),
        riotPuuid: uuidv7(),
        riotVerifiedAt: new Date(),
        currentRank: "Gold 2",
      }),
    );
  }
  for (const { player } of players) {
    await addSession(
      site.db,
      player,
      players
        .filter((other) => other.player.id !== player.id)
        .slice(0, 4)
        .map((other) => other.player),
    );
  }
  for (const { client, player } of players.slice(0, DEVICES)) {
    const { endpoint, keys } = site.push.subscribe();
    const { status } = await client.post("/push", { endpoint, ...keys });
    if (status !== 200) throw new Error(`Turning on push was answered with ${status}.`);
    site.devices.push({ userId: player.id, endpoint });
  }
  const talks: Talk[] = [];
  for (const [index, visitor] of players.entries()) {
    const other = players[(index + 1) % PLAYERS] as Visitor;
    talks.push(await openTalk(await addConversation(site, visitor.player, other.player), [visitor, other]));
  }
  talks.push(await openTalk(await addGroup(site, players), players));

  const ids = players.map(({ player }) => player.id);
  const openTournaments: string[] = [];
  for (const maxParticipants of [4, 8]) {
    const { id } = await addTournament(site.db, {
      teams: 0,
      state: "open",
      teamSize: 1,
      maxParticipants,
      registrationDeadline: new Date(Date.now() + 24 * HOUR),
      tournamentDate: new Date(Date.now() + 48 * HOUR),
    });
    openTournaments.push(id);
  }
  const runningTournaments: string[] = [];
  for (let number = 0; number < running; number += 1) {
    const { id } = await startTournament(site, {
      teams: CAPTAINS,
      captains: ids.slice(0, CAPTAINS),
      tournamentDate: new Date(Date.now() - HOUR / 60),
    });
    runningTournaments.push(id);
  }
  const moderator = await newModerator(site);
  return {
    site,
    model: new Model(),
    players,
    moderator,
    talks,
    openTournaments,
    runningTournaments,
    matchesInPlay: new Set(),
  };
}

async function openTalk(id: string, members: readonly Visitor[]): Promise<Talk> {
  const talkers = members.map(async ({ client, player }) => ({
    senderId: player.id,
    talker: await new Talker(client, id).open(),
  }));
  return { id, talkers: await Promise.all(talkers) };
}

/** Adds a conversation that doesn't belong to a pair of players, like a team's chat. */
async function addGroup({ db }: Site, members: readonly Visitor[]): Promise<string> {
  const id = uuidv7();
  const now = new Date();
  await db.batch([
    db.insert(conversations).values({ id, title: "Everyone", createdAt: now }),
    db
      .insert(conversationMembers)
      .values(members.map(({ player }) => ({ conversationId: id, userId: player.id, listedAt: now, joinedAt: now }))),
  ]);
  return id;
}
