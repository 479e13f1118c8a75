import { describe, expect, test } from "vitest";
import type { Command } from "#party/wire/tournament-commands";
import { findDependents } from "~/features/tournaments/bracket/results";
import type { Snapshot } from "~/features/tournaments/bracket/snapshot";
import { eventWords } from "~/features/tournaments/events";
import { mayReinstate } from "~/features/tournaments/play/disqualify";
import { newsOf } from "~/features/tournaments/play/news";
import { type PlayMatch, writeResults } from "~/features/tournaments/play/state";
import { sayPlace } from "~/features/tournaments/shared/places";
import type { MapResult } from "~/game/scores";
import { Game, ORGANISER, openTournament } from "../support/play-state";

const hasThirdPlace = (game: Game) => game.state.matches.some(({ part }) => part === "third-place");

describe("Third place", () => {
  test.each([
    ["automatic", 7, false],
    ["automatic", 8, true],
    ["yes", 4, true],
    ["no", 16, false],
  ] as const)("with the setting %s and %i teams is played for: %s", async (thirdPlace, teams, played) => {
    const game = new Game(openTournament(teams, { thirdPlace }));
    await game.start();
    expect(hasThirdPlace(game)).toBe(played);
  });

  test("isn't played for in a double elimination or in groups", async () => {
    for (const format of ["double_elimination", "round_robin"] as const) {
      const game = new Game(openTournament(8, { thirdPlace: "yes", format }));
      await game.start();
      expect(hasThirdPlace(game)).toBe(false);
    }
  });

  test("is shared if it isn't played for, and everyone is told their place", async () => {
    const game = new Game(openTournament(4));
    await game.start();
    await game.playOut();
    expect(game.places(sayPlace)).toEqual(["1st T1", "2nd T2", "3rd–4th T3", "3rd–4th T4"]);
    const news = newsOf(game.before, game.state, game.events.slice(-2), game.now);
    const finished = news.filter(({ kind }) => kind === "tournament-finished");
    expect(finished.map(({ userId, data }) => [userId, data.place, data.lastPlace])).toEqual([
      ["T1", 1, null],
      ["T2", 2, null],
      ["T3", 3, 4],
      ["T4", 3, 4],
    ]);
  });

  test("is decided by its match, which has to be played before the tournament is over", async () => {
    const game = new Game(openTournament(8));
    await game.start();
    await game.playOut("Third-place match");
    expect(game.state.state).toBe("running");
    await game.win(game.match("Third-place match"), "T4");
    expect(game.places(sayPlace).slice(0, 5)).toEqual(["1st T1", "2nd T2", "3rd T4", "4th T3", "5th–8th T5"]);
  });
});

test("Of two solo players with the same name, only the winner of their match is told that they won it", async () => {
  const game = new Game(openTournament(2));
  game.state = { ...game.state, teams: game.state.teams.map((team) => ({ ...team, name: "Same Name" })) };
  await game.start();
  await game.win(game.match("Final"), "T2");
  const news = newsOf(game.before, game.state, game.events.slice(-2), game.now);
  const results = news.filter(({ kind }) => kind === "match-result");
  expect(results.map(({ userId, data }) => [userId, data.hasWon])).toEqual([
    ["T1", false],
    ["T2", true],
  ]);
});

test("A solo player who reports a defeat by a player with the same name asks them to confirm that they won", async () => {
  const game = new Game(openTournament(2));
  game.state = { ...game.state, teams: game.state.teams.map((team) => ({ ...team, name: "Same Name" })) };
  await game.start();
  const maps: MapResult[] = [{ map: null, rounds: game.match("Final").team1 === "T1" ? [5, 13] : [13, 5] }];
  await game.execute("T1", { type: "report", match: game.match("Final").id, maps });
  const news = newsOf(game.before, game.state, game.events.slice(-1), game.now);
  const [asked] = news.filter(({ kind }) => kind === "match-report");
  expect(asked).toMatchObject({ userId: "T2", data: { isOwnWin: false } });
});

