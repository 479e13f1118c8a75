import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import * as z from "zod";
import { refuseLimited } from "~/features/moderation/shared/limits.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { EDITABLE } from "~/features/tournaments/hosting/edit";
import { editVersion, isStored, saveEdit } from "~/features/tournaments/hosting/edit.server";
import { formValues } from "~/features/tournaments/hosting/form-values.server";
import { HostForm } from "~/features/tournaments/hosting/host-form";
import { schemaOf } from "~/features/tournaments/hosting/schema";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { findTournament, type TournamentRow } from "~/features/tournaments/queries.server";
import { type EditScope, editScope } from "~/features/tournaments/rules";
import { tellTournament } from "~/features/tournaments/shared/tell-tournament.server";
import { type Answer, answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { type FormFailure, refuseForm } from "~/platform/forms/forms.server";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { OUTDATED, reloadDialogIfOutdated } from "~/ui/dialogs/dialogs";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const FAILED = "Error saving tournament";
const OVER = "This tournament is over, so it can't be changed.";
const CHANGED =
  "Something has changed: a team registered or withdrew, or the tournament started. Check it, then save again.";
const EDITED =
  "This tournament has been edited since you opened this form. Your entries are still here: save again to replace what's saved.";

const BOTH =
  "This tournament has been edited since you opened this form, and a team registered or withdrew, or the tournament started. Check it, then save again.";

/** The notes on fields that the form leaves out. */
const LEFT_OUT = {
  everything: null,
  harmless:
    "Teams have registered, so what they signed up for stays. You can still edit the description and rules, add spots, raise the prize or keep registration open longer.",
  words: "The tournament has started, so only its description and rules can change.",
} as const;

export const meta: MetaFunction = () => privatePage("Edit Tournament");

/**
 * After a refusal because the tournament has changed, the dialog shows the fields for the new state, and the link to
 * what's saved leads to the new values.
 */
export const shouldRevalidate = reloadDialogIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const userId = await requireClaimedUserId(context, request);
  const [, tournament] = await Promise.all([requireViewer(context, request), findTournament(context.db, id, userId)]);
  if (!tournament?.viewer.isOrganiser) notFound(context, request);
  const scope = editScope(tournament);
  // This dialog is also the response to a form posted without JavaScript, and then says that it is too late.
  if (scope === "nothing" && !context.submitted) throw redirect(`/tournaments/${id}`);
  return {
    id,
    scope: scope === "nothing" ? ("words" as const) : scope,
    version: editVersion(tournament, scope),
    values: formValues(tournament),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const { db, now } = context;
  const id = tournamentIdOf(params, context, request);
  const form = await request.formData();
  return answerForm(args, {
    // Which other fields are allowed depends on the registered teams, so `run` parses them.
    schema: z.object({}),
    form,
    failed: FAILED,
    limit: "tournamentChange",
    to: `/tournaments/${id}`,
    async alongside({ userId }) {
      const tournament = await findTournament(db, id, userId);
      return tournament?.viewer.isOrganiser ? tournament : null;
    },
    async run({ viewer, found }) {
      const answer = await save(found, viewer.id);
      if (answer) return answer;
      // Something else was stored at the same moment.
      const tournament = await findTournament(db, id, viewer.id);
      if (!tournament?.viewer.isOrganiser) return "missing";
      return (await save(tournament, viewer.id)) ?? changed(tournament);
    },
  });

  /** Saves the form. @returns null if the tournament has changed since it was read */
  async function save(tournament: TournamentRow, userId: string): Promise<Answer | null> {
    const scope = editScope(tournament);
    if (scope === "nothing") return { status: 409, error: OVER };
    // The schema of another scope would drop the other fields without a word, or miss some.
    if (form.has("scope") && form.get("scope") !== scope) return changed(tournament);
    const submission = parseWithZod(form, { schema: schemaOf(scope, tournament, now) });
    const edited = submission.status === "success" ? submission.value : null;
    // On a double press, or a retry after a lost response, the first request has already done this.
    if (isEditedElsewhere(tournament, scope) && !(edited && isStored(tournament, edited))) return changed(tournament);
    if (!edited) return refuseForm(context, submission, FAILED);
    const notified = await saveEdit(context, tournament, scope, edited, { tournamentId: id, userId, now });
    if (!notified) return null;
    if ("outcome" in notified) return refuseLimited(context, notified);
    tellTournament(context, id);
    tellUnread(context, ...notified);
    return { title: "Tournament saved" };
  }

  /**
   * Whether fields of the form have changed since it was opened. Pages opened before the form had a version can't tell.
   */
  function isEditedElsewhere(tournament: TournamentRow, scope: EditScope): boolean {
    return form.has("version") && form.get("version") !== editVersion(tournament, scope);
  }

  /**
   * Refuses the form because its fields have other values now, or other fields can be edited. Fields that the form
   * didn't have start with the tournament's values.
   */
  function changed(tournament: TournamentRow): FormFailure {
    const scope = editScope(tournament);
    const opened = (Object.keys(EDITABLE) as EditScope[]).find((one) => one === form.get("scope")) ?? scope;
    const isEdited = isEditedElsewhere(tournament, opened);
    const others = Object.entries(formValues(tournament)).filter(([name]) => !form.has(name));
    return {
      status: 409,
      error: isEdited ? (opened === scope ? EDITED : BOTH) : CHANGED,
      more: OUTDATED,
      renewed: { ...Object.fromEntries(others), version: editVersion(tournament, scope) },
      next: isEdited ? { to: `/tournaments/${id}/edit`, label: "Discard my entries and see what's saved" } : undefined,
    };
  }
}

export const clientAction = offlineAction(FAILED);

export default function EditTournament() {
  const { id, scope, version, values } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const [discarded, setDiscarded] = useState<{ times: number; reply?: FormReply | undefined }>({ times: 0 });
  const close = `/tournaments/${id}`;
  return (
    <RouteDialog title="Edit Tournament" closeTo={close}>
      <HostForm
        key={discarded.times}
        reply={reply === discarded.reply ? undefined : reply}
        values={values}
        scope={scope}
        version={version}
        onDiscard={() => setDiscarded({ times: discarded.times + 1, reply })}
        submit="Save Tournament"
        closeTo={close}
      >
        {LEFT_OUT[scope] && <p className="text-muted">{LEFT_OUT[scope]}</p>}
      </HostForm>
    </RouteDialog>
  );
}
