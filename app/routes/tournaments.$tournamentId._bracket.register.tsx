import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { saveProfileFacts } from "~/features/players/commands.server";
import { findProfile } from "~/features/players/queries.server";
import { useTournament } from "~/features/tournaments/page/use-tournament";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { findTournament } from "~/features/tournaments/queries.server";
import { checkRank, register } from "~/features/tournaments/registration/actions.server";
import { RegisterForm, RegisterObstacle } from "~/features/tournaments/registration/register-form";
import { registerAloneSchema, registerSchema } from "~/features/tournaments/registration/schema";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { requireViewer } from "~/platform/session/guards.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const FAILED = "Error registering";

export const meta: MetaFunction<typeof loader> = () => privatePage("Register");

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(context, request);
  return { id: uuidv7(context.now.getTime()) };
}

export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const { db } = context;
  const tournamentId = tournamentIdOf(params, context, request);
  const form = await request.formData();
  return answerForm(args, {
    schema: form.has("alone") ? registerAloneSchema : registerSchema,
    form,
    failed: FAILED,
    limit: "registration",
    alongside: async ({ userId }) => {
      const [profile, tournament] = await Promise.all([
        findProfile(db, userId),
        form.has("currentRank") ? findTournament(db, tournamentId, userId) : null,
      ]);
      return { profile, tournament };
    },
    async run({ value: { currentRank, ...value }, viewer, found: { profile, tournament } }) {
      const registration = { name: null, ...value, tournamentId, userId: viewer.id };
      if (!currentRank || !profile || profile.currentRank || !tournament) return register(context, registration);
      const refusal = checkRank(currentRank, tournament);
      if (refusal) return refusal;
      // The two share a round trip, in this order, so the registration sees the rank.
      const [, answer] = await Promise.all([
        saveProfileFacts(context, profile, { currentRank }),
        register(context, registration),
      ]);
      return answer;
    },
  });
}

export const clientAction = offlineAction(FAILED);

export default function RegisterDialog() {
  const { id } = useLoaderData<typeof loader>();
  const { tournament } = useTournament();
  const reply = useReply<FormReply>();
  const closeTo = `/tournaments/${tournament.id}`;
  return (
    <RouteDialog title="Register" closeTo={closeTo}>
      <RegisterObstacle reply={reply} closeTo={closeTo}>
        <RegisterForm reply={reply} id={id} closeTo={closeTo} />
      </RegisterObstacle>
    </RouteDialog>
  );
}