test("An organiser who disqualifies a team of their own isn't notified of it, but its other players are", async () => {
  const game = new Game(openTournament(4));
  const [first] = game.state.teams;
  const members = [ORGANISER, "T1"].map((userId) => ({ userId, isSubstitute: false, isVerified: true, rank: null }));
  game.state = {
    ...game.state,
    teams: game.state.teams.map((team) => (team.id === first?.id ? { ...team, members } : team)),
  };
  await game.start();
  const { length } = game.events;
  await game.execute(ORGANISER, { type: "disqualify", team: "T1", reason: "Didn't show up" });
  const news = newsOf(game.before, game.state, game.events.slice(length), game.now);
  expect(news.flatMap(({ kind, userId }) => (kind === "tournament-withdrawn" ? [userId] : []))).toEqual(["T1"]);
});

test("Two teams that forfeit their first play-off match share their places, whatever their group places", async () => {
  const game = new Game(openTournament(6, { format: "round_robin", groupSize: 3 }));
  await game.start();
  await game.playOut("Semi-final 1");
  // In the first semi-final a group winner forfeits, in the second a runner-up.
  const [one, two] = [game.match("Semi-final 1"), game.match("Semi-final 2")];
  await game.reopen(two);
  await game.execute(ORGANISER, { type: "rule", match: one.id, forfeits: 1 });
  await game.execute(ORGANISER, { type: "rule", match: two.id, forfeits: 2 });
  await game.playOut();
  expect(game.places(sayPlace).map((place) => place.split(" ")[0])).toEqual([
    "1st",
    "2nd",
    "3rd–4th",
    "3rd–4th",
    "5th–6th",
    "5th–6th",
  ]);
});

