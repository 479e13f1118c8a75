import { Form, useNavigation } from "@remix-run/react";
import { PeopleSection, PlayerLine, PlayerNote, playerNameId } from "~/features/players/shared/player-line";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/notice";
import type { JoinRequest } from "./queries.server";
import { sayMisfit } from "./rules";

/** The unanswered requests to join a post, for its author to answer, oldest first. */
export function Requests({
  requests,
  wanted,
  toConfirm,
}: {
  requests: JoinRequest[];
  /** The post's requirements. */
  wanted: Parameters<typeof sayMisfit>[1];
  /** The request whose acceptance the author has to confirm (`AcceptReply`). */
  toConfirm: string | undefined;
}) {
  const pressed = useNavigation().formData;
  if (requests.length === 0) return null;
  return (
    <PeopleSection id="requests" title="Requests">
      <ul>
        {requests.map((request) => {
          const misfit = sayMisfit(request, wanted);
          // The team may have changed since the author was asked to confirm.
          const mustConfirm = request.isApart && request.id === toConfirm;
          const running = pressed?.get("request") === request.id ? pressed.get("intent") : null;
          return (
            <PlayerLine
              key={request.id}
              player={request}
              actions={
                <Form method="post" preventScrollReset className="flex flex-none gap-2">
                  <input type="hidden" name="request" value={request.id} />
                  {mustConfirm && <input type="hidden" name="anyway" value="on" />}
                  <Button
                    name="intent"
                    value="accept"
                    size="row"
                    busy={running === "accept"}
                    aria-describedby={playerNameId(request.userId)}
                  >
                    {mustConfirm ? "Accept Anyway" : "Accept"}
                  </Button>
                  <Button
                    name="intent"
                    value="decline"
                    variant="quiet"
                    size="row"
                    busy={running === "decline"}
                    aria-describedby={playerNameId(request.userId)}
                  >
                    Decline
                  </Button>
                </Form>
              }
            >
              {mustConfirm && (
                <Notice title="There's a block between this player and someone in your team." className="mt-3">
                  One has blocked the other, and we don't say who. They can play together, but they won't see each
                  other's messages.
                </Notice>
              )}
              {misfit && <p className="reason mt-2 text-meta">{misfit}</p>}
              {request.note && <PlayerNote userId={request.userId} note={request.note} />}
            </PlayerLine>
          );
        })}
      </ul>
    </PeopleSection>
  );
}
