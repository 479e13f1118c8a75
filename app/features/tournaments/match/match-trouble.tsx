import { Link } from "~/ui/link";
import type { MatchView } from "./present-match.server";

/** A captain's other options, in one paragraph: to dispute the match, or to forfeit it. */
export function MatchTrouble({ match: { may, tournament }, here }: { match: MatchView; here: string }) {
  // A captain who is asked to confirm finds the dispute link beside the confirmation.
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