describe("A disqualified team", () => {
  const started = async (teams: number, changes: Parameters<typeof openTournament>[1] = {}) => {
    const game = new Game(openTournament(teams, changes));
    await game.start();
    return game;
  };
  const disqualify = (game: Game, team: string) =>
    game.execute(ORGANISER, { type: "disqualify", team, reason: "Cheated." });
  const takeBack = (game: Game, team: string) => game.attempt(ORGANISER, { type: "reinstate", team });
  const openMatches = (game: Game, team: string) =>
    game.state.matches.filter(
      ({ team1, team2, state }) =>
        (team1 === team || team2 === team) && ["ready", "reported", "disputed"].includes(state),
    );

  test("forfeits its open match, and the reason is sent to its players", async () => {
    const game = await started(4);
    await disqualify(game, "T1");
    expect(game.match("Semi-final 1")).toMatchObject({ state: "finished", winner: 2, forfeit: 1 });
    expect(game.events.slice(-2).map(({ action, details }) => [action, details.team ?? details.loser])).toEqual([
      ["disqualified", "T1"],
      ["defaulted", "T1"],
    ]);
    const news = newsOf(game.before, game.state, game.events.slice(-2), game.now);
    expect(news.map(({ kind, userId, data }) => [kind, userId, data.reason ?? data.hasWon])).toEqual([
      ["tournament-withdrawn", "T1", "Cheated."],
      ["match-result", "T4", true],
    ]);
  });

  test("isn't called in the losers' bracket: it forfeits there as soon as it has an opponent", async () => {
    const game = await started(8, { format: "double_elimination" });
    await disqualify(game, "T1");
    const fallen = game.state.matches.find(({ part, team1, team2 }) => part === "losers" && (team1 ?? team2) === "T1");
    expect(fallen?.state).toBe("waiting");
    await game.playOut();
    expect(game.state.matches.find(({ id }) => id === fallen?.id)).toMatchObject({
      state: "finished",
      conversationId: null,
      readyAt: null,
    });
    expect(game.state.state).toBe("finished");
    expect(game.places(sayPlace).at(-1)).toBe("8th T1");
  });

  test.each(["single_elimination", "double_elimination", "round_robin"] as const)(
    "in a %s is never called to a match again, and is placed behind all teams that were still in",
    async (format) => {
      const game = await started(7, { format });
      await disqualify(game, "T2");
      expect(openMatches(game, "T2")).toEqual([]);
      await game.playOut();
      expect(openMatches(game, "T2")).toEqual([]);
      expect(game.state.state).toBe("finished");
      expect(game.places(sayPlace).at(-1)).toBe("7th T2");
    },
  );

  test("ranks behind a team that lost in its round by playing, even if that was earlier", async () => {
    const game = await started(4, { thirdPlace: "no" });
    await game.win(game.match("Semi-final 1"), "T1");
    await disqualify(game, "T3");
    await game.playOut();
    expect(game.places(sayPlace)).toEqual(["1st T1", "2nd T2", "3rd T4", "4th T3"]);
  });

  test("stays ahead of teams that were out before", async () => {
    const game = await started(8, { format: "double_elimination" });
    await game.playOut("Winners' final");
    // Two others are still in: the other team of the winners' final, and the last team of the losers' bracket.
    await disqualify(game, "T1");
    await game.playOut();
    const place = game.state.teams.find(({ name }) => name === "T1")?.place;
    expect(place).toBe(3);
    expect(game.state.winnerTeamId).toBe("T2");
  });

  test("neither goes on to play-offs nor wins a table that it leads", async () => {
    const groups = await started(6, { format: "round_robin", groupSize: 3 });
    await groups.win(
      groups.match("Group A, round 1, match 1"),
      groups.match("Group A, round 1, match 1").team1 as string,
    );
    const leader = groups.match("Group A, round 1, match 1").team1 as string;
    await disqualify(groups, leader);
    await groups.playOut();
    const qualified = groups.state.matches.flatMap(({ part, team1, team2 }) =>
      part === "playoffs" ? [team1, team2] : [],
    );
    expect(qualified).not.toContain(leader);
    const table = await started(3, { format: "round_robin" });
    for (const match of table.state.matches) {
      if (match.team1 === "T1" || match.team2 === "T1") await table.win(match, "T1");
    }
    await disqualify(table, "T1");
    await table.playOut();
    expect(table.places(sayPlace)).toEqual(["1st T2", "2nd T3", "3rd T1"]);
    expect(table.state.winnerTeamId).toBe("T2");
  });

  test("ranks behind teams that were disqualified later", async () => {
    const game = await started(4);
    await disqualify(game, "T1");
    await disqualify(game, "T3");
    await disqualify(game, "T2");
    // T4 is the only team left.
    expect(game.state).toMatchObject({ state: "finished", winnerTeamId: "T4" });
    expect(game.places(sayPlace)).toEqual(["1st T4", "2nd T2", "3rd T3", "4th T1"]);
  });

  test.each(["before", "after"])("in the final comes second, %s the third-place match", async (when) => {
    const game = await started(4, { thirdPlace: "yes" });
    for (const name of ["Semi-final 1", "Semi-final 2"]) {
      const semi = game.match(name);
      await game.win(semi, [semi.team1, semi.team2].sort()[0] as string);
    }
    const third = game.match("Third-place match");
    if (when === "after") await game.win(third, "T3");
    await disqualify(game, "T1");
    if (when === "before") await game.win(game.match("Third-place match"), "T3");
    expect(game.places(sayPlace)).toEqual(["1st T2", "2nd T1", "3rd T3", "4th T4"]);
  });

  test("in a group lets the teams below it move up, in the final places too", async () => {
    const game = await started(8, { format: "round_robin", groupSize: 4 });
    const groupOf = (team: string) =>
      game.state.matches.find(({ team1, team2 }) => team1 === team || team2 === team)?.group as number;
    const first = groupOf("T1");
    for (const match of game.state.matches.filter(({ group }) => group === first)) {
      await game.win(match, [match.team1, match.team2].sort()[0] as string);
    }
    await disqualify(game, "T1");
    await game.playOut();
    const places = game.places(sayPlace);
    // The thirds of both groups share fifth place. The fourths share none, because one of them is T1.
    expect(places.filter((place) => place.startsWith("5th"))).toHaveLength(2);
    expect(places.at(-1)).toBe("8th T1");
  });

  test("in the play-offs keeps its place in its group", async () => {
    const game = await started(8, { format: "round_robin", groupSize: 4 });
    while (!game.state.matches.some(({ part }) => part === "playoffs")) {
      const next = game.state.matches.find(({ state }) => state === "ready") as PlayMatch;
      await game.win(next, [next.team1, next.team2].sort()[0] as string);
    }
    await disqualify(game, "T1");
    await game.playOut();
    const places = game.places(sayPlace);
    expect(places.filter((place) => place.startsWith("5th–6th"))).toHaveLength(2);
    expect(places.filter((place) => place.startsWith("7th–8th"))).toHaveLength(2);
  });

  test("in the final leaves the title to the other finalist, who can't be disqualified after that", async () => {
    for (const [format, left] of [
      ["single_elimination", ["1st T2", "2nd T1", "3rd–4th T3", "3rd–4th T4"]],
      ["double_elimination", ["1st T2", "2nd T1", "3rd T3", "4th T4"]],
    ] as const) {
      const game = await started(4, { format, thirdPlace: "no" });
      await game.playOut(format === "single_elimination" ? "Final" : "Grand final");
      await disqualify(game, "T1");
      expect(game.state).toMatchObject({ state: "finished", winnerTeamId: "T2" });
      expect(game.places(sayPlace)).toEqual(left);
      expect(await game.attempt(ORGANISER, { type: "disqualify", team: "T2", reason: "Cheated." })).toBe("over");
    }
  });

  test("in the final can be followed by its opponent, whose semi-final is reopened: the loser moves up", async () => {
    const game = await started(4, { thirdPlace: "no" });
    await game.playOut("Final");
    await disqualify(game, "T1");
    const [semi, final] = [game.match("Semi-final 2"), game.match("Final")];
    await game.reopen(semi, final);
    expect(game.state).toMatchObject({ state: "running", winnerTeamId: null });
    await disqualify(game, "T2");
    expect(game.state).toMatchObject({ state: "finished", winnerTeamId: "T3" });
    expect(game.match("Final")).toMatchObject({ team1: "T1", team2: "T3", forfeit: 1 });
    // T4 lost its semi-final by playing; T2 was still in when T1 was disqualified.
    expect(game.places(sayPlace)).toEqual(["1st T3", "2nd T4", "3rd T2", "4th T1"]);
  });

  test("in a grand final can be followed by its opponent: the reopened losers' final brings in a team", async () => {
    const game = await started(4, { format: "double_elimination" });
    await game.playOut("Grand final");
    await disqualify(game, "T1");
    const lower = game.match("Losers' final");
    const later = game.state.matches.filter(({ part, state }) => part === "grand-final" && state === "finished");
    await game.reopen(lower, ...later);
    await disqualify(game, "T2");
    expect(game.state).toMatchObject({ state: "finished", winnerTeamId: "T3" });
    expect(game.places(sayPlace)).toEqual(["1st T3", "2nd T2", "3rd T1", "4th T4"]);
  });

  test("in the third-place match can be followed by its opponent, whose semi-final is reopened", async () => {
    const game = await started(4, { thirdPlace: "yes" });
    for (const [name, team] of [
      ["Semi-final 1", "T1"],
      ["Semi-final 2", "T2"],
    ] as const) {
      await game.win(game.match(name), team);
    }
    await disqualify(game, "T3");
    expect(await game.attempt(ORGANISER, { type: "disqualify", team: "T4", reason: "Cheated." })).toBe("out-already");
    await game.reopen(game.match("Semi-final 1"), game.match("Final"), game.match("Third-place match"));
    await disqualify(game, "T4");
    await game.win(game.match("Final"), "T1");
    expect(game.places(sayPlace)).toEqual(["1st T1", "2nd T2", "3rd T4", "4th T3"]);
  });

  test("can come back, with all its matches, until a later match is played", async () => {
    const game = await started(4);
    await disqualify(game, "T1");
    expect(["T1", "T2"].map((team) => mayReinstate(game.state, team))).toEqual([true, false]);
    expect(await takeBack(game, "T1")).toBeNull();
    expect(game.match("Semi-final 1")).toMatchObject({ state: "ready", winner: null, forfeit: null });
    expect(game.match("Final")).toMatchObject({ team1: null });
    await disqualify(game, "T1");
    await game.playOut();
    expect(mayReinstate(game.state, "T1")).toBe(false);
    expect(await takeBack(game, "T1")).toBe("played-on");
  });

  test("that was disqualified again isn't reinstated by a dialog that showed the first disqualification", async () => {
    const game = await started(4);
    const disqualifiedAt = () => game.state.teams.find(({ id }) => id === "T1")?.disqualification?.at;
    const undo = (expects: number | undefined) =>
      game.attempt(ORGANISER, { type: "reinstate", team: "T1", ...(expects !== undefined && { expects }) });
    await disqualify(game, "T1");
    const first = disqualifiedAt();
    expect(await undo(first)).toBeNull();
    // The form was sent twice.
    expect(await undo(first)).toBeNull();
    await game.execute(ORGANISER, { type: "disqualify", team: "T1", reason: "Cheated again." });
    expect(await undo(first)).toBe("disqualified-again");
    expect(game.match("Semi-final 1")).toMatchObject({ state: "finished", forfeit: 1 });
    expect(await undo(disqualifiedAt())).toBeNull();
    // Pages from before this check don't say which one they showed.
    await disqualify(game, "T1");
    expect(await undo(undefined)).toBeNull();
  });

  test("can come back after its forfeit has ended the tournament", async () => {
    const game = await started(2);
    await disqualify(game, "T2");
    expect(game.state.state).toBe("finished");
    expect(await takeBack(game, "T2")).toBeNull();
    expect(game.state).toMatchObject({ state: "running", winnerTeamId: null });
    expect(game.state.teams.map(({ place }) => place)).toEqual([null, null]);
  });

  test("can come back into a match that its opponent forfeits, and the tournament ends again", async () => {
    const game = await started(4, { format: "round_robin" });
    const between = (one: string, two: string) =>
      game.state.matches.find(({ team1, team2 }) => [team1, team2].sort().join() === [one, two].join()) as PlayMatch;
    for (const [one, two] of [
      ["T1", "T3"],
      ["T1", "T4"],
      ["T2", "T3"],
      ["T2", "T4"],
    ] as const) {
      await game.win(between(one, two), one);
    }
    await disqualify(game, "T1");
    await disqualify(game, "T2");
    await game.win(between("T3", "T4"), "T3");
    expect(game.state).toMatchObject({ state: "finished", winnerTeamId: "T3" });
    expect(await takeBack(game, "T1")).toBeNull();
    expect(game.state).toMatchObject({ state: "finished", winnerTeamId: "T1" });
    expect(game.events.at(-1)).toMatchObject({ action: "won", details: { team: "T1" } });
  });

  test("undoes a later forfeit when it comes back: the match's log says so, and its players are told", async () => {
    const game = await started(4);
    await game.win(game.match("Semi-final 2"), "T2");
    await disqualify(game, "T1");
    await disqualify(game, "T4");
    expect(game.match("Final")).toMatchObject({ state: "finished", winner: 2 });
    const { length } = game.events;
    expect(await takeBack(game, "T1")).toBeNull();
    expect(game.match("Final")).toMatchObject({ state: "ready", team1: "T1", team2: "T2" });
    const events = game.events.slice(length);
    const undone = events.filter(({ action }) => action === "undone");
    expect(undone.map(({ match, actorId, details }) => [match, actorId, eventWords("undone", details)])).toEqual([
      [game.match("Semi-final 1").id, null, "Semi-final 1 is open again because T1 is back in"],
      [game.match("Final").id, null, "Final is undone because Semi-final 1 is open again"],
    ]);
    const news = newsOf(game.before, game.state, events, game.now).filter(({ data }) => data.match === "Final");
    expect(news.map(({ kind, userId, data }) => [kind, userId, data.undone ?? data.opponent])).toEqual([
      ["match-result", "T4", "off"],
      ["match-result", "T2", "off"],
      ["match-ready", "T1", "T2"],
      ["match-ready", "T2", "T1"],
    ]);
  });

  test("when it comes back, undoes a forfeited final that was never called, and its winner is told", async () => {
    const game = await started(4);
    await disqualify(game, "T3");
    await disqualify(game, "T2");
    await disqualify(game, "T1");
    expect(game.match("Final")).toMatchObject({ state: "finished", winner: 1, readyAt: null });
    const { length } = game.events;
    expect(await takeBack(game, "T1")).toBeNull();
    expect(game.match("Final")).toMatchObject({ state: "waiting", winner: null });
    const news = newsOf(game.before, game.state, game.events.slice(length), game.now);
    expect(news.filter(({ userId, data }) => userId === "T4" && data.match === "Final")).toMatchObject([
      { kind: "match-result", data: { undone: "off" } },
    ]);
  });

  describe("that leads its group, with no match left to play", () => {
    const strength = (team: string | null) => Number(team?.slice(1));
    const play = async (game: Game, which: (match: PlayMatch) => boolean) => {
      for (;;) {
        const next = game.state.matches.find((match) => match.state === "ready" && which(match));
        if (!next) return;
        await game.win(next, (strength(next.team1) < strength(next.team2) ? next.team1 : next.team2) as string);
      }
    };
    const isOf = (team: string) => (match: PlayMatch) => match.team1 === team || match.team2 === team;
    const playoffTeams = (game: Game) =>
      game.state.matches.flatMap(({ part, round, team1, team2 }) =>
        part === "playoffs" && round === 1 ? [team1, team2] : [],
      );
    /**
     * Eight teams in two groups. T1 wins all its matches before it is disqualified, and the play-offs are drawn without
     * it.
     */
    const drawPlayoffsWithoutT1 = async () => {
      const game = await started(8, { format: "round_robin", groupSize: 4 });
      await play(game, isOf("T1"));
      const { group } = game.state.matches.find(isOf("T1")) as PlayMatch;
      await play(game, (match) => match.group === group);
      await disqualify(game, "T1");
      await play(game, ({ part }) => part === "group");
      expect(playoffTeams(game)).not.toContain("T1");
      return game;
    };

    test("comes back into play-offs that are drawn again", async () => {
      const game = await drawPlayoffsWithoutT1();
      const { length } = game.events;
      const before = playoffTeams(game);
      expect(mayReinstate(game.state, "T1")).toBe(true);
      expect(await takeBack(game, "T1")).toBeNull();
      const after = playoffTeams(game);
      expect(after).toContain("T1");
      const third = before.filter((team) => !after.includes(team));
      expect(third).toHaveLength(1);
      const events = game.events.slice(length);
      const undone = events.filter(({ action }) => action === "undone");
      expect(undone.map(({ match, details }) => [match, eventWords("undone", details)])).toEqual(
        ["Semi-final 1", "Semi-final 2"].map((name) => [
          game.match(name).id,
          `${name} is drawn again because T1 is back in`,
        ]),
      );
      const news = newsOf(game.before, game.state, events, game.now);
      expect(news.filter(({ userId }) => userId === third[0])).toMatchObject([
        { kind: "match-result", data: { undone: "off" } },
      ]);
      expect(news.filter(({ userId }) => userId === "T1").map(({ kind }) => kind)).toEqual([
        "match-ready",
        "tournament-withdrawn",
      ]);
      await game.playOut();
      expect(game.places(sayPlace)[0]).toBe("1st T1");
    });

    test("stays out once a match of the play-offs has a report or a result", async () => {
      const game = await drawPlayoffsWithoutT1();
      const semi = game.match("Semi-final 1");
      await game.execute(semi.team1, { type: "report", match: semi.id, maps: [{ map: null, rounds: [13, 7] }] });
      expect(mayReinstate(game.state, "T1")).toBe(false);
      await play(game, ({ id }) => id === semi.id);
      expect(await takeBack(game, "T1")).toBe("played-on");
      await play(game, () => true);
      expect(mayReinstate(game.state, "T1")).toBe(false);
      expect(await takeBack(game, "T1")).toBe("played-on");
    });

    test("comes back even if another disqualified team has forfeited a semi-final", async () => {
      const game = await drawPlayoffsWithoutT1();
      await disqualify(game, game.match("Semi-final 1").team1 as string);
      expect(game.match("Semi-final 1").state).toBe("finished");
      expect(mayReinstate(game.state, "T1")).toBe(true);
      expect(await takeBack(game, "T1")).toBeNull();
      expect(playoffTeams(game)).toContain("T1");
    });

    test("wins its table immediately if the tie-break that was drawn without it hasn't been played", async () => {
      const level = async () => {
        const game = await started(4, { format: "round_robin" });
        await play(game, isOf("T1"));
        // The other three each win one match against each other.
        const winners: Record<string, string> = { "T2,T3": "T2", "T3,T4": "T3", "T2,T4": "T4" };
        for (const match of game.state.matches.filter(({ state }) => state === "ready").slice(0, -1)) {
          await game.win(match, winners[[match.team1, match.team2].sort().join()] as string);
        }
        await disqualify(game, "T1");
        const last = game.state.matches.find(({ state }) => state === "ready") as PlayMatch;
        await game.win(last, winners[[last.team1, last.team2].sort().join()] as string);
        expect(game.state.matches.filter(({ part }) => part === "tie-break")).toHaveLength(3);
        return game;
      };
      const game = await level();
      expect(await takeBack(game, "T1")).toBeNull();
      expect(game.state).toMatchObject({ state: "finished", winnerTeamId: "T1" });
      expect(game.state.matches.filter(({ part }) => part === "tie-break")).toEqual([]);
      const late = await level();
      await late.win(late.state.matches.find(({ part }) => part === "tie-break") as PlayMatch, "T2");
      expect(mayReinstate(late.state, "T1")).toBe(false);
      expect(await takeBack(late, "T1")).toBe("played-on");
    });

    test("comes back into play-offs that were drawn again without it, unless they have begun", async () => {
      const redrawn = async () => {
        const game = await started(8, { format: "round_robin", groupSize: 4 });
        await play(game, ({ part }) => part === "group");
        expect(playoffTeams(game)).toContain("T1");
        await disqualify(game, "T1");
        const match = game.state.matches.find((row) => row.part === "group" && !isOf("T1")(row)) as PlayMatch;
        const later = game.state.matches.filter(
          ({ part, state }) => part === "playoffs" && (state === "ready" || state === "finished"),
        );
        await game.reopen(match, ...later);
        await play(game, ({ part }) => part === "group");
        expect(playoffTeams(game)).not.toContain("T1");
        return game;
      };
      const game = await redrawn();
      expect(mayReinstate(game.state, "T1")).toBe(true);
      expect(await takeBack(game, "T1")).toBeNull();
      expect(playoffTeams(game)).toContain("T1");
      const late = await redrawn();
      await play(late, ({ id }) => id === late.match("Semi-final 1").id);
      expect(mayReinstate(late.state, "T1")).toBe(false);
      expect(await takeBack(late, "T1")).toBe("played-on");
    });
  });

  test("in the play-offs comes back into its semi-final, even if its opponent was disqualified too", async () => {
    const game = await started(8, { format: "round_robin", groupSize: 4 });
    await game.playOut("Semi-final 1");
    const [one, two] = [game.match("Semi-final 1"), game.match("Semi-final 2")];
    await disqualify(game, one.team2 as string);
    await disqualify(game, one.team1 as string);
    expect(await takeBack(game, one.team2 as string)).toBeNull();
    expect(game.match("Semi-final 1")).toMatchObject({ team1: one.team1, team2: one.team2, winner: 2, forfeit: 1 });
    expect(game.match("Semi-final 2")).toMatchObject({ team1: two.team1, team2: two.team2, state: "finished" });
  });

  test("can come back even if its opponent was disqualified after it", async () => {
    const game = await started(4);
    await disqualify(game, "T1");
    await disqualify(game, "T4");
    // T1's forfeit put T4 into the final, and T4 has played nothing since.
    expect(await takeBack(game, "T1")).toBeNull();
    expect(game.match("Semi-final 1")).toMatchObject({ state: "finished", winner: 1 });
    expect(openMatches(game, "T4")).toEqual([]);
  });

  test("is disqualified by organisers only, once, and only while it still plays", async () => {
    const game = await started(4);
    const command = { type: "disqualify", team: "T1", reason: "Cheated." } as const;
    expect(await game.attempt("T2", command)).toBe("not-organiser");
    await game.execute(ORGANISER, command);
    const { length } = game.events;
    await game.execute(ORGANISER, command);
    expect(game.events).toHaveLength(length);
    expect(await game.attempt(ORGANISER, { ...command, team: "T9" })).toBe("no-team");
    await game.win(game.match("Semi-final 2"), "T2");
    expect(await game.attempt(ORGANISER, { ...command, team: "T3" })).toBe("out-already");
    expect(await game.attempt(ORGANISER, { type: "reopen", match: game.match("Semi-final 1").id, expects: "" })).toBe(
      "disqualified",
    );
  });
});

