import { Form, useNavigation } from "@remix-run/react";
import { PlayerLine, PlayerNote, playerNameId } from "~/features/players/shared/player-line";
import { Button, ButtonLink } from "~/ui/button";
import { useTournament } from "../../page/use-tournament";
import type { Seeker } from "./queries.server";

/**
 * The players looking for a team in a tournament. Captains can write to them; players without a team can add
 * themselves.
 */
export function SeekerList({
  seekers,
  viewerId,
  isCaptain,
  canSeek,
}: {
  seekers: Seeker[];
  viewerId: string | null;
  isCaptain: boolean;
  canSeek: boolean;
}) {
  const { tournament } = useTournament();
  const busy = useNavigation().formData?.get("intent") === "stop-seeking";
  const home = `/tournaments/${tournament.id}`;
  const isListed = seekers.some(({ userId }) => userId === viewerId);
  return (
    <section aria-labelledby="seekers" className="mt-10">
      <h2 id="seekers" className="mb-3 font-display text-section">
        Looking for a team
      </h2>
      {seekers.length === 0 ? (
        <p className="text-muted">Nobody is looking for a team right now.</p>
      ) : (
        <ul className="max-w-[760px] border-t-2 border-edge">
          {seekers.map((seeker) => (
            <PlayerLine
              key={seeker.userId}
              player={seeker}
              tag={seeker.userId === viewerId ? "You" : undefined}
              isYou={seeker.userId === viewerId}
              actions={
                viewerId &&
                (seeker.userId === viewerId ? (
                  <Form method="post" action={`${home}/teams`} preventScrollReset className="max-md:-ml-[13px]">
                    <Button name="intent" value="stop-seeking" variant="quiet" size="row" busy={busy}>
                      Take Me Off
                    </Button>
                  </Form>
                ) : (
                  <ButtonLink
                    to={`/players/${seeker.userId}/message`}
                    size="row"
                    aria-describedby={playerNameId(seeker.userId)}
                  >
                    Message
                  </ButtonLink>
                ))
              }
            >
              {seeker.note && <PlayerNote userId={seeker.userId} note={seeker.note} />}
            </PlayerLine>
          ))}
        </ul>
      )}
      <div className="actions mt-4 flex flex-wrap gap-2">
        {canSeek && (
          <ButtonLink to={`${home}/seek`} preventScrollReset>
            {isListed ? "Edit Your Entry" : "Look for a Team"}
          </ButtonLink>
        )}
        {isCaptain && (
          <ButtonLink to={`/dashboard/lfg/new?${new URLSearchParams({ title: tournament.title })}`} variant="quiet">
            Look for Players in LFG
          </ButtonLink>
        )}
      </div>
    </section>
  );
}
