import { Form, useNavigation } from "@remix-run/react";
import { PlayerLine, PlayerNote, playerNameId } from "~/features/players/shared/player-line";
import type { PageLinks } from "~/platform/lists/keyset";
import { Button, ButtonLink } from "~/ui/button";
import { Pages } from "~/ui/pagination";
import { useTournament } from "../../page/use-tournament";
import type { Seeker } from "./queries.server";

/**
 * A page of the players looking for a team in a tournament. Any signed-in player can message them; players without a
 * team can add themselves. The buttons for the viewer's own entry are below the list, because the entry may be on
 * another page.
 */
export function SeekerList({
  seekers,
  pages,
  isFirstPage,
  isListed,
  viewerId,
  isCaptain,
  canSeek,
}: {
  seekers: Seeker[];
  pages: PageLinks;
  isFirstPage: boolean;
  /** Whether the viewer has an entry, on this page or another. */
  isListed: boolean;
  viewerId: string | null;
  isCaptain: boolean;
  canSeek: boolean;
}) {
  const { tournament } = useTournament();
  const busy = useNavigation().formData?.get("intent") === "stop-seeking";
  const home = `/tournaments/${tournament.id}`;
  return (
    <section aria-labelledby="seekers" className="mt-10">
      <h2 id="seekers" className="mb-3 font-display text-section">
        Looking for a team
      </h2>
      {seekers.length === 0 ? (
        <p className="text-muted">
          {isFirstPage ? "Nobody is looking for a team right now." : "That's everyone who's looking for a team."}
        </p>
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
                seeker.userId !== viewerId && (
                  <ButtonLink
                    to={`/players/${seeker.userId}/message`}
                    size="row"
                    aria-describedby={playerNameId(seeker.userId)}
                  >
                    Message
                  </ButtonLink>
                )
              }
            >
              {seeker.note && <PlayerNote userId={seeker.userId} note={seeker.note} />}
            </PlayerLine>
          ))}
        </ul>
      )}
      <Pages {...pages} by="time" className="max-w-[760px] pt-4" />
      <div className="actions mt-4 flex flex-wrap gap-2">
        {canSeek && (
          <ButtonLink to={`${home}/seek`} preventScrollReset>
            {isListed ? "Edit Your Entry" : "Look for a Team"}
          </ButtonLink>
        )}
        {isListed && (
          <Form method="post" action={`${home}/teams`} preventScrollReset className="contents">
            <Button name="intent" value="stop-seeking" variant="quiet" busy={busy}>
              Take Me Off
            </Button>
          </Form>
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