test("A match is reopened only if no result has changed since its dialog said which ones are undone", async () => {
  const game = new Game(openTournament(4));
  await game.start();
  await game.playOut("Final");
  const [semi, final] = [game.match("Semi-final 1"), game.match("Final")];
  const reopen = () =>
    game.attempt(ORGANISER, { type: "reopen", match: semi.id, expects: writeResults([semi, final]) });
  // The final, which the dialog listed without a result, has been played.
  await game.win(final, "T1");
  expect(await reopen()).toBe("changed");
  // Another organiser has reopened the match, and has decided it for the other team.
  await game.reopen(semi, game.match("Final"));
  expect(await reopen()).toBe("not-finished");
  await game.win(game.match("Semi-final 1"), "T4");
  expect(await reopen()).toBe("changed");
  expect(game.match("Semi-final 1")).toMatchObject({ state: "finished", winner: 2 });
});

test("News of several commands at once leaves out what a later one has undone, and tells everyone so", async () => {
  const game = new Game(openTournament(4, { tournamentDate: 0 }));
  await game.start();
  await game.playOut("Final");
  const [before, semi, final] = [game.state, game.match("Semi-final 1"), game.match("Final")];
  const { length } = game.events;
  await game.execute("T1", { type: "dispute", match: final.id, evidence: "They left." });
  await game.win(game.match("Final"), "T1");
  expect(game.state.state).toBe("finished");
  await game.reopen(semi, game.match("Final"));
  const news = newsOf(before, game.state, game.events.slice(length), game.now);
  expect(news.map(({ kind, userId, data }) => [kind, userId, data.undone ?? data.match])).toEqual([
    ["match-result", "T1", "again"],
    ["match-result", "T4", "again"],
    ["match-result", "T1", "off"],
    ["match-result", "T2", "off"],
    ["match-ready", "T1", "Semi-final 1"],
    ["match-ready", "T4", "Semi-final 1"],
  ]);
});

