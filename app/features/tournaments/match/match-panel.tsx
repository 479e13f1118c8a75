import { Form, Link, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { LinkedText } from "~/features/messages/shared/linked-text";
import { Button, ButtonLink } from "~/ui/button";
import { COUNTED_DOWN, minutesLeft } from "../play/phase";
import type { MatchView } from "./present-match.server";

const RAILS = {
  warn: "border-warn",
  good: "border-good",
  danger: "border-danger",
  you: "border-spot-edge",
  none: "border-edge",
};

/** A box under a rail: what happens now, and what the viewer can do about it. */
function Panel({
  rail,
  title,
  text,
  aside,
  children,
}: {
  rail: keyof typeof RAILS;
  title: string;
  text: ReactNode;
  aside?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section
      aria-label="What happens now"
      className={`rounded-b-panel border-t-4 bg-sheet px-4 pt-4 pb-5 ${RAILS[rail]}`}
    >
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0 wrap-anywhere">
          <h2 className="font-semibold">{title}</h2>
          <p className="mt-1 text-meta text-muted">{text}</p>
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** What happens in a match now, and the one step that is the viewer's. Nothing where nothing is to happen. */
export function MatchPanel({ match, here }: { match: MatchView; here: string }) {
  switch (match.phase) {
    case "Waiting for teams":
      return (
        <Panel
          rail="none"
          title="A team is missing yet"
          text="The match can begin when both are known. Its players hear of it the moment that happens."
        />
      );
    case "Check-in":
      return <CheckIn match={match} />;
    case "Playing now":
      return <Playing match={match} />;
    case "Waiting for confirmation":
      return <Confirmation match={match} here={here} />;
    case "Disputed":
      return <Dispute match={match} />;
    default:
      return null;
  }
}

function CheckIn({ match }: { match: MatchView }) {
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
        title="It is not the turn of this match yet"
        text="The time to check in begins when both teams have played their earlier matches of the group. They may play it sooner."
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
        title={other.checkedIn ? `${other.name} is there` : "Check in for your match"}
        text={
          isLate ? (
            <>The time was over at {until}. Check in before the other team claims the win.</>
          ) : (
            <>You have until {until}. Anybody of your team can do it.</>
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
        title={`${own.name} is checked in`}
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
      title="The teams check in"
      text={isLate ? <>They had until {until}.</> : <>They have until {until}.</>}
    />
  );
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
      title="Both teams are there: play"
      text={
        <>
          {may.report
            ? "Report the score when it is over; the other captain confirms it."
            : "Your captain reports the score when it is over."}{" "}
          {isLate ? <>There should have been a result by {until}.</> : <>There should be a result by {until}.</>}
        </>
      }
    />
  );
}

function Confirmation({ match, here }: { match: MatchView; here: string }) {
  const { report, may, tournament } = match;
  const left = useMinutesLeft(report?.confirmBy ?? 0, report?.left ?? 0);
  if (!report) return null;
  const isSoon = report.minutes <= COUNTED_DOWN;
  const aside = (
    <p className="flex-none text-right text-meta text-muted">
      {isSoon ? (
        <>
          <span className="block font-display text-[1.5rem] leading-7 text-text tabular-nums">{left} min</span>
          left of {report.minutes}
        </>
      ) : (
        <>
          until{" "}
          {report.until && (
            <time dateTime={report.until.iso} title={report.until.exact}>
              {report.until.text}
            </time>
          )}
        </>
      )}
    </p>
  );
  const told = report.captain && report.at && (
    <>
      {report.captain} was told at{" "}
      <time dateTime={report.at.iso} title={report.at.exact}>
        {report.at.text}
      </time>
      .{" "}
    </>
  );
  return (
    <Panel
      rail="warn"
      title={may.confirm ? "Is this how it ended?" : `${report.other} has to confirm`}
      text={
        may.confirm ? (
          `${report.by} reported this score. If you don't answer, it counts.`
        ) : (
          <>
            {told}If nobody answers, {report.isOwn ? "your" : "the"} report counts.
          </>
        )
      }
      aside={aside}
    >
      {isSoon && (
        <div aria-hidden="true" className="match-minutes">
          {Array.from({ length: report.minutes }, (_, minute) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a minute is its place
            <i key={minute} data-left={minute < left || undefined} />
          ))}
        </div>
      )}
      {may.confirm && (
        <div className="mt-4 flex flex-wrap gap-2">
          <PanelButton
            intent="confirm"
            expects={report.reportedAt}
            variant="primary"
            busyLabel="Confirming"
            className=""
          >
            Confirm
          </PanelButton>
          <ButtonLink to={`${here}/dispute`} preventScrollReset>
            Dispute
          </ButtonLink>
          <p className="w-full text-meta text-muted">
            With a dispute {tournament.host ?? "an organiser"} decides. You can say what happened.
          </p>
        </div>
      )}
    </Panel>
  );
}

function Dispute({ match: { dispute, tournament } }: { match: MatchView }) {
  if (!dispute) return null;
  return (
    <Panel
      rail="danger"
      title={`${dispute.by ?? "A team"} disputes this match`}
      text={`${tournament.host ?? "An organiser"} decides how it ends. Both teams are told.`}
    >
      {dispute.evidence && <Evidence text={dispute.evidence} />}
    </Panel>
  );
}

/** What a team has said with its dispute. */
export const Evidence = ({ text }: { text: string }) => (
  <blockquote dir="auto" className="mt-3 border-l-2 border-edge pl-3.5 wrap-anywhere whitespace-pre-line">
    <LinkedText text={text} />
  </blockquote>
);

/** A button without fields to fill in. @param expects what it agrees with, as the page has shown it */
export function PanelButton({
  intent,
  expects,
  variant = "secondary",
  busyLabel,
  className = "mt-4",
  children,
}: {
  intent: string;
  expects?: number;
  variant?: "primary" | "secondary";
  busyLabel: string;
  className?: string;
  children: ReactNode;
}) {
  const busy = useNavigation().formData?.get("intent") === intent;
  return (
    <Form method="post" preventScrollReset className={className}>
      {expects !== undefined && <input type="hidden" name="expects" value={expects} />}
      <Button name="intent" value={intent} variant={variant} busy={busy} busyLabel={busyLabel}>
        {children}
      </Button>
    </Form>
  );
}

/** The minutes until a moment, counting down with script. @param atFirst as the server has counted them */
function useMinutesLeft(until: number, atFirst: number): number {
  const [left, setLeft] = useState(atFirst);
  useEffect(() => {
    const count = () => setLeft(minutesLeft(until, Date.now()));
    count();
    const timer = setInterval(count, 5_000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

/** What else a captain can do, in one sentence. */
export function MatchTrouble({ match: { may, tournament }, here }: { match: MatchView; here: string }) {
  // Whoever is asked to confirm finds it beside that.
  const mayDispute = may.dispute && !may.confirm;
  if (!mayDispute && !may.forfeit) return null;
  return (
    <p className="min-w-0 flex-1 basis-72 text-meta wrap-anywhere text-muted">
      {mayDispute && (
        <>
          Something wrong?{" "}
          <Link to={`${here}/dispute`} preventScrollReset className="link touch:inline-block touch:py-3">
            Dispute this match
          </Link>{" "}
          and {tournament.host ? `${tournament.host}, the organiser,` : "an organiser"} decides.{" "}
        </>
      )}
      {may.forfeit && (
        <>
          Can't play?{" "}
          <Link to={`${here}/forfeit`} preventScrollReset className="link touch:inline-block touch:py-3">
            Forfeit
          </Link>
        </>
      )}
    </p>
  );
}
