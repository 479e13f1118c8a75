import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { initial } from "~/features/players/rules";
import { Avatar, type Presence } from "~/ui/avatar";
import { Button, ButtonLink } from "~/ui/button";
import { Link } from "~/ui/link";
import { OpenSpots } from "~/ui/open-spots";
import { useTournament } from "../page/use-tournament";
import { sayPlace } from "../shared/places";
import { WAITING_TEAMS } from "./rules";
import type { OwnPanel } from "./your-team.server";

/**
 * A panel about the viewer's own team: its banners and name, the next step, and the button for that step. Without a
 * team, the panel offers to register. Renders nothing if the viewer has no team and registration is over, or the
 * tournament is hidden.
 */
export function YourTeam({ panel }: { panel: OwnPanel | null }) {
  const { tournament, team } = useTournament();
  const home = `/tournaments/${tournament.id}`;
  if (team && panel) return <OwnTeam panel={panel} />;
  if (tournament.phase !== "registration" || tournament.isHidden) return null;
  const { teamSize, entered, places, waiting, deadline } = tournament;
  const isSolo = teamSize === 1;
  const isFull = entered >= places;
  const takesNobody = isFull && waiting >= WAITING_TEAMS;
  return (
    <Panel banners={!isFull && <Banners size={teamSize} players={[]} />}>
      <p className="font-semibold">
        {isFull ? `All ${places} spots are taken.` : isSolo ? "Your spot is open." : "You're not registered."}
      </p>
      <p className="mt-0.5 text-meta text-muted">
        {takesNobody
          ? "The waiting list is full, too."
          : isFull
            ? `Register to join the waiting list. ${sayWaiting(waiting, isSolo)}`
            : `Register until ${deadline.text}.`}
      </p>
      {!takesNobody && (
        <ButtonLink to={`${home}/register`} variant="primary" preventScrollReset className="mt-4 w-full">
          Register
        </ButtonLink>
      )}
      {teamSize > 1 && (
        <ButtonLink to={`${home}/seek`} variant="quiet" preventScrollReset className="mt-1 w-full">
          Look for a Team
        </ButtonLink>
      )}
    </Panel>
  );
}

/** "2 teams are already waiting." */
function sayWaiting(waiting: number, isSolo: boolean): string {
  const who = isSolo ? "player" : "team";
  if (waiting === 0) return "You'd be first.";
  return `${count(waiting, who)} ${waiting === 1 ? "is" : "are"} already waiting.`;
}

