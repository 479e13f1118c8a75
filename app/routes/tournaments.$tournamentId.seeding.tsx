import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { refusalOf } from "~/features/tournaments/play/refusals";
import { loadPlay } from "~/features/tournaments/play/store.server";
import { chooseSeeding, saveOrder } from "~/features/tournaments/seeding/commands.server";
import { presentSeeding } from "~/features/tournaments/seeding/present.server";
import { moved } from "~/features/tournaments/seeding/rules";
import { readSeedingForm } from "~/features/tournaments/seeding/schema";
import { SeedingForm } from "~/features/tournaments/seeding/seeding-form";
import { TeamOrder } from "~/features/tournaments/seeding/team-order";
import { useTournament } from "~/features/tournaments/use-tournament";
import type { ToastReply } from "~/platform/forms";
import { type FormFailure, refuseAction } from "~/platform/forms.server";
import { notFound } from "~/platform/not-found.server";
import { privatePage } from "~/platform/page-meta";
import { countUse, tooManyTries } from "~/platform/rate-limit.server";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { redirectWithToast } from "~/platform/toast.server";
import { ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { useReplyToast } from "~/ui/use-toasts";

export const meta: MetaFunction = () => privatePage("Seeding");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const [viewer, state] = await Promise.all([requireViewer(context, request), loadPlay(context.db, id)]);
  if (!state?.organisers.includes(viewer.id)) notFound(context, request);
  return { ...presentSeeding(state), isOpen: state.state === "open" };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const { db, now } = context;
  const form = readSeedingForm(await request.formData());
  const userId = await claimedUserId(context, request);
  const [viewer, limit, state] = await Promise.all([
    requireViewer(context, request),
    countUse(context, "seeding", userId),
    loadPlay(db, id),
  ]);
  if (!limit.allowed) return refuseAction(context, "Error", tooManyTries(limit.retryAfter));
  if (!state?.organisers.includes(viewer.id)) notFound(context, request);
  if (!form) return refuseAction(context, "Error", { status: 400, error: "This form is out of date. Open it again." });
  const here = `/tournaments/${id}/seeding`;
  const begun = () => refuseAction(context, "Error", refusalOf("not-open") as FormFailure);
  switch (form.intent) {
    case "seeding":
      return (await chooseSeeding(db, id, viewer.id, form.seeding, now))
        ? redirectWithToast(context, here, { kind: "success", title: "Seeding saved" })
        : begun();
    case "order":
      return (await saveOrder(db, id, viewer.id, form.order, now))
        ? redirectWithToast(context, here, { kind: "success", title: "Order saved" })
        : begun();
    case "up":
    case "down": {
      const { teams } = presentSeeding(state);
      const from = teams.findIndex((team) => team.id === form.team);
      if (from < 0) return refuseAction(context, "Error", { status: 409, error: "This team has withdrawn." });
      const to = form.intent === "up" ? from - 1 : from + 1;
      const order = moved(teams, from, to).map((team) => team.id);
      return (await saveOrder(db, id, viewer.id, order, now))
        ? redirectWithToast(context, `${here}#team-${form.team}`, { kind: "success", title: "Order saved" })
        : begun();
    }
    default:
      return form satisfies never;
  }
}

/** Who meets whom: for organisers, before the start. */
export default function SeedingPage() {
  const { seeding, teams, isOpen } = useLoaderData<typeof loader>();
  const { tournament } = useTournament();
  useReplyToast(useActionData<ToastReply>());
  if (!isOpen) {
    return (
      <Notice title="The seeding is as it is." className="mt-3 max-w-[568px]">
        The tournament has begun or is over.
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
        <TeamOrder teams={teams} isByHand={seeding === "manual"} />
      </section>
      <section aria-labelledby="start" className="mt-9 max-w-[568px]">
        <h3 id="start" className="font-display text-rail">
          Start
        </h3>
        <p className="mt-2 mb-4 text-muted">
          {tournament.phase === "registration"
            ? `Teams can register until ${tournament.deadline.text}. You can start after that.`
            : "You see who plays before anything is drawn."}
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
