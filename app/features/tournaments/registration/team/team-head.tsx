import { Form, useNavigation } from "@remix-run/react";
import { Button, ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { ShareButton } from "~/ui/share-button";
import { sayPlace } from "../../shared/places";
import { sayMissing } from "../rules";
import { Banners } from "../your-team";
import { HiddenReason } from "./hidden-reason";
import { isRosterOpen, type TeamPage } from "./page";

/** The head of a team's page: its banners, name and standing, and the viewer's actions on the whole team. */
export function TeamHead({ page }: { page: TeamPage }) {
  const {
    team,
    tournament,
    members,
    viewer,
    isCaptain,
    isInvited,
    isOrganiser,
    inviteLink,
    closed,
    disqualified,
    canDisqualify,
    hasLaterMatch,
  } = page;
  const pressed = useNavigation().formData?.get("intent");
  const starters = members
    .filter(({ isSubstitute }) => !isSubstitute)
    .map(({ userId, name, picture }) => ({ name, picture, isYou: userId === viewer?.id }));
  const isOpen = isRosterOpen(tournament);
  const isMember = members.some(({ userId }) => userId === viewer?.id);
  const home = `/tournaments/${tournament.id}`;
  return (
    <>
      <div className="mt-4 inline-block border-t-2 border-text">
        <Banners size={tournament.teamSize} players={starters} />
      </div>
      <h1 dir="auto" className="mt-3 text-title-phone font-[650] tracking-[-0.005em] wrap-anywhere md:text-title">
        {team.name}
      </h1>
      <p className="mt-1 text-meta text-muted">{standing(page, tournament.teamSize - starters.length)}</p>
      {disqualified && (
        <Notice variant="danger" title="This team is disqualified." className="mt-5 max-w-[760px]">
          {disqualified.reason && (
            <p dir="auto" className="wrap-anywhere whitespace-pre-line">
              {disqualified.reason}
            </p>
          )}
          {disqualified.isHidden && <HiddenReason />}
          {hasLaterMatch && (
            <p className="mt-2">A later match was played. Reopen that one first to undo the disqualification.</p>
          )}
        </Notice>
      )}
      {isInvited && isOpen && (
        <Notice title="You're invited to play with this team." className="mt-5 max-w-[760px]">
          <p>{closed ?? "The captain invited you. Joining cancels your other invitations to this tournament."}</p>
          <Form method="post" preventScrollReset className="mt-3 flex gap-2">
            {closed === null && (
              <Button name="intent" value="accept" variant="primary" size="row" busy={pressed === "accept"}>
                Join Team
              </Button>
            )}
            <Button name="intent" value="decline" variant="quiet" size="row" busy={pressed === "decline"}>
              Decline
            </Button>
          </Form>
        </Notice>
      )}
      <div className="actions mt-4 flex flex-wrap gap-2 empty:hidden">
        {inviteLink && closed === null && (
          <ShareButton
            link={inviteLink}
            title={tournament.title}
            text={`Play with ${team.name} in ${tournament.title}`}
            // Below, in `Invitations`.
            field="invite-link"
            variant="primary"
            className="max-md:w-full"
          >
            Share Invite
          </ShareButton>
        )}
        {isMember && !isCaptain && isOpen && (
          <Form method="post" preventScrollReset>
            <Button name="intent" value="leave" busy={pressed === "leave"}>
              Leave Team
            </Button>
          </Form>
        )}
        {canDisqualify && (
          <ButtonLink
            to={`${home}/teams/${team.id}/disqualify`}
            variant={disqualified ? "secondary" : "danger"}
            preventScrollReset
          >
            {disqualified ? "Undo Disqualification" : "Disqualify"}
          </ButtonLink>
        )}
        {isOrganiser && tournament.state === "open" && !isMember && (
          <Form method="post" preventScrollReset>
            <Button name="intent" value="remove-team" variant="danger" busy={pressed === "remove-team"}>
              Remove Team
            </Button>
          </Form>
        )}
        {!isCaptain && !tournament.isHidden && (
          <ButtonLink to={`${home}/teams/${team.id}/report`} variant="quiet" preventScrollReset>
            Report
          </ButtonLink>
        )}
      </div>
    </>
  );
}

function standing({ team, tournament }: TeamPage, missing: number): string {
  const parts: string[] = [];
  if (team.state === "waiting") parts.push(tournament.state === "open" ? "On the waiting list" : "No spot opened up");
  else if (team.state === "absent") parts.push("Absent at the start");
  else parts.push(team.seed === null ? "Registered" : `Seed ${team.seed}`);
  if (team.place !== null && tournament.state === "finished")
    parts.push(`${sayPlace(team.place, team.lastPlace)} place`);
  if (tournament.state === "open" && missing > 0) parts.push(sayMissing(missing));
  if (tournament.state === "open" && team.isCheckedIn) parts.push("checked in");
  return `${parts.join(", ")}.`;
}