test("A form about a match from before it was reopened doesn't count for the replay", async () => {
  const game = new Game(openTournament(4));
  await game.start();
  const { id, team1, team2, readyAt } = game.match("Semi-final 1");
  const shown = { teams: [team1 as string, team2 as string], readyAt };
  const maps: MapResult[] = [{ map: null, rounds: [13, 7] }];
  await game.win(game.match("Semi-final 1"), "T1");
  await game.reopen(game.match("Semi-final 1"));
  const forms: [string, Command][] = [
    [ORGANISER, { type: "rule", match: id, maps, shown }],
    [ORGANISER, { type: "rule", match: id, forfeits: 2, shown }],
    ["T1", { type: "report", match: id, maps, shown }],
    ["T4", { type: "dispute", match: id, evidence: "They left.", shown }],
    ["T4", { type: "forfeit", match: id, shown }],
  ];
  for (const [actor, command] of forms) expect(await game.attempt(actor, command)).toBe("played-again");
  const replayed = { ...shown, readyAt: game.match("Semi-final 1").readyAt };
  expect(await game.attempt(ORGANISER, { type: "rule", match: id, maps, shown: replayed })).toBeNull();
});

test("A form about a group match from before its turn still counts in its turn", async () => {
  const game = new Game(openTournament(4, { format: "round_robin" }));
  await game.start();
  const later = game.state.matches.find(({ readyAt }) => readyAt === null) as PlayMatch;
  const shown = { teams: [later.team1 as string, later.team2 as string], readyAt: null };
  for (const match of game.state.matches.filter(({ readyAt }) => readyAt !== null)) {
    await game.win(match, match.team1 as string);
  }
  expect(game.state.matches.find(({ id }) => id === later.id)?.readyAt).not.toBeNull();
  expect(await game.attempt(ORGANISER, { type: "rule", match: later.id, forfeits: 1, shown })).toBeNull();
});

