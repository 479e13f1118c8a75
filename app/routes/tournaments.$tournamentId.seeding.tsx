import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useTournament } from "~/features/tournaments/page/use-tournament";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { loadPlay } from "~/features/tournaments/play/load.server";
import { refusalOf } from "~/features/tournaments/play/refusals";
import type { PlayState } from "~/features/tournaments/play/state";
import { chooseSeeding, moveTeam, saveOrder } from "~/features/tournaments/seeding/commands.server";
import { presentSeeding } from "~/features/tournaments/seeding/present.server";
import { readSeedingForm, type SeedingChange } from "~/features/tournaments/seeding/schema";
import { SeedingForm } from "~/features/tournaments/seeding/seeding-form";
import { TeamOrder } from "~/features/tournaments/seeding/team-order";
import { tellTournament } from "~/features/tournaments/shared/tell-tournament.server";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import type { FormFailure } from "~/platform/forms/forms.server";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/guards.server";
import { ButtonLink } from "~/ui/button";
import { reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { useReply } from "~/ui/forms/use-reply";
import { Notice } from "~/ui/notice";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

const CHANGED = "Someone else has just changed the seeding. Check it, then try again.";

export const meta: MetaFunction = () => privatePage("Seeding");

export const shouldRevalidate = reloadIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const [viewer, state] = await Promise.all([requireViewer(context, request), loadPlay(context.db, id)]);
  if (!state?.organisers.includes(viewer.id)) notFound(context, request);
  return { ...presentSeeding(state), isOpen: state.state === "open" };
}

export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = tournamentIdOf(params, context, request);
  const form = readSeedingForm(await request.formData());
  return answerButton(args, {
    limit: "seeding",
    async alongside({ userId }) {
      const state = await loadPlay(context.db, id);
      return state?.organisers.includes(userId) ? state : null;
    },
    async run({ viewer, found: state }) {
      if (!form) return { status: 400, error: "This form is out of date. Open it again." };
      const saved = await save(form, state, viewer.id, context);
      if (saved === "withdrawn") return { status: 409, error: "This team has withdrawn." };
      if (saved === "changed") return { status: 409, error: CHANGED };
      if (!saved) return refusalOf("not-open") as FormFailure;
      tellTournament(context, id);
      const row = "team" in form ? `#team-${form.team}` : "";
      const title = form.intent === "seeding" ? "Seeding saved" : "Order saved";
      return { to: `/tournaments/${id}/seeding${row}`, title };
    },
  });
}

/** Saves the seeding. @returns as `chooseSeeding`, `saveOrder` or `moveTeam` */
async function save(form: SeedingChange, state: PlayState, userId: string, { db, now }: AppLoadContext) {
  const id = state.tournamentId;
  if (form.intent === "seeding") return chooseSeeding(db, id, userId, form.seeding, now);
  if (form.intent === "order") return saveOrder(db, id, userId, form.order, now);
  return moveTeam(db, state, userId, { team: form.team, way: form.intent }, now);
}

/** The seeding page: for organisers, before the start. */
export default function SeedingPage() {
  const { seeding, teams, isOpen } = useLoaderData<typeof loader>();
  const { tournament } = useTournament();
  useReplyToast(useReply<ToastReply>());
  if (!isOpen) {
    return (
      <Notice title="The seeding can't change any more." className="mt-3 max-w-[568px]">
        The tournament has started or is over.
      </Notice>
    );
  }
  return (
    <>
      <h2 className="pt-3 pb-4 font-display text-section">Seeding and start</h2>
      <SeedingForm key={seeding} seeding={seeding} />
      <section aria-labelledby="seeded-teams" className="mt-9">
        <h3 id="seeded-teams" className="font-display text-rail">
          {tournament.teamSize === 1 ? "Players" : "Teams"}
        </h3>
        <TeamOrder key={seeding} teams={teams} isByHand={seeding === "manual"} />
      </section>
      <section aria-labelledby="start" className="mt-9 max-w-[568px]">
        <h3 id="start" className="font-display text-rail">
          Start
        </h3>
        <p className="mt-2 mb-4 text-muted">
          {tournament.phase === "registration"
            ? `Teams can register until ${tournament.deadline.text}. You can start after that.`
            : "You'll see who plays before anything is drawn."}
        </p>
        {tournament.phase === "closed" && (
          <ButtonLink to={`/tournaments/${tournament.id}/start`} variant="primary" preventScrollReset>
            Start Tournament
          </ButtonLink>
        )}
      </section>
    </>
  );
}
