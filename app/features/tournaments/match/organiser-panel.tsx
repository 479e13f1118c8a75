import { ButtonLink } from "~/ui/button";
import { PanelButton } from "./panel";
import type { MatchView } from "./present-match.server";

/** The organiser's actions in a match. Renders nothing if there are none. */
export function OrganiserPanel({ match, here }: { match: MatchView; here: string }) {
  const { may, phase, mayJoinChat } = match;
  if (!may.decide && !may.reopen && !mayJoinChat) return null;
  return (
    <section aria-labelledby="organise" className="border-t border-edge pt-4">
      <h2 id="organise" className="font-display text-rail">
        You organise this tournament
      </h2>
      <p className="mt-1 text-meta text-muted">
        {may.reopen
          ? "You can undo the result, and with it the matches that depend on it."
          : may.decide
            ? "You can enter the score, or decide against a team. Your decision counts right away."
            : "You can read the match chat and write in it."}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {may.decide && (
          <ButtonLink to={`${here}/decide`} variant={phase === "Disputed" ? "primary" : "secondary"} preventScrollReset>
            Decide
          </ButtonLink>
        )}
        {may.reopen && (
          <ButtonLink to={`${here}/reopen`} preventScrollReset>
            Reopen Match
          </ButtonLink>
        )}
        {mayJoinChat && (
          <PanelButton intent="join-chat" busyLabel="Joining" className="">
            Join Match Chat
          </PanelButton>
        )}
      </div>
    </section>
  );
}