/** "1 team", "2 teams" */
const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? "" : "s"}`;

function OwnTeam({ panel }: { panel: OwnPanel }) {
  const { tournament, team } = useTournament();
  const busy = useNavigation().formData?.get("intent") === "check-in";
  if (!team) return null;
  const { teamSize, phase, checkIn } = tournament;
  const home = `/tournaments/${tournament.id}`;
  const page = `${home}/teams/${team.id}`;
  const missing = teamSize - panel.players.length;
  const online = panel.players.filter(({ presence }) => presence === "online").length;
  const isOpen = !tournament.isHidden && (phase === "registration" || phase === "closed");
  const isHere = team.checkedInAt !== null;
  return (
    <Panel banners={<Banners size={teamSize} players={panel.players} />}>
      <p className="wrap-anywhere">
        <Link to={page} dir="auto" className="font-semibold hover:underline hover:underline-offset-3">
          {team.name}
        </Link>
      </p>
      <p className="mt-0.5 text-meta text-muted">
        {standing(team, panel, tournament)}
        {teamSize > 1 && <span className="sr-only"> {online} online now.</span>}
      </p>
      <div className="mt-3 border-t border-line pt-3 text-meta wrap-anywhere">
        <Next missing={missing} panel={panel} />
      </div>
      {isOpen && checkIn?.isOpen && !isHere && missing <= 0 && (
        <Form method="post" action={`${home}/teams`} preventScrollReset className="mt-3">
          <Button
            name="intent"
            value="check-in"
            variant="primary"
            busy={busy}
            busyLabel="Checking in"
            className="w-full"
          >
            Check In
          </Button>
        </Form>
      )}
      {isOpen && missing > 0 && team.isCaptain && (
        <ButtonLink to={page} variant="primary" className="mt-3 w-full">
          Find Players
        </ButtonLink>
      )}
      {phase === "running" && panel.match?.isReady && (
        <ButtonLink to={`${home}/matches/${panel.match.id}`} variant="primary" className="mt-3 w-full">
          Go to Your Match
        </ButtonLink>
      )}
      {team.canWithdraw && (
        <ButtonLink to={`${home}/withdraw`} variant="quiet" preventScrollReset className="mt-1 w-full">
          Withdraw
        </ButtonLink>
      )}
    </Panel>
  );
}

function standing(
  team: NonNullable<ReturnType<typeof useTournament>["team"]>,
  { teamsAhead }: OwnPanel,
  { teamSize, phase }: ReturnType<typeof useTournament>["tournament"],
): string {
  const who = teamSize === 1 ? "You" : "Your team";
  if (team.state === "absent")
    return `${who} lost the spot at the start: not complete, not verified or not checked in.`;
  if (team.state === "waiting") {
    if (phase !== "registration" && phase !== "closed") return "No spot opened up.";
    return teamsAhead === 0
      ? `${who}, first on the waiting list.`
      : `${who}, on the waiting list behind ${count(teamsAhead, teamSize === 1 ? "player" : "team")}.`;
  }
  return `${who}${team.seed === null ? ", registered" : `, seed ${team.seed}`}${team.isSubstitute ? ". You're a substitute" : ""}.`;
}

/** The next step, in a sentence or two. */
function Next({ missing, panel }: { missing: number; panel: OwnPanel }) {
  const { tournament, team } = useTournament();
  const { phase, checkIn, date, isDue, teamSize } = tournament;
  if (phase === "cancelled") return <>The tournament was cancelled.</>;
  if (phase === "running" || phase === "finished") {
    if (team?.isDisqualified)
      return (
        <>
          {teamSize === 1 ? "You're" : "Your team is"} disqualified.{" "}
          <Link to={`/tournaments/${tournament.id}/teams/${team.id}`} className="link">
            Read why
          </Link>
        </>
      );
    if (panel.match) {
      const { name, opponent } = panel.match;
      return (
        <>
          Next match: {name}
          {opponent === null ? (
            ". Your opponent isn't known yet."
          ) : (
            <>
              , against <bdi>{opponent}</bdi>.
            </>
          )}
        </>
      );
    }
    if (team?.place)
      return <>{team.place === 1 ? "You won." : `You finished ${sayPlace(team.place, team.lastPlace)}.`}</>;
    return <>{phase === "running" ? "You have no matches left." : "The tournament is over."}</>;
  }
  if (tournament.isHidden)
    return <>{checkIn ? "Check-in and the start wait" : "The start waits"} until the tournament is shown again.</>;
  if (missing > 0) {
    return (
      <>
        {missing} {missing === 1 ? "player" : "players"} short. Incomplete teams can't {checkIn ? "check in" : "play"}.
      </>
    );
  }
  const begins = isDue ? "The organisers will start it soon." : `It starts on ${date.text}.`;
  if (team?.checkedInAt) return <>You've checked in. {begins}</>;
  if (checkIn?.isOpen && team?.state === "waiting") {
    return <>Check in: if someone with a spot doesn't, you may play instead.</>;
  }
  if (checkIn?.isOpen) {
    return isDue ? (
      <>Check in now. The organisers will start it soon, without anyone who isn't checked in.</>
    ) : (
      <>Check in by {date.text}, or your spot goes to the waiting list.</>
    );
  }
  if (!checkIn || isDue) return <>{begins}</>;
  return <>Check-in opens on {checkIn.opens.text}.</>;
}

function Panel({ banners, children }: { banners: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-label={useTournament().tournament.teamSize === 1 ? "Your spot" : "Your team"}
      className="h-fit rounded-b-panel border-t-4 border-spot-edge bg-sheet px-[18px] pb-5 max-lg:mt-7"
    >
      {banners}
      <div className="mt-4">{children}</div>
    </section>
  );
}

/** A banner for each starter and an open spot for each missing one. Decorative: the text says the same. */
export function Banners({
  size,
  players,
}: {
  size: number;
  players: readonly { name: string; picture?: string | null; presence?: Presence; isYou?: boolean }[];
}) {
  return (
    <div aria-hidden="true" className="flex gap-[5px]">
      {players.map(({ name, picture, presence, isYou }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal, and the order identifies the players
        <Avatar key={index} letter={initial(name)} picture={picture} presence={presence ?? "none"} isYou={isYou} />
      ))}
      <OpenSpots count={Math.max(0, size - players.length)} className="u-spot" />
    </div>
  );
}
