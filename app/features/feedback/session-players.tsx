import type { ReactNode } from "react";
import { OWN_DECISIONS } from "~/features/moderation/rules";
import { PlayerLine } from "~/features/players/shared/player-line";
import { ButtonLink } from "~/ui/button";
import { Link } from "~/ui/link";
import type { SessionPlayerView } from "./present.server";
import { Stars } from "./shared/stars";

/** The players that the viewer has played with. One player's form is open at a time; the others show their state. */
export function SessionPlayers({
  page,
  players,
  openPlayer,
  form,
}: {
  /** The address of the page itself. */
  page: string;
  players: readonly SessionPlayerView[];
  /** The player whose form is open. */
  openPlayer: string | null;
  form: ReactNode;
}) {
  return (
    <ul aria-label="Your team" className="mt-7 max-w-[760px] border-t-2 border-text">
      {players.map((player) => (
        <PlayerLine
          key={player.userId}
          player={player}
          actions={
            player.userId !== openPlayer &&
            player.step !== "wait" && (
              <ButtonLink
                to={`${page}?player=${player.userId}`}
                size="row"
                preventScrollReset
                aria-describedby={`player-${player.userId}`}
              >
                {player.step === "give" ? "Give Feedback" : "Change"}
              </ButtonLink>
            )
          }
        >
          <span id={`player-${player.userId}`} hidden>
            {player.name}
          </span>
          {player.userId === openPlayer ? (
            <div className="mt-4">{form}</div>
          ) : (
            player.rating !== null && (
              <p className="mt-2 flex flex-wrap items-center gap-x-3 text-meta text-muted">
                <Stars rating={player.rating} size="small" className="text-text" />
                {player.isHidden ? (
                  <span>
                    Moderators have hidden it.{" "}
                    <Link to={OWN_DECISIONS} className="link">
                      Read the decision
                    </Link>
                  </span>
                ) : (
                  player.state
                )}
              </p>
            )
          )}
        </PlayerLine>
      ))}
    </ul>
  );
}
