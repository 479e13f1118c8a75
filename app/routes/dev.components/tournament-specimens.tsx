import { MatchBox } from "~/features/tournaments/bracket/match-box";
import { TournamentCard } from "~/features/tournaments/list/tournament-card";
import type { ShownTime } from "~/platform/dates/dates";
import { Shown, Specimens } from "./specimen";

const at = (text: string): ShownTime => ({
  iso: "2026-12-05T18:00:00+01:00",
  text,
  exact: "5 December 2026, 18:00, Europe/Berlin time",
});

export function TournamentCards() {
  return (
    <Specimens
      name="Tournament card"
      note="to come, full, live, closed, finished, cancelled; the first hovered, the second in focus"
    >
      <Shown state="hover" target="[href$='tournament=1']">
        <Shown state="focus-visible" target="[href$='tournament=2']">
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <TournamentCard
              to="/dev/components?tournament=1"
              name="Northern Five Cup"
              state="Coming Soon"
              host="Øystein"
              date={at("Sat 5 Dec, 18:00")}
              deadline={at("Fri 4 Dec, 18:00")}
              feeCents={0}
              prizeCents={0}
              entered={7}
              places={16}
              minRank="Silver 1"
              maxRank="Diamond 3"
            />
            <TournamentCard
              to="/dev/components?tournament=2"
              name="Radiant or Bust Invitational"
              state="Coming Soon"
              host="ouroboros_kaisa_the_second"
              date={at("Fri 11 Dec, 19:30")}
              deadline={at("Thu 10 Dec, 19:30")}
              feeCents={1000}
              prizeCents={125000}
              entered={32}
              places={32}
              solo
              minRank="Immortal 1"
            />
            <TournamentCard
              to="/dev/components?tournament=3"
              name="Łódź Night Cup, autumn edition"
              state="Live"
              host="Łukasz Żółtowski"
              date={at("Sat 21 Nov, 18:00")}
              deadline={null}
              feeCents={500}
              prizeCents={16000}
              entered={8}
              places={8}
              minRank="Silver 1"
              maxRank="Ascendant 3"
            />
            <TournamentCard
              to="/dev/components?tournament=4"
              name="A very long name for a tournament that somebody hosts among friends: Кофе и хедшоты, Zwölfte Ausgabe"
              state="Coming Soon"
              host="Дмитрий Ковалёв"
              date={at("Sun 22 Nov, 20:00")}
              deadline={null}
              feeCents={0}
              prizeCents={5000}
              entered={1}
              places={2}
              maxRank="Gold 3"
            />
            <TournamentCard
              to="/dev/components?tournament=5"
              name="Lotus Open"
              state="Finished"
              host="Ngọc Huyền"
              date={at("Sat 14 Nov, 18:00")}
              deadline={null}
              feeCents={0}
              prizeCents={0}
              entered={12}
              places={16}
              winner="Five Quiet People"
            />
            <TournamentCard
              to="/dev/components?tournament=6"
              name="Monday Scrims"
              state="Cancelled"
              host="kira on site"
              date={at("Mon 16 Nov, 18:00")}
              deadline={null}
              feeCents={250}
              prizeCents={0}
              entered={3}
              places={8}
              minRank="Gold 1"
              maxRank="Gold 1"
            />
          </div>
        </Shown>
      </Shown>
    </Specimens>
  );
}

export function MatchBoxes() {
  return (
    <Specimens
      name="Match box"
      note="won and lost, yours, being played, to come, empty, without an opponent; the first in focus"
    >
      <Shown state="focus-visible" target="[href$='match=1']">
        <div className="grid grid-cols-1 gap-x-[100px] gap-y-6 md:grid-cols-[repeat(auto-fill,316px)]">
          <MatchBox
            name="Quarter-final 1"
            state="finished"
            length="best of 3"
            to="/dev/components?match=1"
            sides={[
              { seed: 1, name: "Second Site", score: 2, won: true },
              { seed: 8, name: "Eco Round Heroes", score: 1 },
            ]}
          />
          <MatchBox
            name="Quarter-final 2"
            state="finished"
            length="best of 3"
            to="/dev/components?match=2"
            sides={[
              { seed: 4, name: "Five Quiet People", score: 2, won: true, yours: true },
              { seed: 5, name: "Кофе и хедшоты", score: 0 },
            ]}
          />
          <MatchBox
            name="Semi-final 2"
            state="live"
            length="best of 3"
            map={3}
            to="/dev/components?match=3"
            sides={[
              { seed: 6, name: "Save Your Credits", score: 1 },
              { seed: 2, name: "Ouroboros Gaming Collective e. V.", score: 1 },
            ]}
          />
          <MatchBox
            name="Final"
            state="upcoming"
            length="best of 5"
            when={at("Sun 22 Nov, 20:00")}
            sides={[{ seed: 4, name: "Five Quiet People", yours: true }, "Winner of semi-final 2"]}
          />
          <MatchBox
            name="Semi-final 1"
            state="upcoming"
            length="best of 3"
            sides={["Winner of match 1", "Winner of match 2"]}
          />
          <MatchBox
            name="Match 12"
            state="bye"
            length="best of 1"
            sides={[{ seed: 3, name: "Lotus Eaters", won: true }, "No opponent"]}
          />
          <MatchBox
            name="Match 13"
            state="finished"
            length="best of 1"
            sides={[
              { seed: 128, name: "Wolfeschlegelsteinhausenbergerdorff und Freunde", score: 1, won: true },
              { seed: 97, name: "Five Quiet People", score: 0, yours: true },
            ]}
          />
        </div>
      </Shown>
    </Specimens>
  );
}
