import { Panel, PanelButton } from "./panel";
import type { MatchView } from "./present-match.server";

export function CheckIn({ match }: { match: MatchView }) {
  const { may, teams, deadline, isLate, isPlayer } = match;
  const [own, other] = teams;
  const until = deadline && (
    <time dateTime={deadline.iso} title={deadline.exact}>
      {deadline.text}
    </time>
  );
  if (!deadline) {
    return (
      <Panel
        rail="none"
        title="This match isn't up yet"
        text="The check-in clock starts once both teams have played their earlier group matches. You can play sooner."
      >
        {may.checkIn && (
          <PanelButton intent="check-in" busyLabel="Checking in">
            Check In
          </PanelButton>
        )}
      </Panel>
    );
  }
  if (may.checkIn) {
    return (
      <Panel
        rail="you"
        title={other.checkedIn ? `${other.name} has checked in` : "Check in for your match"}
        text={
          isLate ? (
            <>Time ran out at {until}. Check in before the other team claims the win.</>
          ) : (
            <>You have until {until}. Anyone on your team can do it.</>
          )
        }
      >
        <PanelButton intent="check-in" variant="primary" busyLabel="Checking in">
          Check In
        </PanelButton>
      </Panel>
    );
  }
  if (may.claim) {
    return (
      <Panel
        rail="you"
        title={`${other.name} didn't check in in time`}
        text={<>They had until {until}. You can claim the win, or give them a moment and play.</>}
      >
        <PanelButton intent="claim" busyLabel="Claiming">
          Claim Win
        </PanelButton>
      </Panel>
    );
  }
  if (isPlayer) {
    return (
      <Panel
        rail="warn"
        title={`${own.name} has checked in`}
        text={
          isLate ? (
            <>
              {other.name} had until {until}. Your captain can claim the win.
            </>
          ) : (
            <>
              {other.name} has until {until}.
            </>
          )
        }
      />
    );
  }
  return (
    <Panel
      rail="warn"
      title={isLate ? "Check-in is overdue" : "Teams are checking in"}
      text={isLate ? <>The teams had until {until}.</> : <>They have until {until}.</>}
    />
  );
}
