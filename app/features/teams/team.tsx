import { Form, useNavigation } from "@remix-run/react";
import { PeopleSection, PlayerLine } from "~/features/players/shared/player-line";
import { Button, ButtonLink } from "~/ui/button";
import type { TeamMember } from "./queries.server";

/** The team of a post, shown only to its players: how they find each other in the game and on Discord. */
export function Team({
  viewerId,
  members,
  conversationId,
}: {
  viewerId: string;
  /** The author first. */
  members: TeamMember[];
  conversationId: string | null;
}) {
  const pressed = useNavigation().formData;
  const [author] = members;
  if (!author) return null;
  const isAuthor = author.userId === viewerId;
  return (
    <PeopleSection id="team" title="Your team">
      <ul>
        {members.map((member) => (
          <PlayerLine
            key={member.userId}
            player={member}
            tag={member.userId === viewerId ? "You" : undefined}
            actions={
              isAuthor &&
              member.requestId && (
                <Form method="post" preventScrollReset className="flex-none">
                  <input type="hidden" name="request" value={member.requestId} />
                  <Button
                    name="intent"
                    value="remove"
                    variant="quiet"
                    size="row"
                    busy={pressed?.get("request") === member.requestId}
                    aria-describedby={`member-${member.requestId}`}
                  >
                    Remove
                  </Button>
                  <span id={`member-${member.requestId}`} hidden>
                    {member.name}
                  </span>
                </Form>
              )
            }
          >
            <dl className="mt-2 flex flex-wrap gap-x-7 gap-y-1 text-meta">
              <Handle name="Riot ID" value={member.riotId} />
              <Handle name="Discord" value={member.discordTag} />
            </dl>
          </PlayerLine>
        ))}
      </ul>
      <div className="actions flex flex-wrap items-center gap-2 border-t border-line pt-5">
        {conversationId && <ButtonLink to={`/dashboard/messages/${conversationId}`}>Team Chat</ButtonLink>}
        {!isAuthor && (
          <Form method="post" preventScrollReset>
            <Button name="intent" value="leave" variant="quiet" busy={pressed?.get("intent") === "leave"}>
              Leave Team
            </Button>
          </Form>
        )}
      </div>
    </PeopleSection>
  );
}

/** A player's name in the game or on Discord. */
function Handle({ name, value }: { name: string; value: string | null }) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-2">
      <dt className="text-muted">{name}</dt>
      <dd dir="auto" className={`wrap-anywhere ${value ? "font-semibold" : "text-faint"}`}>
        {value ?? "not added"}
      </dd>
    </div>
  );
}