test("A match that is undone along with another says so in its own log", async () => {
  const game = new Game(openTournament(4));
  await game.start();
  await game.playOut();
  const [semi, final] = [game.match("Semi-final 1"), game.match("Final")];
  await game.reopen(semi, final);
  const undone = game.events.filter(({ action }) => action === "undone");
  expect(undone.map(({ match, actorId, details }) => [match, actorId, eventWords("undone", details)])).toEqual([
    [final.id, null, "Final is undone because Semi-final 1 is played again"],
  ]);
});

test("Places are written as players say them", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map((place) => sayPlace(place, null))).toEqual(
    "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th".split(" "),
  );
  expect(sayPlace(5, 8)).toBe("5th–8th");
  expect(sayPlace(5, 5)).toBe("5th");
});

test("A reopened group match names the play-offs that are undone with it", async () => {
  const game = new Game(openTournament(6, { format: "round_robin", groupSize: 3 }));
  await game.start();
  await game.playOut();
  const match = game.state.matches.find(({ part }) => part === "group") as PlayMatch;
  const later = findDependents(game.state.snapshot as Snapshot, match.id);
  await game.reopen(match, ...game.state.matches.filter(({ id }) => later.includes(id)));
  const reopened = game.events.findLast(({ action }) => action === "reopened");
  expect(eventWords("reopened", reopened?.details ?? null)).toBe(
    "reopened the match and 3 after it: Semi-final 1, Semi-final 2, Final",
  );
});
