import type { ReactNode } from "react";
import { RANKS } from "~/game/ranks";
import type { FormReply } from "~/platform/forms/forms";
import { Button, ButtonLink } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import { GlyphSelect } from "~/ui/forms/glyph-select";
import { NextStep } from "~/ui/forms/next-step";
import { useServerForm } from "~/ui/forms/use-server-form";
import { RankGlyph } from "~/ui/icons";
import { useTournament } from "../page/use-tournament";
import { alreadyIn, NOT_OPEN, type Refused, refuseObstacle } from "./refusals";
import { MAX_TEAM_NAME_LENGTH, type Obstacle, obstacleOf, sayLimits } from "./rules";

/** The form for registering a team as its captain, or a player for a solo tournament. */
export function RegisterForm({ reply, id, closeTo }: { reply: FormReply | undefined; id: string; closeTo: string }) {
  const { tournament, terms } = useTournament();
  const { teamSize, entered, places, feeCents } = tournament;
  const alone = teamSize === 1;
  const needsRank = useObstacle() === "no-rank";
  const { formProps, props, summary, busy } = useServerForm<{ id: string; name: string; currentRank: string }>({
    id: "register",
    reply,
    defaultValue: { id },
    labels: { name: "Team Name", currentRank: "Your Rank" },
  });
  return (
    <DialogForm {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={[...summary.formErrors, ...(reply?.result.error?.id ?? [])]} />
      <NextStep next={reply?.next} />
      <input type="hidden" name="id" value={props("id").defaultValue} />
      <input type="hidden" name="terms" value={terms?.value} />
      {/* On a phone, the dialog covers the page that shows them. */}
      <p className="text-muted">{terms?.words}</p>
      {entered >= places && (
        <p>All {places} spots are taken. You'll join the waiting list and move up when one opens.</p>
      )}
      {alone ? (
        <>
          <input type="hidden" name="alone" value="yes" />
          <p className="text-muted">You play solo, under your own name.</p>
        </>
      ) : (
        <TextField
          {...props("name")}
          limit={MAX_TEAM_NAME_LENGTH}
          required
          autoComplete="off"
          hint={`You're its captain and first player. ${
            teamSize === 2 ? "The other one joins with your link" : `The other ${teamSize - 1} join with your link`
          }, or you invite players you know.`}
        />
      )}
      {needsRank && (
        <GlyphSelect
          {...props("currentRank")}
          optional={false}
          required
          options={RANKS}
          glyph={(rank) => <RankGlyph rank={rank} className="size-5 noscript:hidden" />}
          hint={`For ${sayLimits(tournament)}. Your profile shows it as self-reported.`}
        />
      )}
      {feeCents > 0 && (
        <p className="text-meta text-muted">Lineup doesn't handle payments. Organisers collect fees and pay prizes.</p>
      )}
      <DialogFooter closeTo={closeTo}>
        <Button variant="primary" busy={busy} busyLabel="Registering" className="max-md:flex-1">
          Register
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}

/**
 * Replaces the form with the reason why the viewer can't register, and a link to where they can change that. After a
 * submission, the form is kept.
 */
export function RegisterObstacle({
  reply,
  closeTo,
  children,
}: {
  reply: FormReply | undefined;
  closeTo: string;
  children: ReactNode;
}) {
  const refusal = useRefusal();
  if (reply || !refusal) return children;
  return (
    <>
      <p className="wrap-anywhere">{refusal.error}</p>
      <div className="mt-5">
        <DialogFooter closeTo={closeTo} cancelLabel="Close">
          {refusal.next && (
            <ButtonLink to={refusal.next.to} variant="primary">
              {refusal.next.label}
            </ButtonLink>
          )}
        </DialogFooter>
      </div>
    </>
  );
}

function useRefusal(): Refused | null {
  const { tournament, team, rank } = useTournament();
  const obstacle = useObstacle();
  if (team) return alreadyIn(team.name, `/tournaments/${tournament.id}/teams/${team.id}`);
  if (tournament.phase === "closed") return { status: 409, error: "Registration is closed: the deadline has passed." };
  if (tournament.phase !== "registration") return NOT_OPEN;
  // The form itself asks for a missing rank.
  if (!obstacle || obstacle === "no-rank") return null;
  return refuseObstacle({ obstacle, rank, limits: tournament });
}

/** Returns the obstacle in the viewer's account that keeps them from the tournament; null if there is none. */
function useObstacle(): Obstacle | null {
  const { tournament, viewer, rank } = useTournament();
  return obstacleOf({ isVerified: viewer?.isVerified ?? false, rank }, tournament);
}
