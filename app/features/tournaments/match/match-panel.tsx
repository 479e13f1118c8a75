import { CheckIn } from "./check-in-panel";
import { Confirmation } from "./confirmation-panel";
import { Evidence, HiddenEvidence, type LeavingLinks } from "./evidence";
import { Panel } from "./panel";
import type { MatchView } from "./present-match.server";

/**
 * A match's current stage, and the viewer's next step. Renders nothing once the match is over or cancelled, nor for
 * onlookers while it is being played.
 */
export function MatchPanel({ match, here, leaving }: { match: MatchView; here: string; leaving: LeavingLinks }) {
  switch (match.phase) {
    case "Waiting for teams":
      return (
        <Panel
          rail="none"
          title="The teams aren't both known yet"
          text="The match can start once they are. We'll let the players know."
        />
      );
    case "Check-in":
      return <CheckIn match={match} />;
    case "Playing now":
      return <Playing match={match} />;
    case "Waiting for confirmation":
      return <Confirmation match={match} here={here} />;
    case "Disputed":
      return <Dispute match={match} leaving={leaving} />;
    default:
      return null;
  }
}

function Playing({ match: { may, isPlayer, deadline, isLate } }: { match: MatchView }) {
  if (!isPlayer) return null;
  const until = deadline && (
    <time dateTime={deadline.iso} title={deadline.exact}>
      {deadline.text}
    </time>
  );
  return (
    <Panel
      rail="good"
      title="Both teams are here. Play!"
      text={
        <>
          {may.report
            ? "Report the score when it's over. The other captain confirms it."
            : "Your captain reports the score when it's over."}{" "}
          {isLate ? <>The result was due by {until}.</> : <>The result is due by {until}.</>}
        </>
      }
    />
  );
}

function Dispute({ match: { dispute, tournament }, leaving }: { match: MatchView; leaving: LeavingLinks }) {
  if (!dispute) return null;
  return (
    <Panel
      rail="danger"
      title={`${dispute.by ?? "A team"} disputes this match`}
      text={`${tournament.host ?? "An organiser"} decides how it ends. We'll tell both teams.`}
    >
      {dispute.evidence && <Evidence text={dispute.evidence} report={dispute.report} leaving={leaving} />}
      {dispute.isHidden && <HiddenEvidence />}
    </Panel>
  );
}
