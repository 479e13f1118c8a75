import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { validate as isUuid } from "uuid";
import { uuidv7 } from "#db/ids";
import { refuseLimited } from "~/features/moderation/shared/limits.server";
import { createTournament } from "~/features/tournaments/hosting/commands.server";
import { copyValues, newFormValues } from "~/features/tournaments/hosting/form-values.server";
import { HostForm } from "~/features/tournaments/hosting/host-form";
import { listingGaps, listOpenHosted, presentFull, tooManyOpen } from "~/features/tournaments/hosting/listing.server";
import { OpenNotice } from "~/features/tournaments/hosting/open-notice";
import { newTournamentSchema } from "~/features/tournaments/hosting/schema";
import { findTournament } from "~/features/tournaments/queries.server";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const LIST = "/dashboard/tournaments";
/** The wording of the specification, section 8. */
const FAILED = "Failed to create tournament. Please try again.";

export const meta: MetaFunction = () => privatePage("Host Tournament");

/** Loads the form; `?copy=` names a tournament whose values fill it in. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now } = context;
  const userId = await requireClaimedUserId(context, request);
  const copied = new URL(request.url).searchParams.get("copy") ?? "";
  const [viewer, open, old, { fieldZone }] = await Promise.all([
    requireViewer(context, request),
    listOpenHosted(context, userId),
    isUuid(copied) ? findTournament(db, copied.toLowerCase(), userId) : undefined,
    context.clock(),
  ]);
  const id = uuidv7(now.getTime());
  return {
    values: old ? copyValues(old, id, fieldZone) : newFormValues(id, fieldZone),
    copied: old?.title ?? null,
    gaps: listingGaps(context, viewer),
    full: presentFull(context, viewer, open),
  };
}

export const action = (args: ActionFunctionArgs) =>
  answerForm(args, {
    schema: newTournamentSchema(args.context.now),
    failed: "Error",
    unexplained: FAILED,
    limit: "tournament",
    async run({ value, viewer }) {
      const { context } = args;
      const outcome = await createTournament(context, value, viewer.id);
      if (typeof outcome === "object") return refuseLimited(context, outcome);
      if (outcome === "full") return { status: 409, error: tooManyOpen(context, viewer) };
      if (outcome === "different") {
        return {
          status: 409,
          error:
            "This form has already created a tournament, with other details. To host another, press Create Tournament again.",
          renewed: { id: uuidv7(context.now.getTime()) },
          next: { to: `/tournaments/${value.id}`, label: "See that tournament", inNewTab: true },
        };
      }
      if (outcome === "used") {
        return { status: 409, error: "This form was already used. Open it again to host another tournament." };
      }
      return {
        to: LIST,
        title: "Tournament created!",
        description: "Your tournament has been posted successfully.",
      };
    },
  });

export const clientAction = offlineAction("Error", FAILED);

export default function HostTournament() {
  const { values, copied, gaps, full } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title="Host Tournament" closeTo={LIST}>
      <HostForm reply={reply} values={values} scope="everything" submit="Create Tournament" closeTo={LIST}>
        <OpenNotice gaps={gaps} full={full} refusals={reply?.result.error?.[""]} />
        {copied && <p className="wrap-anywhere text-muted">Copied from “{copied}”. Just add the dates.</p>}
      </HostForm>
    </RouteDialog>
  );
}
