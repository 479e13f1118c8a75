import { Form, useNavigation } from "@remix-run/react";
import { PeopleSection, PlayerLine } from "~/features/players/shared/player-line";
import { Button } from "~/ui/button";
import type { JoinRequest } from "./queries.server";

/** The unanswered requests to join a post, for its author to answer, oldest first. */
export function Requests({ requests }: { requests: JoinRequest[] }) {
  const pressed = useNavigation().formData;
  if (requests.length === 0) return null;
  return (
    <PeopleSection id="requests" title="Requests">
      <ul>
        {requests.map((request) => {
          const running = pressed?.get("request") === request.id ? pressed.get("intent") : null;
          return (
            <PlayerLine
              key={request.id}
              player={request}
              actions={
                <Form method="post" preventScrollReset className="flex flex-none gap-2">
                  <input type="hidden" name="request" value={request.id} />
                  <Button
                    name="intent"
                    value="accept"
                    size="row"
                    busy={running === "accept"}
                    aria-describedby={`request-${request.id}`}
                  >
                    Accept
                  </Button>
                  <Button
                    name="intent"
                    value="decline"
                    variant="quiet"
                    size="row"
                    busy={running === "decline"}
                    aria-describedby={`request-${request.id}`}
                  >
                    Decline
                  </Button>
                </Form>
              }
            >
              <span id={`request-${request.id}`} hidden>
                {request.name}
              </span>
              {request.note && (
                <p dir="auto" className="mt-1.5 wrap-anywhere">
                  {request.note}
                </p>
              )}
            </PlayerLine>
          );
        })}
      </ul>
    </PeopleSection>
  );
}
